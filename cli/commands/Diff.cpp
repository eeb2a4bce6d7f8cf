//===- cli/commands/Diff.cpp - `diff`: two traces, compared ---------------===//
//
// Each side is a saved trace, or a program that is traced in a worker process
// as `memref-lens trace` does it, with the options of that side.
//
//===----------------------------------------------------------------------===//

#include "cli/Command.h"
#include "cli/ExitStatus.h"
#include "cli/OptionActions.h"
#include "cli/Saved.h"
#include "cli/SharedOptions.h"
#include "cli/TraceOptions.h"
#include "cli/Workers.h"
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
struct DiffOptions {
  /// text, json or md.
  std::string format = "text";
  /// Options of one side, as typed: words as in a shell.
  std::string left, right;
};

/// One of the two.
struct Side {
  const char *flag;
  std::string file, words;
  CliOptions options;
  Input input;
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
  all.insert(all.end(), both.sharedWords.begin(), both.sharedWords.end());
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
      (parsed.options.helpTopic || parsed.options.output != "-" ||
       parsed.options.own<TraceOptions>().format != "json"))
    error = "takes options of the pipeline, such as "
            "--private-function-dynamic-ownership";
  if (!error.empty())
    return complain(wrongUsage, "'" + std::string(side.flag) + "': " + error);
  side.options = std::move(parsed.options);
  return done;
}

static int readSavedSide(Side &side) {
  SavedTrace saved;
  // What is in the file was decided when it was made.
  if (int status =
          openSaved(side.options, side.input.source, side.input.kind, saved);
      status != done)
    return status;
  side.trace = std::move(*saved.trace);
  side.trace->source.path = side.file;
  return done;
}

static int traceSide(Side &side, const mlir::DialectRegistry &registry) {
  UnnamedFile made;
  if (!made.isOpen())
    return failTemporary();
  side.options.output = made.getPath();
  if (int status = runOnFile(side.options, side.input, registry);
      status != done)
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
                    const mlir::DialectRegistry &registry) {
  if (int status = readOptions(both, side); status != done)
    return status;
  return isSaved(side.input.kind) ? readSavedSide(side)
                                  : traceSide(side, registry);
}

static bool knows(const trace::Trace &trace, const std::string &name) {
  return std::any_of(
      trace.functions.begin(), trace.functions.end(),
      [&](const trace::Function &function) { return function.isCalled(name); });
}

static std::string differencesIn(const diff::TraceDifference &found,
                                 const std::string &format) {
  return format == "json" ? report::differencesAsJson(found)
         : format == "md" ? report::differencesAsMarkdown(found)
                          : report::differencesAsText(found);
}

static int runDiff(const CliOptions &options,
                   const mlir::DialectRegistry &registry) {
  const DiffOptions &wants = options.own<DiffOptions>();
  Side before{"--left", options.files.front(), wants.left, {}, {}, {}};
  Side after{"--right", options.files.back(), wants.right, {}, {}, {}};
  std::optional<Input> input = inputOrComplain(before.file);
  if (!input)
    return badInput;
  before.input = after.input = *input;
  // Standard input can be read only once.
  if (options.files.size() > 1) {
    input = inputOrComplain(after.file);
    if (!input)
      return badInput;
    after.input = *input;
  }
  for (Side *side : {&before, &after})
    if (int status = readSide(options, *side, registry); status != done)
      return status;
  const std::string &only = options.run.function;
  if (!only.empty() && !knows(*before.trace, only) &&
      !knows(*after.trace, only))
    return complain(wrongUsage, "no function '@" + only + "' in either file");
  Lookup was(*before.trace), is(*after.trace);
  diff::TraceDifference found = diff::differenceOf(was, is, only);
  std::string text = differencesIn(found, wants.format);
  if (!writeOutput(options.output, [&](std::ostream &out) { out << text; }))
    return badInput;
  return found.isEqual() ? done : findings;
}

//===--- The command ------------------------------------------------------===//

static std::string settleDiff(CliOptions &options) {
  const DiffOptions &wants = options.own<DiffOptions>();
  const std::vector<std::string> &files = options.files;
  if (files.size() > 2)
    return "two files are compared: '" + files[2] + "' is too many";
  if (files.size() == 1 && wants.left.empty() && wants.right.empty())
    return "'diff' takes two files, or one with '--left' or '--right' and the "
           "options of that side";
  if (files.size() == 2 && files[0] == "-" && files[1] == "-")
    return "only one of the two files can be standard input";
  return takeFiles(options);
}

/// One function is picked from both traces.
static Option pickedFunction() {
  Option option = commonOptions()->options.front();
  option.isHidden = true;
  return option;
}

static std::vector<Option> diffOptions() {
  return {{.names = "--left",
           .value = {" OPTIONS"},
           .brief = "options of the first side",
           .help = "options of the first side, as one word, for example "
                   "--left='--pipeline=classic'",
           .take = takeText<&DiffOptions::left>()},
          {.names = "--right",
           .value = {" OPTIONS"},
           .brief = "options of the second side",
           .take = takeText<&DiffOptions::right>()},
          {.names = "--format",
           .value = {" FORMAT", {"text", "json", "md"}},
           .brief = "form of the result",
           .help = "text (default), json or md",
           .take = takeOneOf<&DiffOptions::format>()},
          outputOption(),
          pickedFunction()};
}

const Command &diffCommand() {
  static const Command command{
      .name = "diff",
      .takes = "FILE FILE",
      .summary = "which decisions differ between two programs, two sets of "
                 "options or two saved traces",
      .brief = "which decisions differ between two programs, option sets or "
               "traces",
      .question = "which decisions differ?",
      .about = R"(usage: memref-lens diff [options] FILE FILE
       memref-lens diff [options] FILE --left=OPTIONS --right=OPTIONS

Compares the decisions of the pipeline function by function: which clones, dealloc
lists, retained memrefs, ownerships, ownership indicators, rejections, run-time
alias checks, lowered deallocs and placements appeared, went or changed, with the
sentence of each side. Each FILE is a program, a saved trace (.json) or a bundle.
Lines, and the names of values and blocks, do not count; liveness and rewrites are
not compared, but what they lead to. Exit status 0 if all is equal, 1 if not;
docs/diff.md has more.
)",
      .options = diffOptions(),
      .groups = {pipelineOptions(), aliasOptions(), statementOptions(),
                 commonOptions()},
      .files = "*.(mlir|json|tar.gz)*",
      .opensSaved = true,
      .settle = settleDiff,
      .run = runDiff};
  return command;
}

} // namespace memreflens
