//===- core/pipeline/record/Faults.h - seeded faults, for testing the tests
//------===//
//
// Each name below breaks one rule of the pass on purpose. In a normal build
// `isSeeded` is constant false and costs nothing; the test build that defines
// MEMREF_LENS_SEEDED_FAULTS reads the fault from the environment variable
// MEMREF_LENS_FAULT, and tests/faults checks that every one of them is noticed.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_PIPELINE_RECORD_FAULTS_H
#define MEMREFLENS_PIPELINE_RECORD_FAULTS_H

#ifdef MEMREF_LENS_SEEDED_FAULTS
#include <cstdlib>
#include <string_view>
#endif

namespace memreflens {

enum class Fault {
  joinTakesSecond,
  joinConstantsByIdentity,
  joinForgetsUnknown,
  updateOverwrites,
  resetForgotten,
  liveInMissed,
  liveInNotCandidate,
  liveInAncestorOwned,
  liveInUnsorted,
  entryArgumentOwned,
  entryArgumentNotCandidate,
  blockArgumentNotCandidate,
  blockIndicatorFirst,
  nestedAfterParent,
  allocationNotCandidate,
  allocationNotOwned,
  stackAllocationOwned,
  manualDeallocationOwned,
  freeAssertionDropped,
  regionOperandsNotExtended,
  regionIndicatorAlwaysTrue,
  regionResultNotCandidate,
  callResultBorrowed,
  callResultNotCandidate,
  dynamicCallStatic,
  retainForwardedDropped,
  retainLiveDropped,
  retainLiveFirst,
  retainLiveWithoutTarget,
  branchOperandsNotExtended,
  condBranchNoNegation,
  condBranchFirstDuplicateWins,
  condBranchMergeSwapped,
  condBranchMergeOnlyOnce,
  returnNotGuaranteed,
  returnConstantSelectSkipped,
  returnCloneUnconditional,
  returnOperandsExtended,
  yieldOperandsNotExtended,
  selectOperandsSwapped,
  selectModelIgnored,
  cloneNotCandidate,
  joinOwnBlock,
  noOperandOwned,
  baseBufferSkipped,
  unrankedNotCast,
  signatureNotUpdated,
  backEdgeIgnored,
  freeEffectAccepted,
  unknownEffectsAccepted,
  staleResultNotRenamed,
};

#ifdef MEMREF_LENS_SEEDED_FAULTS
/// Name of the fault as MEMREF_LENS_FAULT gives it.
const char *nameOf(Fault fault);
/// Whether this process runs with the fault.
bool isSeeded(Fault fault);
#else
constexpr bool isSeeded(Fault) { return false; }
#endif

} // namespace memreflens

#endif // MEMREFLENS_PIPELINE_RECORD_FAULTS_H
