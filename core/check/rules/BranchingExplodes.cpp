//===- core/check/rules/BranchingExplodes.cpp -----------------------------===//

#include "core/check/rules/Finders.h"
#include "core/trace/Symbol.h"

#include <algorithm>
#include <map>

namespace memreflens {

using trace::Id;

/// Ways through the function's blocks; loops count once. Saturates.
static double waysThrough(const Lookup &lookup, const std::vector<Id> &blocks) {
  std::map<Id, double> ways;
  for (auto id = blocks.rbegin(); id != blocks.rend(); ++id) {
    double sum = 0;
    for (Id successor : lookup.block(*id)->successors)
      sum += ways.count(successor) ? ways[successor] : 1;
    ways[*id] = std::max(1.0, sum);
  }
  return blocks.empty() ? 1 : ways[blocks.front()];
}

void addBranching(FindingMaker &maker, const trace::Function &function) {
  constexpr double many = 1 << 18;
  if (function.status != trace::FunctionStatus::notProcessed &&
      waysThrough(maker.lookup, function.blocks) >= many)
    maker
        .add(ruleIds::branchingExplodes, function.id, function.nameRange,
             trace::symbolText(function.title()) +
                 " has so many ways through its blocks that MLIR's check for "
                 "loops, which takes each of them, takes long")
        .remedies = {liftAdvice()};
}

} // namespace memreflens
