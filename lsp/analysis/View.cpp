//===- lsp/analysis/View.cpp ----------------------------------------------===//

#include "lsp/analysis/View.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace memreflens::lsp {

static uint32_t clamped(const Json &json, const char *name) {
  return uint32_t(std::clamp<int64_t>(integerIn(json, name, 0), 0, UINT32_MAX));
}

Position toPosition(const Json &json) {
  return {clamped(json, "line"), clamped(json, "character")};
}

Json View::position(uint32_t offset) const {
  Position at =
      batch.getLines().positionOf(batch.text(), offset, options.encoding);
  return {{"line", at.line}, {"character", at.character}};
}

Json View::toRange(trace::Range range) const {
  return {{"start", position(range.begin)}, {"end", position(range.end)}};
}

Json View::toLocation(trace::Range range) const {
  return {{"uri", uri}, {"range", toRange(range)}};
}

uint32_t View::offsetOf(Position position) const {
  return uint32_t(
      batch.getLines().offsetOf(batch.text(), position, options.encoding));
}

std::vector<trace::Id> View::functions() const {
  std::vector<trace::Id> found;
  for (const trace::Function &function : trace().functions)
    if (range.contains(function.range.begin) && !function.range.empty())
      found.push_back(function.id);
  return found;
}

} // namespace memreflens::lsp
