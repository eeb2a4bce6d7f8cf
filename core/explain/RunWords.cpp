//===- core/explain/RunWords.cpp ------------------------------------------===//

#include "core/explain/RunWords.h"

namespace memreflens {

static constexpr char on[] = "on";

/// The passes, where no name says which they are.
static std::string pipelineOf(const trace::RunOptions &run) {
  if (!run.pipeline.empty() || run.passes.empty())
    return run.pipeline;
  std::string text;
  for (const std::string &pass : run.passes)
    text += (text.empty() ? "" : ",") + pass;
  return "builtin.module(" + text + ")";
}

std::vector<RunWord> runWords(const trace::RunOptions &run) {
  std::vector<RunWord> words;
  auto add = [&](bool isGiven, const char *flag, std::string value) {
    if (isGiven)
      words.push_back({flag, std::move(value)});
  };
  add(!run.function.empty(), "--function", run.function);
  add(run.privateFunctionDynamicOwnership,
      "--private-function-dynamic-ownership", on);
  add(run.allowUnregisteredDialect, "--allow-unregistered-dialect", on);
  add(run.bufferize, "--bufferize",
      run.bufferizeOptions.empty() ? on : run.bufferizeOptions);
  add(!run.prePipeline.empty(), "--pre", run.prePipeline);
  std::string pipeline = pipelineOf(run);
  add(!pipeline.empty(), "--pipeline", pipeline);
  add(run.refineDistinctObjects, "--refine", "distinct-objects");
  add(run.aliases, "--aliases", on);
  add(run.unregistered == trace::UnregisteredOps::assumePure, "--unregistered",
      "assume-pure");
  add(run.unregistered == trace::UnregisteredOps::assumeReads, "--unregistered",
      "assume-reads");
  for (const std::string &plugin : run.dialectPlugins)
    add(true, "--load-dialect-plugin", plugin);
  for (const std::string &plugin : run.passPlugins)
    add(true, "--load-pass-plugin", plugin);
  return words;
}

std::vector<std::string> runArguments(const trace::RunOptions &run) {
  std::vector<std::string> arguments;
  for (const RunWord &word : runWords(run))
    arguments.push_back(word.value == on ? word.flag
                                         : word.flag + "=" + word.value);
  return arguments;
}

} // namespace memreflens
