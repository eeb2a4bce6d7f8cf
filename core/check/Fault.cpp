//===- core/check/Fault.cpp -----------------------------------------------===//

#include "core/check/Fault.h"
#include "core/explain/Words.h"

namespace memreflens {

std::string_view nameOf(FaultKind kind) {
  switch (kind) {
  case FaultKind::leak:
    return "leak";
  case FaultKind::doubleFree:
    return "double-free";
  case FaultKind::useAfterFree:
    return "use-after-free";
  case FaultKind::freeOfUnowned:
    return "free-not-owned";
  case FaultKind::returnedFreed:
    return "returns-freed";
  case FaultKind::returnedUnowned:
    return "returns-not-owned";
  case FaultKind::returnedTwice:
    return "results-alias";
  case FaultKind::escapedFreed:
    return "escapes-freed";
  case FaultKind::indicatorWrong:
    return "wrong-ownership-result";
  case FaultKind::allocatorMismatch:
    return "allocator-mismatch";
  case FaultKind::lostWrite:
    return "lost-write";
  }
  return {};
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
