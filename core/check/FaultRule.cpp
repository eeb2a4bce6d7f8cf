//===- core/check/FaultRule.cpp -------------------------------------------===//

#include "core/check/FaultRule.h"
#include "core/explain/Words.h"

namespace memreflens {

RuleId ruleOf(FaultKind kind) {
  switch (kind) {
  case FaultKind::leak:
    return ruleIds::leak;
  case FaultKind::doubleFree:
    return ruleIds::doubleFree;
  case FaultKind::useAfterFree:
    return ruleIds::useAfterFree;
  case FaultKind::freeOfUnowned:
    return ruleIds::freeNotOwned;
  case FaultKind::returnedFreed:
    return ruleIds::returnsFreed;
  case FaultKind::returnedUnowned:
    return ruleIds::returnsNotOwned;
  case FaultKind::returnedTwice:
    return ruleIds::resultsAlias;
  case FaultKind::escapedFreed:
    return ruleIds::escapesFreed;
  case FaultKind::indicatorWrong:
    return ruleIds::wrongOwnershipResult;
  case FaultKind::allocatorMismatch:
    return ruleIds::allocatorMismatch;
  case FaultKind::lostWrite:
    return ruleIds::lostWrite;
  case FaultKind::constantWritten:
    return ruleIds::constantOverwritten;
  case FaultKind::outOfBounds:
  case FaultKind::freeOfBorrowed:
  case FaultKind::freeOfUnknown:
    break;
  }
  return ruleIds::leak;
}

std::string boundsText(const ExploreResult &result) {
  std::string found = result.faults.empty()
                          ? "no fault"
                          : counted(result.faults.size(), "fault");
  uint64_t paths = result.paths + result.merged;
  const std::string tried = counted(paths, "path");
  if (!result.stopped.empty())
    return found + "; stopped after " + result.stopped + ", " + tried +
           " tried";
  std::string text =
      found + (paths == 1 ? "; its one path" : "; all " + tried) + " tried";
  if (result.cutAtBound)
    text += " within bound " + std::to_string(result.bound);
  if (result.callsByBoundary)
    text += ", calls taken to keep to the function boundary ABI";
  if (result.stoppedWatching)
    text += ", not all for writes that clones do not see";
  return text;
}

} // namespace memreflens
