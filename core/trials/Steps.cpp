//===- core/trials/Steps.cpp ----------------------------------------------===//

#include "core/trials/Steps.h"
#include "core/text/Parts.h"
#include "core/text/Shell.h"
#include "core/trace/RunArguments.h"
#include "core/trials/Copy.h"
#include "core/trials/CppText.h"
#include "core/upstream/Release.h"

#include "llvm/ADT/StringExtras.h"

#include <algorithm>

namespace memreflens {

/// What to give to mlir-opt for the same.
static std::string pipelineText(const trace::RunOptions &run,
                                const Remedy &remedy) {
  std::string text = "builtin.module(";
  if (!run.prePipeline.empty())
    text += run.prePipeline + ",";
  text += "buffer-deallocation-pipeline";
  if (run.privateFunctionDynamicOwnership)
    text += "{private-function-dynamic-ownership=1}";
  if (!remedy.after.empty())
    text += "," + remedy.after;
  return text + ")";
}

/// The same with our passes, which take what is stated of functions.
static std::string statedPipeline(const trace::RunOptions &run,
                                  const Remedy &remedy) {
  std::string options;
  auto add = [&](const std::string &option) {
    options += (options.empty() ? "" : " ") + option;
  };
  if (!run.freshResults.empty())
    add("assume-fresh-results=" + llvm::join(run.freshResults, ","));
  if (!remedy.noCapture.empty())
    add("assume-no-capture=" + llvm::join(remedy.noCapture, ",") +
        " late-free=last-use");
  if (remedy.dropsIdle)
    add("drop-idle-deallocs=1");
  if (run.privateFunctionDynamicOwnership)
    add("private-function-dynamic-ownership=1");
  const bool hasPass = !remedy.after.empty() && remedy.noCapture.empty();
  return "builtin.module(" +
         (run.prePipeline.empty() ? "" : run.prePipeline + ",") +
         "lens-buffer-deallocation-pipeline{" + options + "}" +
         (hasPass ? "," + remedy.after : "") + ")";
}

/// Whether a pass is ours, which mlir-opt has to load.
static bool takesPlugin(const std::string &pipeline) {
  return pipeline.find("lens-") != std::string::npos;
}

/// What both programs load, with a space in front of each.
static std::string pluginWords(const trace::RunOptions &run) {
  trace::RunOptions plugins;
  plugins.dialectPlugins = run.dialectPlugins;
  plugins.passPlugins = run.passPlugins;
  std::string text;
  for (const auto &[flag, value] : trace::runArguments(plugins))
    text += " " + flag + "=" + shellWord(value);
  return text;
}

/// As the user writes it.
static std::string mlirOptCommand(const trace::RunOptions &run,
                                  const std::string &pipeline,
                                  const trace::Source &source) {
  const bool isSplit = partsOf(source.text).size() > 1;
  return std::string(MEMREF_LENS_MLIR_OPT) +
         (takesPlugin(pipeline) ? " --load-pass-plugin=libMemrefLensPasses.so"
                                : "") +
         (run.allowUnregisteredDialect ? " --allow-unregistered-dialect" : "") +
         (isSplit ? " --split-input-file" : "") + pluginWords(run) +
         " --pass-pipeline=" + shellWord(pipeline) + " " +
         shellWord(source.path);
}

/// Of memref-lens: with --pre, or with the pipeline that has the pass behind.
static std::string ownCommand(const trace::RunOptions &run,
                              const Remedy &remedy) {
  bool isDynamic = run.privateFunctionDynamicOwnership;
  std::string text = "memref-lens check";
  trace::RunOptions inFront, then;
  inFront.prePipeline = run.prePipeline;
  then.allowUnregisteredDialect = run.allowUnregisteredDialect;
  then.freshResults = run.freshResults;
  then.noCapture = run.noCapture;
  then.contracts = run.contracts;
  then.sizes = run.sizes;
  then.unregistered = run.unregistered;
  then.skipSimplificationOver = run.skipSimplificationOver;
  then.privateFunctionDynamicOwnership =
      isDynamic && remedy.after.empty() && !remedy.dropsIdle;
  if (!remedy.after.empty() || remedy.dropsIdle) {
    text = "memref-lens ir --stage=final";
    then.pipeline = isDynamic ? "dynamic+" : "ownership+";
    then.pipeline += remedy.dropsIdle           ? "idle"
                     : remedy.noCapture.empty() ? "liveness"
                                                : "last-use";
  }
  for (const trace::RunOptions &options : {inFront, then})
    for (const auto &[flag, value] : trace::runArguments(options))
      text += " " + flag + (value.empty() ? "" : "=" + shellWord(value));
  return text + pluginWords(run);
}

/// The pass that makes the functions private, as the edit does.
static std::string privatePass(const Remedy &remedy, const Measures &before) {
  std::string others;
  for (const auto &[key, measure] : before.functions)
    if (measure.isPublic && !remedy.functions.count(key))
      others += (others.empty() ? "" : ",") + key.second;
  return others.empty() ? "symbol-privatize"
                        : "symbol-privatize{exclude=" + others + "}";
}

TrialSteps stepsOf(const trace::RunOptions &options, const Remedy &remedy,
                   const trace::Source &source, const Measures &before) {
  trace::RunOptions run = runWith(remedy, options);
  TrialSteps steps;
  steps.pipeline = pipelineText(run, remedy);
  std::string pipeline = steps.pipeline;
  const bool hasNested = std::ranges::any_of(
      before.functions, [](auto &entry) { return entry.second.isNested; });
  if (remedy.edit == RemedyEdit::makePrivate && !hasNested) {
    run.prePipeline = privatePass(remedy, before) +
                      (run.prePipeline.empty() ? "" : "," + run.prePipeline);
    pipeline = pipelineText(run, remedy);
  } else if (remedy.edit != RemedyEdit::none) {
    // No pass makes the edit; what is run then is what was run before.
    return steps;
  }
  std::string file = shellWord(source.path);
  steps.code =
      cppFor({run.prePipeline, remedy.noCapture.empty() ? remedy.after : "",
              run.privateFunctionDynamicOwnership, remedy.dropsIdle,
              remedy.freshResults, remedy.noCapture});
  // Upstream knows no such statement; our passes do.
  if (!run.freshResults.empty() || !remedy.noCapture.empty() ||
      remedy.dropsIdle) {
    steps.pipeline.clear();
    steps.commands = {ownCommand(run, remedy) + " " + file,
                      mlirOptCommand(run, statedPipeline(run, remedy), source)};
    return steps;
  }
  steps.commands = {mlirOptCommand(run, pipeline, source),
                    ownCommand(run, remedy) + " " + file};
  return steps;
}

} // namespace memreflens
