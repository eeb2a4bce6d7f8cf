//===- lsp/analysis/Options.cpp -------------------------------------------===//

#include "lsp/analysis/Options.h"
#include "core/pipeline/stages/PassPlan.h"
#include "core/process/Parallel.h"
#include "core/trace/Names.h"
#include "core/trace/RunArguments.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace memreflens::lsp {

uint64_t ServerOptions::seed() const {
  std::string all = wholeChunks ? "whole" : "parts";
  for (const std::string &argument : trace::argumentsOf(run))
    all += '\n' + argument;
  return std::hash<std::string>()(all);
}

bool ServerOptions::canSplit() const {
  return !wholeChunks && !run.privateFunctionDynamicOwnership &&
         !run.bufferize && run.prePipeline.empty() && run.passes.empty();
}

unsigned ServerOptions::threadCount() const {
  constexpr unsigned most = 8, sane = 256;
  return threads == 0 ? usableThreads(most)
                      : unsigned(std::min<size_t>(threads, sane));
}

static void readFlag(const Json &json, const char *name, bool &flag) {
  flag = boolIn(json, name, flag);
}

static void readText(const Json &json, const char *name, std::string &text) {
  if (const Json &value = member(json, name); value.is_string())
    text = value.get<std::string>();
}

static void readSeverity(const Json &json, const char *name,
                         std::optional<int> &severity) {
  constexpr const char *names[] = {"off", "error", "warning", "information",
                                   "hint"};
  std::string wanted = stringIn(json, name);
  for (int i = 0; i < 5; ++i)
    if (wanted == names[i])
      severity = i;
}

static void readSize(const Json &json, const char *name, size_t &size) {
  int64_t value = integerIn(json, name, int64_t(size));
  if (value >= 0)
    size = size_t(value);
}

static void readFindings(const Json &findings, FindingOptions &options) {
  readFlag(findings, "enabled", options.enabled);
  readFlag(findings, "explore", options.explore);
  readFlag(findings, "byCause", options.byCause);
  readFlag(findings, "testRemedies", options.testRemedies);
  readText(findings, "rulePages", options.rulePages);
  readSize(findings, "most", options.most);
  readSize(findings, "bound", options.bound);
  readSize(findings, "steps", options.steps);
  options.bound = std::min<size_t>(options.bound, 1000);
  if (const Json &seconds = member(findings, "seconds"); seconds.is_number())
    options.seconds = std::clamp(seconds.get<double>(), 0.0, 3600.0);
  const Json &rules = member(findings, "rules");
  if (!rules.is_array())
    return;
  options.rules.clear();
  for (const Json &rule : rules)
    if (rule.is_string())
      options.rules.push_back(rule.get<std::string>());
}

static void readSettings(const Json &json, ServerOptions &options) {
  const Json &pipeline = member(json, "pipeline");
  readFlag(pipeline, "privateFunctionDynamicOwnership",
           options.run.privateFunctionDynamicOwnership);
  readFlag(pipeline, "allowUnregisteredDialect",
           options.run.allowUnregisteredDialect);
  if (auto taken = trace::enumeratorNamed<trace::UnregisteredOps>(
          stringIn(pipeline, "unregistered")))
    options.run.unregistered = *taken;
  if (options.run.unregistered != trace::UnregisteredOps::reject)
    options.run.allowUnregisteredDialect = true;
  readFlag(pipeline, "bufferize", options.run.bufferize);
  readText(pipeline, "bufferizeOptions", options.run.bufferizeOptions);
  readText(pipeline, "pre", options.run.prePipeline);
  readFlag(pipeline, "refineDistinctObjects",
           options.run.refineDistinctObjects);
  if (member(pipeline, "passes").is_string()) {
    std::string passes = stringIn(pipeline, "passes");
    options.run.pipeline.clear();
    options.run.passes.clear();
    options.pipelineError =
        passes.empty() ? std::string() : setPipeline(passes, options.run);
  }

  const Json &hints = member(json, "inlayHints");
  readFlag(hints, "enabled", options.hints.enabled);
  readFlag(hints, "results", options.hints.results);
  readFlag(hints, "blockArguments", options.hints.blockArguments);
  readFlag(hints, "entryArguments", options.hints.entryArguments);
  readFlag(hints, "tensors", options.hints.tensors);
  readFlag(hints, "inPlace", options.hints.inPlace);
  readFlag(hints, "terminators", options.hints.terminators);
  readFlag(hints, "calls", options.hints.calls);
  readFlag(hints, "run", options.hints.run);
  readSize(hints, "maxLength", options.hints.maxLength);

  const Json &diagnostics = member(json, "diagnostics");
  readSeverity(diagnostics, "rejections", options.diagnostics.rejections);
  readSeverity(diagnostics, "clones", options.diagnostics.clones);
  readSeverity(diagnostics, "checks", options.diagnostics.checks);

  readFindings(member(json, "findings"), options.findings);

  const Json &lenses = member(json, "codeLens");
  readFlag(lenses, "enabled", options.lenses.enabled);
  readFlag(lenses, "commands", options.lenses.commands);

  readFlag(member(json, "hover"), "evidenceCommand", options.evidenceCommand);

  readText(json, "run", options.runRecord);
  std::string when = stringIn(json, "analyse");
  if (when == "save" || when == "type")
    options.onSave = when == "save";
  readSize(json, "batchSize", options.batchSize);
  readSize(json, "threads", options.threads);
  readFlag(json, "wholeChunks", options.wholeChunks);
  const Json &limits = member(json, "limits");
  if (const Json &traces = member(limits, "traces"); traces.is_number())
    options.traceLimit =
        size_t(std::clamp(traces.get<double>(), 0.0, 1e9) * (1 << 20));
}

ServerOptions optionsOf(const Json &message, ServerOptions options) {
  readSettings(member(message, "settings"), options);
  std::string encoding = stringIn(message, "encoding");
  options.encoding = encoding == "utf-8"    ? Encoding::utf8
                     : encoding == "utf-32" ? Encoding::utf32
                                            : Encoding::utf16;
  options.markdown = boolIn(message, "markdown", true);
  if (const Json &limit = member(message, "timeLimit"); limit.is_number())
    options.timeLimit = limit.get<double>();
  options.lazyActions = boolIn(message, "lazyActions", false);
  return options;
}

} // namespace memreflens::lsp
