//===- core/pipeline/record/Faults.cpp
//-------------------------------------------===//

#include "core/pipeline/record/Faults.h"

#ifdef MEMREF_LENS_SEEDED_FAULTS
namespace memreflens {

static constexpr const char *names[] = {
    "joinTakesSecond",
    "joinConstantsByIdentity",
    "joinForgetsUnknown",
    "updateOverwrites",
    "resetForgotten",
    "liveInMissed",
    "liveInNotCandidate",
    "liveInAncestorOwned",
    "liveInUnsorted",
    "entryArgumentOwned",
    "entryArgumentNotCandidate",
    "blockArgumentNotCandidate",
    "blockIndicatorFirst",
    "nestedAfterParent",
    "allocationNotCandidate",
    "allocationNotOwned",
    "stackAllocationOwned",
    "manualDeallocationOwned",
    "freeAssertionDropped",
    "regionOperandsNotExtended",
    "regionIndicatorAlwaysTrue",
    "regionResultNotCandidate",
    "callResultBorrowed",
    "callResultNotCandidate",
    "dynamicCallStatic",
    "retainForwardedDropped",
    "retainLiveDropped",
    "retainLiveFirst",
    "retainLiveWithoutTarget",
    "branchOperandsNotExtended",
    "condBranchNoNegation",
    "condBranchFirstDuplicateWins",
    "condBranchMergeSwapped",
    "condBranchMergeOnlyOnce",
    "returnNotGuaranteed",
    "returnConstantSelectSkipped",
    "returnCloneUnconditional",
    "returnOperandsExtended",
    "yieldOperandsNotExtended",
    "selectOperandsSwapped",
    "selectModelIgnored",
    "cloneNotCandidate",
    "joinOwnBlock",
    "noOperandOwned",
    "baseBufferSkipped",
    "unrankedNotCast",
    "signatureNotUpdated",
    "backEdgeIgnored",
    "freeEffectAccepted",
    "unknownEffectsAccepted",
    "staleResultNotRenamed",
};

static_assert(sizeof(names) / sizeof(*names) ==
              size_t(Fault::staleResultNotRenamed) + 1);

const char *nameOf(Fault fault) { return names[size_t(fault)]; }

bool isSeeded(Fault fault) {
  static const char *wanted = std::getenv("MEMREF_LENS_FAULT");
  return wanted && std::string_view(wanted) == nameOf(fault);
}

} // namespace memreflens
#endif
