//===- core/check/FaultRule.h - faults of paths, as rules and in words --- ===//

#ifndef MEMREFLENS_CHECK_FAULTRULE_H
#define MEMREFLENS_CHECK_FAULTRULE_H

#include "core/check/RuleId.h"
#include "core/faults/PathFault.h"

namespace memreflens {

/// The rule that reports it; `leak` for a kind that only a run has.
RuleId ruleOf(FaultKind kind);

/// "no fault; all 12 paths tried within bound 3", or "stopped after ...".
std::string boundsText(const ExploreResult &result);

} // namespace memreflens

#endif // MEMREFLENS_CHECK_FAULTRULE_H
