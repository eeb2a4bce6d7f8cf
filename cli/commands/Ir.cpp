//===- cli/commands/Ir.cpp - `ir`: the program after a stage --------------===//

#include "cli/Command.h"
#include "cli/ExitStatus.h"
#include "cli/FileRun.h"
#include "cli/OptionActions.h"
#include "cli/Saved.h"
#include "cli/Settling.h"
#include "cli/SharedOptions.h"
#include "core/pipeline/run/Batches.h"
#include "core/pipeline/stages/PassPlan.h"
#include "core/trace/Plan.h"
#include "core/trace/StageTexts.h"

#include <algorithm>

namespace memreflens {

namespace {
struct IrOptions {
  /// Print with the SSA names of the file.
  bool sourceNames = false;
};
} // namespace

//===--- From a saved trace -----------------------------------------------===//

/// With the names of the file, from the trace.
static std::string namedText(const trace::Trace &trace, int stage) {
  std::string text;
  for (const trace::Chunk &chunk : trace.chunks) {
    if (!chunk.parsed || chunk.stages.empty())
      continue;
    text += text.empty() ? "" : "// -----\n";
    // The last stage that ran, where that is not the one asked for.
    const int last = std::min(stage, chunk.stages.back().number);
    text += trace::stageText(trace, chunk.id, last).value_or("");
  }
  return text;
}

/// The program after the stage that is asked for; an exit status other than
/// `done` where the saved trace does not have it.
static int openSavedIr(const FileRun &run, SavedTrace &saved,
                       std::string &text) {
  const CliOptions &options = run.options;
  if (int status = openSaved(options, run.source, run.kind, saved);
      status != done)
    return status;
  const trace::Trace &trace = *saved.trace;
  const bool wantsCopies = options.stageText == trace::tensorCopies;
  if (wantsCopies && std::ranges::none_of(trace.chunks, [&](const auto &chunk) {
        return trace::hasTensorCopies(trace, chunk.id);
      })) {
    tell("memref-lens: error: '%s' has no tensor copies: one-shot-bufferize "
         "did not run, or it copied before each write\n",
         run.source.path.c_str());
    return wrongUsage;
  }
  int stage = wantsCopies ? trace::tensorCopiesStage
                          : parseStage(options.stageText, trace.options);
  if (stage < 0 && !wantsCopies) {
    tell("memref-lens: error: '%s' has no stage '%s', but 0 to %d and "
         "'final'\n",
         run.source.path.c_str(), options.stageText.c_str(),
         trace::lastStage(trace.options));
    return wrongUsage;
  }
  if (options.own<IrOptions>().sourceNames) {
    text = namedText(trace, stage);
    return done;
  }
  if (stage >= 0 && size_t(stage) < saved.stages.size()) {
    text = saved.stages[size_t(stage)].text;
    return done;
  }
  tell("memref-lens: error: '%s' has the program with the names of its "
       "file only; add '--source-names'\n",
       run.source.path.c_str());
  return wrongUsage;
}

static int runSavedIr(const FileRun &run) {
  SavedTrace saved;
  std::string text;
  if (int status = openSavedIr(run, saved, text); status != done)
    return status;
  return finish(run, *saved.trace, text);
}

//===--- From a program ---------------------------------------------------===//

/// As mlir-opt --split-input-file joins its outputs.
static std::string joinedText(const Analysis &analysis, bool sourceNames,
                              int stage) {
  std::string text;
  bool first = true;
  for (const trace::Chunk &chunk : analysis.trace.chunks) {
    if (!chunk.parsed)
      continue;
    if (!first)
      text += "// -----\n";
    first = false;
    const std::vector<std::string> &upstream = analysis.upstreamTexts[chunk.id];
    if (stage == trace::tensorCopiesStage)
      text += trace::stageText(analysis.trace, chunk.id, stage).value_or("");
    else if (!sourceNames)
      text += upstream.empty() ? std::string() : upstream.back();
    else if (!chunk.stages.empty())
      // The last stage that ran, where that is not the one asked for.
      text +=
          trace::stageText(analysis.trace, chunk.id, chunk.stages.back().number)
              .value_or("");
  }
  return text;
}

static int runIr(const FileRun &run) {
  if (isSaved(run.kind))
    return runSavedIr(run);
  const bool sourceNames = run.options.own<IrOptions>().sourceNames;
  const int stage = run.options.stage;
  AnalysisOptions options = analysisOptions(run);
  options.copiesText = stage == trace::tensorCopiesStage;
  // It runs in front of the stages, or is one of them.
  options.lastStage =
      options.copiesText
          ? std::max(0, trace::stageOf(run.options.run, bufferizePass))
          : stage;
  options.text = sourceNames ? StageText::sourceNames : StageText::upstream;
  options.lastTextOnly = !sourceNames;
  options.isRecorded = sourceNames;
  if (!sourceNames && !options.copiesText)
    if (std::optional<std::string> joined = lastTextSideBySide(
            run.source, run.registry, options, threadsOf(run)))
      return writeOutput(run.options.output,
                         [&](std::ostream &out) { out << *joined; })
                 ? int(done)
                 : int(badInput);
  const Analysis analysis =
      sourceNames
          ? analyseSideBySide(run.source, run.registry, options, threadsOf(run))
          : analyse(run.source, run.registry, options);
  return finish(run, analysis.trace, joinedText(analysis, sourceNames, stage));
}

//===--- The command ------------------------------------------------------===//

static std::string settleIr(CliOptions &options) {
  if (std::string fault = takeOneFile(options); !fault.empty())
    return fault;
  if (options.stageText.empty())
    return "'ir' needs '--stage': " + knownStages(options.run);
  if (options.stageText == trace::tensorCopies) {
    options.stage = trace::tensorCopiesStage;
    return faultOfTensorCopies(options);
  }
  return settleStage(options);
}

const Command &irCommand() {
  static const Command command{
      .name = "ir",
      .takes = "FILE --stage STAGE",
      .summary = "the program after a stage of the pipeline",
      .question = "the program after a stage, with your own names",
      .about = R"(usage: memref-lens ir [options] FILE --stage STAGE

Prints the program after a stage, byte for byte as mlir-opt does. A function that
is rejected is printed as its last good stage left it, with a comment.
)",
      .options = {stageOption("after which stage",
                              R"(0 (input) to 8, final, or a name:
  1 expand-realloc
  2 canonicalize
  3 ownership-based-buffer-deallocation
  4 canonicalize-2
  5 buffer-deallocation-simplification
  6 bufferization-lower-deallocations
  7 cse
  8 canonicalize-3
or tensor-copies: in front of 0, between the steps
of one-shot-bufferize)",
                              R"(a number, a name, or `final` for the last one:
  0  input, after --bufferize and --pre
  1  expand-realloc
  2  canonicalize
  3  ownership-based-buffer-deallocation
  4  canonicalize-2
  5  buffer-deallocation-simplification
  6  bufferization-lower-deallocations
  7  cse
  8  canonicalize-3
or `tensor-copies`, of a program that is bufferized: between the steps of
one-shot-bufferize, with its copies on tensors and still no memref)"),
                  {.names = "--source-names",
                   .brief = "print with the SSA names of the file",
                   .man =
                       "print with the SSA names of the file. `%a` in every "
                       "stage is the file's `%a`; generated values get names "
                       "of their own",
                   .take = takeFlag<&IrOptions::sourceNames>()},
                  outputOption()},
      .groups = {jobsOptions(), pipelineOptions(), statementOptions(),
                 skipOptions(), commonOptions()},
      .opensSaved = true,
      .settle = settleIr,
      .runOnFile = runIr};
  return command;
}

} // namespace memreflens
