//===- cli/Diff.cpp - `diff`: two traces, compared ------------------------===//
//
// Each side is a saved trace, or a program that is traced in a worker process
// as `memref-lens trace` does it, with the options of that side.
//
//===----------------------------------------------------------------------===//

#include "cli/Diff.h"
#include "cli/Commands.h"
#include "cli/Input.h"
#include "cli/Saved.h"
#include "core/files/UnnamedFile.h"
#include "core/report/Differences.h"
#include "core/trace/Json.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"

#include <cstdio>
#include <fstream>
#include <optional>

namespace memreflens {

namespace {
/// One of the two.
struct Side {
  const char *flag;
  std::string file, words;
  CliOptions options;
  trace::Source source;
  std::optional<trace::Trace> trace;
};
} // namespace

/// The words of a side as `memref-lens trace` takes them.
static int readOptions(const CliOptions &both, Side &side) {
  llvm::BumpPtrAllocator allocator;
  llvm::StringSaver saver(allocator);
  llvm::SmallVector<const char *> words;
  llvm::cl::TokenizeGNUCommandLine(side.words, saver, words);
  std::vector<std::string> all = {"memref-lens", "trace"};
  all.insert(all.end(), both.diff.common.begin(), both.diff.common.end());
  all.insert(all.end(), words.begin(), words.end());
  all.insert(all.end(), {"--", side.file});
  std::vector<char *> argv;
  for (std::string &word : all)
    argv.push_back(word.data());
  ParsedOptions parsed = parseOptions(int(argv.size()), argv.data());
  std::string error = parsed.error;
  if (error.empty() && parsed.options.files != std::vector{side.file})
    error = "takes options only, no file";
  if (error.empty() &&
      (parsed.options.command != Command::trace ||
       parsed.options.output != "-" || parsed.options.format != "json"))
    error = "takes options of the pipeline, such as "
            "--private-function-dynamic-ownership";
  if (!error.empty())
    return complain(wrongUsage, "'" + std::string(side.flag) + "': " + error);
  side.options = std::move(parsed.options);
  return done;
}

static int readSaved(Side &side) {
  SavedTrace saved;
  // What is in the file was decided when it was made.
  if (int status = openSaved(side.options, side.source, saved); status != done)
    return status;
  side.trace = std::move(*saved.trace);
  side.trace->source.path = side.file;
  return done;
}

static int runTrace(Side &side, const TraceOne &traceOne) {
  UnnamedFile made;
  if (!made.isOpen())
    return failTemporary();
  side.options.output = made.getPath();
  if (int status = traceOne(side.options, side.source); status != done)
    return status;
  std::ifstream stream(side.options.output, std::ios::binary);
  trace::ReadResult read = trace::readJson(stream);
  if (!read)
    return complain(70, "cannot read back the trace of '" + side.file +
                            "': " + read.error);
  side.trace = std::move(*read.trace);
  return done;
}

static int readSide(const CliOptions &both, Side &side,
                    const TraceOne &traceOne) {
  if (int status = readOptions(both, side); status != done)
    return status;
  return isSaved(side.source) ? readSaved(side) : runTrace(side, traceOne);
}

static bool knows(const trace::Trace &trace, const std::string &name) {
  return std::any_of(
      trace.functions.begin(), trace.functions.end(),
      [&](const trace::Function &function) { return function.isCalled(name); });
}

int runDiff(const CliOptions &options, const TraceOne &traceOne) {
  Side before{"--left", options.files.front(), options.diff.left, {}, {}, {}};
  Side after{"--right", options.files.back(), options.diff.right, {}, {}, {}};
  std::optional<trace::Source> source = readOrComplain(before.file);
  if (!source)
    return badInput;
  before.source = after.source = *source;
  // Standard input can be read only once.
  if (options.files.size() > 1) {
    source = readOrComplain(after.file);
    if (!source)
      return badInput;
    after.source = *source;
  }
  for (Side *side : {&before, &after})
    if (int status = readSide(options, *side, traceOne); status != done)
      return status;
  const std::string &only = options.run.function;
  if (!only.empty() && !knows(*before.trace, only) &&
      !knows(*after.trace, only))
    return complain(wrongUsage, "no function '@" + only + "' in either file");
  Lookup was(*before.trace), is(*after.trace);
  diff::TraceDifference found = diff::differenceOf(was, is, only);
  std::string text =
      options.diff.format == "json" ? report::differencesAsJson(found)
      : options.diff.format == "md" ? report::differencesAsMarkdown(found)
                                    : report::differencesAsText(found);
  if (!writeOutput(options.output, [&](std::ostream &out) { out << text; }))
    return badInput;
  return found.isEqual() ? done : findings;
}

} // namespace memreflens
