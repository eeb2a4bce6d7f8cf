//===- cli/Settling.cpp ---------------------------------------------------===//

#include "cli/Settling.h"
#include "cli/Command.h"
#include "core/pipeline/run/Analysis.h"
#include "core/pipeline/stages/PassPlan.h"
#include "core/trace/Plan.h"

#include "llvm/ADT/StringRef.h"

namespace memreflens {

std::string takeFiles(CliOptions &options) {
  if (!options.files.empty())
    return {};
  return "no input file; use '-' for standard input, or see 'memref-lens " +
         options.typedAs + " --help'";
}

std::string takeOneFile(CliOptions &options) {
  if (options.files.size() > 1)
    return "one file at a time, please: '" + options.files[1] + "' is too many";
  return takeFiles(options);
}

/// A statement may be typed after the pipeline that reads it.
std::string settleStatements(CliOptions &options) {
  trace::RunOptions &run = options.run;
  if (run.noCapture.empty())
    return {};
  if (trace::stageOf(run, trace::lastUsePass) < 0)
    return "'--assume no-capture' is read by last-use in '--pipeline' alone, "
           "as "
           "--pipeline=ownership+last-use";
  (void)setPipeline(run.pipeline, run);
  return {};
}

std::string knownStages(const trace::RunOptions &run) {
  return "0 to " + std::to_string(trace::lastStage(run)) +
         ", final, or a stage's name (" +
         std::string(trace::stageName(run, 1)) + ", " +
         std::string(trace::stageName(run, trace::lastStage(run))) + ", ...)";
}

std::string settleStage(CliOptions &options) {
  options.stage = parseStage(options.stageText, options.run);
  // A saved trace has the stages of its own run.
  llvm::StringRef file = options.files.front();
  bool mayBeSaved = file.ends_with(".gz") || file.ends_with(".json");
  if (options.stage >= 0 || mayBeSaved)
    return {};
  return "'--stage' takes " + knownStages(options.run) + ", not '" +
         options.stageText + "'";
}

std::string faultOfTensorCopies(const CliOptions &options) {
  const llvm::StringRef file = options.files.front();
  const bool isThere = bufferizes(options.run) ||
                       trace::stageOf(options.run, bufferizePass) > 0 ||
                       file.ends_with(".gz") || file.ends_with(".json");
  return isThere ? ""
                 : "'--stage tensor-copies' is a step of one-shot-bufferize: "
                   "add '--bufferize'";
}

void takeEnding(const std::string &output,
                const std::vector<std::string> &formats, std::string &target) {
  for (const std::string &format : formats)
    if (target.empty() && output.ends_with("." + format))
      target = format;
}

} // namespace memreflens
