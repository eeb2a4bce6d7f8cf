//===- core/check/Rules.cpp -----------------------------------------------===//

#include "core/check/Rules.h"
#include "core/upstream/Release.h"

namespace memreflens {

using enum RuleGroup;
using trace::RejectionCause;
using trace::Severity;

static constexpr Rule rules[] = {
    {ruleIds::unknownEffects, rejected, Severity::error,
     "The memory effects of an op are unknown"},
    {ruleIds::regionWithoutInterface, rejected, Severity::error,
     "Nothing says how control enters and leaves an op's regions"},
    {ruleIds::terminator, rejected, Severity::error,
     "A terminator that the pass cannot handle"},
    {ruleIds::multipleSuccessors, rejected, Severity::error,
     "A branch to more than one block that is not cf.cond_br"},
    {ruleIds::branchLoop, rejected, Severity::error,
     "A loop made of branches between blocks"},
    {ruleIds::existingDealloc, rejected, Severity::error,
     "The input has a bufferization.dealloc already"},
    {ruleIds::freeInInput, rejected, Severity::error,
     "The input deallocates memory by itself"},
    {ruleIds::noUniqueOwnership, rejected, Severity::error,
     "A value is forwarded to a block that has it as a live-in, too"},
    {ruleIds::returnTypesDiffer, rejected, Severity::error,
     "Returns that no longer agree after the pass"},
    {ruleIds::inParallelNotEmpty, rejected, Severity::error,
     "An scf.forall with results that is not bufferized"},
    {ruleIds::reduceMemref, rejected, Severity::error,
     "A reduction over memrefs"},
    {ruleIds::thirdParty, rejected, Severity::error,
     "Another dialect's deallocation interface rejects its op"},
    {ruleIds::invalidIr, rejected, Severity::error,
     "The pass makes IR that the verifier rejects"},
    {ruleIds::stageFailed, rejected, Severity::error,
     "A stage of the pipeline fails"},
    {ruleIds::stageCrashed, rejected, Severity::error,
     "A stage of the pipeline dies or does not end"},
    {ruleIds::libraryFunction, rejected, Severity::error,
     "A dealloc needs dealloc_helper where none can be made"},
    {ruleIds::upstreamReadsFreed, rejected, Severity::warning,
     "MLIR up to " MEMREF_LENS_UPSTREAM_RELEASE
     " reads freed memory on this function"},
    {ruleIds::notProcessed, rejected, Severity::warning,
     "The pipeline never looks at this function"},
    {ruleIds::unreachableAllocation, rejected, Severity::note,
     "An allocation in a block that is never reached"},
    {ruleIds::tensorLeft, rejected, Severity::warning,
     "The program is not bufferized: it still has tensors"},
    {ruleIds::branchingExplodes, rejected, Severity::warning,
     "So many ways through the blocks that MLIR's loop check takes long"},
    {ruleIds::clone, cost, Severity::warning, "A buffer is cloned",
     &Measure::clones, &Measure::clonesAt, EditorGroup::clones},
    {ruleIds::runTimeCheck, cost, Severity::note,
     "A run-time alias check before a dealloc", &Measure::runTimeChecks,
     &Measure::checksAt, EditorGroup::checks},
    {ruleIds::deallocHelper, cost, Severity::warning,
     "A dealloc that calls dealloc_helper", &Measure::helperCalls,
     &Measure::helpersAt, EditorGroup::checks},
    {ruleIds::ownershipResults, cost, Severity::note,
     "A hot function returns ownership besides its buffers",
     &Measure::ownershipResults},
    {ruleIds::lateFree, cost, Severity::note,
     "A buffer is held while others are allocated after its last use",
     &Measure::lateFrees},
    {ruleIds::allocInLoop, cost, Severity::note,
     "A buffer is allocated in each iteration of a loop",
     &Measure::loopAllocations, &Measure::loopAllocationsAt},
    {ruleIds::largeDealloc, cost, Severity::note,
     "So many buffers in one dealloc that its simplification takes long",
     &Measure::largestDealloc},
    {ruleIds::distinctObjects, cost, Severity::warning,
     "memref.distinct_objects hides from the pass where a buffer comes from"},
    {ruleIds::openOwnership, cost, Severity::note,
     "Nothing says who owns what an external function returns"},
    {ruleIds::constantWritten, cost, Severity::warning,
     "A constant is copied so that it can be written", &Measure::copies,
     &Measure::copiesAt},
    {ruleIds::notWritable, cost, Severity::note,
     "A tensor that must not be written is copied", &Measure::copies,
     &Measure::copiesAt},
    {ruleIds::readAfterWrite, cost, Severity::note,
     "A tensor is copied because it is read after a write", &Measure::copies,
     &Measure::copiesAt},
    {ruleIds::writtenBack, cost, Severity::note,
     "A value is computed apart and copied to its place", &Measure::copies,
     &Measure::copiesAt},
    {ruleIds::layoutCopy, cost, Severity::warning,
     "A tensor is copied because of its layout", &Measure::copies,
     &Measure::copiesAt},
    {ruleIds::copyPerIteration, cost, Severity::warning,
     "A tensor is copied in each iteration of a loop", &Measure::copies,
     &Measure::copiesAt},
    {ruleIds::calleeMayWrite, cost, Severity::note,
     "A tensor is copied because a function that is called may write it",
     &Measure::copies, &Measure::copiesAt},
    {ruleIds::falseConflict, cost, Severity::warning,
     "A tensor is copied though no buffer of its own is read after the write",
     &Measure::copies, &Measure::copiesAt},
    {ruleIds::disjointParts, cost, Severity::warning,
     "A tensor is copied though the parts that are written and read do not "
     "overlap",
     &Measure::copies, &Measure::copiesAt},
    {ruleIds::emptyForEachOp, cost, Severity::note,
     "Ops get a tensor.empty each, and with it a buffer each",
     &Measure::allocations},
    {ruleIds::partKeepsBuffer, cost, Severity::note,
     "A part of a buffer is returned, and the whole buffer stays"},
    {ruleIds::madeDense, cost, Severity::warning,
     "A sparse tensor becomes a dense buffer"},
    {ruleIds::overBudget, cost, Severity::error, "More than the budget allows"},
    {ruleIds::lostWrite, unsound, Severity::error,
     "A clone does not see a write to the buffer that it stands for",
     &Measure::lostWrites},
    {ruleIds::leak, unsound, Severity::error, "Memory is never deallocated"},
    {ruleIds::doubleFree, unsound, Severity::error,
     "Memory is deallocated twice"},
    {ruleIds::useAfterFree, unsound, Severity::error,
     "Memory is used after it was deallocated"},
    {ruleIds::freeNotOwned, unsound, Severity::error,
     "Memory is deallocated that the function does not own"},
    {ruleIds::constantOverwritten, unsound, Severity::error,
     "A constant is written", &Measure::overwrites},
    {ruleIds::returnsFreed, unsound, Severity::error,
     "Memory is returned that was deallocated"},
    {ruleIds::returnsNotOwned, unsound, Severity::error,
     "A function returns memory that it does not own"},
    {ruleIds::resultsAlias, unsound, Severity::note,
     "Two results are the same memory"},
    {ruleIds::escapesFreed, unsound, Severity::error,
     "Memory is deallocated that others can still reach"},
    {ruleIds::wrongOwnershipResult, unsound, Severity::error,
     "An ownership indicator that a function returns is wrong"},
    {ruleIds::allocatorMismatch, unsound, Severity::warning,
     "Memory is deallocated by another allocator than the one that made it"},
    {ruleIds::asyncCapture, unsound, Severity::warning,
     "Memory may be deallocated while an asynchronous op still uses it"},
    {ruleIds::parallelHoist, unsound, Severity::warning,
     "buffer-loop-hoisting would make threads share this buffer"},
    {ruleIds::argumentOverwritten, unsound, Severity::error,
     "MLIR " MEMREF_LENS_UPSTREAM_RELEASE
     " overwrites an argument that is read later",
     &Measure::overwrites},
    {ruleIds::resultsShareBuffer, unsound, Severity::error,
     "MLIR " MEMREF_LENS_UPSTREAM_RELEASE
     " overwrites a result of a call that shares its buffer with another",
     &Measure::overwrites},
    {ruleIds::loopSharesBuffer, unsound, Severity::error,
     "MLIR " MEMREF_LENS_UPSTREAM_RELEASE
     " overwrites a tensor that a loop carries in the buffer of another",
     &Measure::overwrites},
    {ruleIds::sharedByThreads, unsound, Severity::error,
     "Threads that run at the same time write one buffer"},
    {ruleIds::accessContradicted, unsound, Severity::error,
     "A function does more with its argument than `bufferization.access` "
     "says"},
};

std::span<const Rule> allRules() { return rules; }

const Rule *findRule(std::string_view id) {
  for (const Rule &rule : rules)
    if (rule.id == id)
      return &rule;
  return nullptr;
}

RuleId ruleOf(RejectionCause cause) {
  switch (cause) {
  case RejectionCause::loopInControlFlow:
    return ruleIds::branchLoop;
  case RejectionCause::existingDealloc:
    return ruleIds::existingDealloc;
  case RejectionCause::unknownEffects:
    return ruleIds::unknownEffects;
  case RejectionCause::regionWithoutInterface:
    return ruleIds::regionWithoutInterface;
  case RejectionCause::noTerminatorTrait:
  case RejectionCause::terminatorInterface:
  case RejectionCause::producedOperands:
    return ruleIds::terminator;
  case RejectionCause::multipleSuccessorsWithMemref:
  case RejectionCause::multipleSuccessors:
    return ruleIds::multipleSuccessors;
  case RejectionCause::freeEffect:
    return ruleIds::freeInInput;
  case RejectionCause::noUniqueOwnership:
    return ruleIds::noUniqueOwnership;
  case RejectionCause::returnTypesDiffer:
    return ruleIds::returnTypesDiffer;
  case RejectionCause::inParallelNotEmpty:
    return ruleIds::inParallelNotEmpty;
  case RejectionCause::reduceReturnMemref:
    return ruleIds::reduceMemref;
  case RejectionCause::interfaceProcess:
    return ruleIds::thirdParty;
  case RejectionCause::invalidIr:
    return ruleIds::invalidIr;
  case RejectionCause::stageFailed:
    return ruleIds::stageFailed;
  case RejectionCause::stageCrashed:
  case RejectionCause::stageTimedOut:
    return ruleIds::stageCrashed;
  case RejectionCause::libraryFunction:
    return ruleIds::libraryFunction;
  }
  return ruleIds::stageFailed;
}

std::string pageOf(const Rule &rule) {
  return "docs/rules/" + std::string(rule.id) + ".md";
}

std::string_view nameOf(RuleGroup group) {
  switch (group) {
  case rejected:
    return "rejected";
  case cost:
    return "cost";
  case unsound:
    return "unsound";
  }
  return {};
}

/// What the group of rejections was called up to 0.1: accepted, deprecated.
static constexpr std::string_view formerName = "refused";

static bool names(std::string_view word, RuleGroup group) {
  return word == nameOf(group) || (group == rejected && word == formerName);
}

bool isFormerName(std::string_view word) {
  return word == formerName ||
         (word.starts_with('-') && word.substr(1) == formerName);
}

bool isWanted(const Rule &rule, std::span<const std::string> wanted) {
  bool takesAny = false, taken = false;
  for (std::string_view word : wanted) {
    bool leavesOut = word.starts_with('-');
    if (leavesOut)
      word.remove_prefix(1);
    takesAny |= !leavesOut;
    if (word != rule.id && !names(word, rule.group))
      continue;
    if (leavesOut)
      return false;
    taken = true;
  }
  return taken || !takesAny;
}

std::string unknownRule(std::span<const std::string> wanted) {
  for (const std::string &entry : wanted) {
    std::string_view word = entry;
    if (word.starts_with('-'))
      word.remove_prefix(1);
    if (!findRule(word) && !names(word, rejected) && !names(word, cost) &&
        !names(word, unsound))
      return entry;
  }
  return {};
}

} // namespace memreflens
