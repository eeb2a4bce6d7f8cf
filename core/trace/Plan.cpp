//===- core/trace/Plan.cpp ------------------------------------------------===//

#include "core/trace/Plan.h"

#include <algorithm>

namespace memreflens::trace {

const std::vector<std::string> &passesOf(const RunOptions &options) {
  static const std::vector<std::string> upstreams = [] {
    std::vector<std::string> texts;
    for (const upstream::PipelinePass &pass : upstream::pipelinePasses)
      texts.emplace_back(pass.text);
    return texts;
  }();
  return options.passes.empty() ? upstreams : options.passes;
}

void insertInFrontOfLowering(std::vector<std::string> &passes,
                             std::string_view pass) {
  passes.insert(std::ranges::find(passes, loweringPass), std::string(pass));
}

int lastStage(const RunOptions &options) {
  return int(passesOf(options).size());
}

std::string_view passName(std::string_view pass) {
  // An anchor is a word before '('; options may hold parentheses of their own.
  for (size_t i = 0; i < pass.size(); ++i) {
    if (pass[i] == '{')
      return pass.substr(0, i);
    if (pass[i] == ')')
      return pass.substr(0, i);
    if (pass[i] == '(') {
      pass.remove_prefix(i + 1);
      i = size_t(-1);
    }
  }
  return pass;
}

std::string_view stageName(const RunOptions &options, int stage) {
  const auto &passes = passesOf(options);
  if (stage == 0)
    return "input";
  if (stage == tensorCopiesStage)
    return tensorCopies;
  if (stage < 0 || size_t(stage) > passes.size())
    return {};
  return passName(passes[size_t(stage) - 1]);
}

bool isPass(const RunOptions &options, int stage, std::string_view name) {
  return stage > 0 && stageName(options, stage) == name;
}

int stageOf(const RunOptions &options, std::string_view name) {
  for (int stage = 1; stage <= lastStage(options); ++stage)
    if (isPass(options, stage, name))
      return stage;
  return -1;
}

bool hasTensorCopies(const Trace &trace, Id chunk) {
  return std::ranges::any_of(trace.bufferizations, [&](const auto &run) {
    return run.chunk == chunk && !run.copiesText.empty();
  });
}

bool hasStage(const Trace &trace, Id chunk, int stage) {
  return stage == tensorCopiesStage
             ? hasTensorCopies(trace, chunk)
             : stage >= 0 && stage <= lastStage(trace.options);
}

int placementStage(const RunOptions &options) {
  int ownership = stageOf(options, ownershipPass);
  int classic = stageOf(options, classicPass);
  if (ownership < 0)
    return classic < 0 ? lastStage(options) : classic;
  return classic < 0 ? ownership : std::min(ownership, classic);
}

} // namespace memreflens::trace
