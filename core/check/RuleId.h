//===- core/check/RuleId.h - the rules' ids, each once --------------------===//
//
// A rule is named by one of these, so that no id can be mistyped.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_CHECK_RULEID_H
#define MEMREFLENS_CHECK_RULEID_H

#include <string>
#include <string_view>

namespace memreflens {

/// The id of a rule, as users write it; only those below can be made.
class RuleId {
public:
  constexpr std::string_view text() const { return id; }
  operator std::string() const { return std::string(id); }
  constexpr operator std::string_view() const { return id; }
  friend constexpr bool operator==(std::string_view text, RuleId rule) {
    return text == rule.id;
  }

private:
  explicit constexpr RuleId(std::string_view id) : id(id) {}
  friend struct ruleIds;
  std::string_view id;
};

struct ruleIds {
  static constexpr RuleId unknownEffects{"unknown-effects"};
  static constexpr RuleId regionWithoutInterface{"region-without-interface"};
  static constexpr RuleId terminator{"terminator"};
  static constexpr RuleId multipleSuccessors{"multiple-successors"};
  static constexpr RuleId branchLoop{"branch-loop"};
  static constexpr RuleId existingDealloc{"existing-dealloc"};
  static constexpr RuleId freeInInput{"free-in-input"};
  static constexpr RuleId noUniqueOwnership{"no-unique-ownership"};
  static constexpr RuleId returnTypesDiffer{"return-types-differ"};
  static constexpr RuleId inParallelNotEmpty{"in-parallel-not-empty"};
  static constexpr RuleId reduceMemref{"reduce-memref"};
  static constexpr RuleId thirdParty{"third-party"};
  static constexpr RuleId invalidIr{"invalid-ir"};
  static constexpr RuleId stageFailed{"stage-failed"};
  static constexpr RuleId stageCrashed{"stage-crashed"};
  static constexpr RuleId libraryFunction{"library-function"};
  static constexpr RuleId upstreamReadsFreed{"upstream-reads-freed"};
  static constexpr RuleId notProcessed{"not-processed"};
  static constexpr RuleId unreachableAllocation{"unreachable-allocation"};
  static constexpr RuleId tensorLeft{"tensor-left"};
  static constexpr RuleId branchingExplodes{"branching-explodes"};
  static constexpr RuleId clone{"clone"};
  static constexpr RuleId runTimeCheck{"run-time-check"};
  static constexpr RuleId deallocHelper{"dealloc-helper"};
  static constexpr RuleId ownershipResults{"ownership-results"};
  static constexpr RuleId lateFree{"late-free"};
  static constexpr RuleId allocInLoop{"alloc-in-loop"};
  static constexpr RuleId largeDealloc{"large-dealloc"};
  static constexpr RuleId distinctObjects{"distinct-objects"};
  static constexpr RuleId openOwnership{"open-ownership"};
  static constexpr RuleId constantWritten{"constant-written"};
  static constexpr RuleId notWritable{"not-writable"};
  static constexpr RuleId readAfterWrite{"read-after-write"};
  static constexpr RuleId writtenBack{"written-back"};
  static constexpr RuleId layoutCopy{"layout-copy"};
  static constexpr RuleId copyPerIteration{"copy-per-iteration"};
  static constexpr RuleId calleeMayWrite{"callee-may-write"};
  static constexpr RuleId falseConflict{"false-conflict"};
  static constexpr RuleId disjointParts{"disjoint-parts"};
  static constexpr RuleId partKeepsBuffer{"part-keeps-buffer"};
  static constexpr RuleId madeDense{"made-dense"};
  static constexpr RuleId overBudget{"over-budget"};
  static constexpr RuleId lostWrite{"lost-write"};
  static constexpr RuleId leak{"leak"};
  static constexpr RuleId doubleFree{"double-free"};
  static constexpr RuleId useAfterFree{"use-after-free"};
  static constexpr RuleId freeNotOwned{"free-not-owned"};
  static constexpr RuleId constantOverwritten{"constant-overwritten"};
  static constexpr RuleId returnsFreed{"returns-freed"};
  static constexpr RuleId returnsNotOwned{"returns-not-owned"};
  static constexpr RuleId resultsAlias{"results-alias"};
  static constexpr RuleId escapesFreed{"escapes-freed"};
  static constexpr RuleId wrongOwnershipResult{"wrong-ownership-result"};
  static constexpr RuleId allocatorMismatch{"allocator-mismatch"};
  static constexpr RuleId asyncCapture{"async-capture"};
  static constexpr RuleId parallelHoist{"parallel-hoist"};
  static constexpr RuleId emptyForEachOp{"empty-for-each-op"};
  static constexpr RuleId argumentOverwritten{"argument-overwritten"};
  static constexpr RuleId resultsShareBuffer{"results-share-buffer"};
  static constexpr RuleId loopSharesBuffer{"loop-shares-buffer"};
  static constexpr RuleId sharedByThreads{"shared-by-threads"};
  static constexpr RuleId accessContradicted{"access-contradicted"};
};

} // namespace memreflens

#endif // MEMREFLENS_CHECK_RULEID_H
