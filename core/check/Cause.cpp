//===- core/check/Cause.cpp -----------------------------------------------===//

#include "core/check/Cause.h"

namespace memreflens {

static constexpr std::string_view kindNames[] = {
    "rejection",        "fault",     "call-result",
    "unknown-origin",   "loop",      "region",
    "branch",           "join",      "argument-returned",
    "global-returned",  "edge",      "block-end",
    "last-use-unknown", "iteration", "other"};
static_assert(std::size(kindNames) == causeKinds);

bool isShared(CauseKind kind) {
  return kind != CauseKind::fault && kind != CauseKind::other;
}

std::string_view nameOf(CauseKind kind) { return kindNames[size_t(kind)]; }

CauseKind causeKindNamed(std::string_view name) {
  for (int kind = 0; kind < causeKinds; ++kind)
    if (kindNames[kind] == name)
      return CauseKind(kind);
  return CauseKind::other;
}

std::string CauseRun::words() const {
  return "compared " + std::to_string(compared) + "x in one run, " +
         (same == 0 ? std::string("never the same buffer")
                    : "the same buffer " + std::to_string(same) + "x");
}

CauseCosts &CauseCosts::operator+=(const CauseCosts &more) {
  clones += more.clones;
  cloneBytes += more.cloneBytes;
  runTimeChecks += more.runTimeChecks;
  helperCalls += more.helperCalls;
  compares += more.compares;
  conditionalDeallocs += more.conditionalDeallocs;
  lateDeallocs += more.lateDeallocs;
  lateBytes += more.lateBytes;
  // Of one that is no constant, the sum is none.
  const bool isKnown =
      (loopAllocations == 0 || executedAllocations > 0) &&
      (more.loopAllocations == 0 || more.executedAllocations > 0);
  loopAllocations += more.loopAllocations;
  executedAllocations =
      isKnown ? executedAllocations + more.executedAllocations : 0;
  executedBytes = isKnown ? executedBytes + more.executedBytes : 0;
  findings += more.findings;
  growingClones += more.growingClones;
  return *this;
}

} // namespace memreflens
