//===- cli/Saved.cpp - traces that were made before -----------------------===//

#include "cli/Saved.h"
#include "cli/Commands.h"
#include "cli/Export.h"
#include "cli/Input.h"
#include "core/Version.h"
#include "core/pipeline/stages/PassPlan.h"
#include "core/query/Index.h"
#include "core/text/Escape.h"
#include "core/trace/Json.h"
#include "core/trace/Plan.h"
#include "core/trace/RunArguments.h"
#include "core/trace/StageTexts.h"

#include "llvm/ADT/STLExtras.h"

#include <cstdio>

namespace memreflens {

bool isBundle(const trace::Source &source) {
  return bundle::isCompressed(source.text);
}

bool isSaved(const trace::Source &source) {
  return isBundle(source) || isSavedTrace(source);
}

static void noteVersion(const std::string &path, const trace::Trace &trace) {
  if (trace.toolVersion == toolVersion && trace.llvmVersion == llvmVersion)
    return;
  tell("memref-lens: note: '%s' was made by memref-lens %s (LLVM %s); "
       "this is %s (LLVM %s)\n",
       path.c_str(), visibleText(trace.toolVersion).c_str(),
       visibleText(trace.llvmVersion).c_str(), toolVersion, llvmVersion);
}

SavedTrace readSaved(const trace::Source &source) {
  SavedTrace saved;
  auto fail = [&](const std::string &what, const std::string &why) {
    saved.error = "'" + source.path + "' is no " + what +
                  " that can be read: " + visibleText(why);
  };
  std::string error;
  std::optional<bundle::Bundle> bundle;
  if (isBundle(source)) {
    bundle = bundle::read(source.text, error);
    if (!bundle) {
      fail("bundle", error);
      return saved;
    }
  }
  trace::ReadResult read =
      trace::readJson(std::string_view(bundle ? bundle->trace : source.text));
  if (!read) {
    fail(bundle ? "bundle" : "trace",
         (bundle ? "its trace.json: " : "") + read.error);
    return saved;
  }
  if (bundle)
    saved.stages = std::move(bundle->stages);
  saved.trace = std::move(*read.trace);
  noteVersion(source.path, *saved.trace);
  return saved;
}

/// The first option that asks for something else than was made.
static std::string rejectedOption(trace::RunOptions asked,
                                  const trace::RunOptions &made,
                                  bool showsFunctions) {
  // These show one function of many.
  if (showsFunctions)
    asked.function.clear();
  std::vector<std::string> known = trace::argumentsOf(made);
  for (const std::string &argument : trace::argumentsOf(asked))
    if (!llvm::is_contained(known, argument))
      return argument;
  return {};
}

int openSaved(const CliOptions &options, const trace::Source &source,
              SavedTrace &saved) {
  saved = readSaved(source);
  if (!saved.trace)
    return complain(badInput, saved.error);
  bool showsFunctions =
      options.command != Command::trace && options.command != Command::ir;
  std::string rejected =
      rejectedOption(options.run, saved.trace->options, showsFunctions);
  if (rejected.empty())
    return done;
  tell("memref-lens: error: '%s' holds a trace that was made without "
       "'%s'; for another one run the program itself\n",
       source.path.c_str(), rejected.c_str());
  return wrongUsage;
}

/// With the names of the file, from the trace.
static std::string namedText(const trace::Trace &trace, int stage) {
  std::string text;
  for (const trace::Chunk &chunk : trace.chunks) {
    if (!chunk.parsed || chunk.stages.empty())
      continue;
    text += text.empty() ? "" : "// -----\n";
    // The last stage that ran, where that is not the one asked for.
    int last = std::min(stage, chunk.stages.back().number);
    text += trace::stageText(trace, chunk.id, last).value_or("");
  }
  return text;
}

int openSavedIr(const CliOptions &options, const trace::Source &source,
                SavedTrace &saved, std::string &text) {
  if (int status = openSaved(options, source, saved); status != done)
    return status;
  const trace::Trace &trace = *saved.trace;
  int stage = parseStage(options.stageText, trace.options);
  if (stage < 0) {
    tell("memref-lens: error: '%s' has no stage '%s', but 0 to %d and "
         "'final'\n",
         source.path.c_str(), options.stageText.c_str(),
         trace::lastStage(trace.options));
    return wrongUsage;
  }
  if (options.sourceNames) {
    text = namedText(trace, stage);
    return done;
  }
  if (size_t(stage) < saved.stages.size()) {
    text = saved.stages[size_t(stage)].text;
    return done;
  }
  tell("memref-lens: error: '%s' has the program with the names of its "
       "file only; add '--source-names'\n",
       source.path.c_str());
  return wrongUsage;
}

bool rejectsBundle(const CliOptions &options, const trace::Source &source) {
  bool reads = options.command == Command::trace ||
               options.command == Command::ir ||
               options.command == Command::explain ||
               options.command == Command::memory ||
               options.command == Command::exportFiles;
  if (reads || !isBundle(source))
    return false;
  tell("memref-lens: error: '%s' is a bundle, or another compressed "
       "file; this command takes programs. 'tar -xOf %s bundle/%s' "
       "prints the one of a bundle\n",
       source.path.c_str(), source.path.c_str(), bundle::inputName);
  return true;
}

} // namespace memreflens
