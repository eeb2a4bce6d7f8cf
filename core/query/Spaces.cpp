//===- core/query/Spaces.cpp ----------------------------------------------===//

#include "core/query/Spaces.h"
#include "core/trace/Sizes.h"

#include <algorithm>

namespace memreflens {

bool hasSpaces(const trace::Trace &trace) {
  return std::ranges::any_of(trace.functions, [](const auto &function) {
    return !function.spaces.empty();
  });
}

std::vector<Space> spacesOf(const trace::Function &function,
                            bool isToldBySpace) {
  std::vector<Space> spaces;
  for (const trace::SpaceUse &use : function.spaces)
    spaces.emplace_back(use.space);
  if (spaces.empty())
    spaces.push_back(isToldBySpace ? Space(std::string()) : std::nullopt);
  return spaces;
}

std::string nameOfSpace(const trace::Trace &trace, const Space &space) {
  const auto stated =
      trace::statedOf(trace.options.spaces, space.value_or(std::string()));
  return stated ? stated->name : std::string();
}

const trace::HeapUse &heapIn(const trace::Function &function,
                             const Space &space) {
  if (!space || function.spaces.empty())
    return function.heap;
  auto known =
      std::ranges::find(function.spaces, *space, &trace::SpaceUse::space);
  if (known != function.spaces.end())
    return known->heap;
  static const trace::HeapUse nothing = [] {
    trace::HeapUse heap;
    heap.measured = true;
    return heap;
  }();
  return nothing;
}

} // namespace memreflens
