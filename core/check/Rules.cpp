//===- core/check/Rules.cpp -----------------------------------------------===//

#include "core/check/Rules.h"
#include "core/upstream/Release.h"

namespace memreflens {

using enum RuleGroup;
using trace::RejectionCause;
using trace::Severity;

static constexpr Rule rules[] = {
    {"unknown-effects", rejected, Severity::error,
     "The memory effects of an op are unknown"},
    {"region-without-interface", rejected, Severity::error,
     "Nothing says how control enters and leaves an op's regions"},
    {"terminator", rejected, Severity::error,
     "A terminator that the pass cannot handle"},
    {"multiple-successors", rejected, Severity::error,
     "A branch to more than one block that is not cf.cond_br"},
    {"branch-loop", rejected, Severity::error,
     "A loop made of branches between blocks"},
    {"existing-dealloc", rejected, Severity::error,
     "The input has a bufferization.dealloc already"},
    {"free-in-input", rejected, Severity::error,
     "The input deallocates memory by itself"},
    {"no-unique-ownership", rejected, Severity::error,
     "A value is forwarded to a block that has it as a live-in, too"},
    {"return-types-differ", rejected, Severity::error,
     "Returns that no longer agree after the pass"},
    {"in-parallel-not-empty", rejected, Severity::error,
     "An scf.forall with results that is not bufferized"},
    {"reduce-memref", rejected, Severity::error, "A reduction over memrefs"},
    {"third-party", rejected, Severity::error,
     "Another dialect's deallocation interface rejects its op"},
    {"invalid-ir", rejected, Severity::error,
     "The pass makes IR that the verifier rejects"},
    {"stage-failed", rejected, Severity::error,
     "A stage of the pipeline fails"},
    {"stage-crashed", rejected, Severity::error,
     "A stage of the pipeline dies or does not end"},
    {"library-function", rejected, Severity::error,
     "A dealloc needs dealloc_helper where none can be made"},
    {"upstream-reads-freed", rejected, Severity::warning,
     "MLIR up to " MEMREF_LENS_UPSTREAM_RELEASE
     " reads freed memory on this function"},
    {"not-processed", rejected, Severity::warning,
     "The pipeline never looks at this function"},
    {"unreachable-allocation", rejected, Severity::note,
     "An allocation in a block that is never reached"},
    {"tensor-left", rejected, Severity::warning,
     "The program is not bufferized: it still has tensors"},
    {"branching-explodes", rejected, Severity::warning,
     "So many ways through the blocks that MLIR's loop check takes long"},
    {"clone", cost, Severity::warning, "A buffer is cloned"},
    {"run-time-check", cost, Severity::note,
     "A run-time alias check before a dealloc"},
    {"dealloc-helper", cost, Severity::warning,
     "A dealloc that calls dealloc_helper"},
    {"ownership-results", cost, Severity::note,
     "A hot function returns ownership besides its buffers"},
    {"late-free", cost, Severity::note,
     "A buffer is held while others are allocated after its last use"},
    {"large-dealloc", cost, Severity::note,
     "So many buffers in one dealloc that its simplification takes long"},
    {"distinct-objects", cost, Severity::warning,
     "memref.distinct_objects hides from the pass where a buffer comes from"},
    {"open-ownership", cost, Severity::note,
     "Nothing says who owns what an external function returns"},
    {"over-budget", cost, Severity::error, "More than the budget allows"},
    {"lost-write", unsound, Severity::error,
     "A clone does not see a write to the buffer that it stands for"},
    {"leak", unsound, Severity::error, "Memory is never deallocated"},
    {"double-free", unsound, Severity::error, "Memory is deallocated twice"},
    {"use-after-free", unsound, Severity::error,
     "Memory is used after it was deallocated"},
    {"free-not-owned", unsound, Severity::error,
     "Memory is deallocated that the function does not own"},
    {"returns-freed", unsound, Severity::error,
     "Memory is returned that was deallocated"},
    {"returns-not-owned", unsound, Severity::error,
     "A function returns memory that it does not own"},
    {"results-alias", unsound, Severity::note,
     "Two results are the same memory"},
    {"escapes-freed", unsound, Severity::error,
     "Memory is deallocated that others can still reach"},
    {"wrong-ownership-result", unsound, Severity::error,
     "An ownership indicator that a function returns is wrong"},
    {"allocator-mismatch", unsound, Severity::warning,
     "Memory is deallocated by another allocator than the one that made it"},
    {"async-capture", unsound, Severity::warning,
     "Memory may be deallocated while an asynchronous op still uses it"},
    {"parallel-hoist", unsound, Severity::warning,
     "buffer-loop-hoisting would make threads share this buffer"},
};

std::span<const Rule> allRules() { return rules; }

const Rule *findRule(std::string_view id) {
  for (const Rule &rule : rules)
    if (rule.id == id)
      return &rule;
  return nullptr;
}

std::string_view ruleOf(RejectionCause cause) {
  switch (cause) {
  case RejectionCause::loopInControlFlow:
    return "branch-loop";
  case RejectionCause::existingDealloc:
    return "existing-dealloc";
  case RejectionCause::unknownEffects:
    return "unknown-effects";
  case RejectionCause::regionWithoutInterface:
    return "region-without-interface";
  case RejectionCause::noTerminatorTrait:
  case RejectionCause::terminatorInterface:
  case RejectionCause::producedOperands:
    return "terminator";
  case RejectionCause::multipleSuccessorsWithMemref:
  case RejectionCause::multipleSuccessors:
    return "multiple-successors";
  case RejectionCause::freeEffect:
    return "free-in-input";
  case RejectionCause::noUniqueOwnership:
    return "no-unique-ownership";
  case RejectionCause::returnTypesDiffer:
    return "return-types-differ";
  case RejectionCause::inParallelNotEmpty:
    return "in-parallel-not-empty";
  case RejectionCause::reduceReturnMemref:
    return "reduce-memref";
  case RejectionCause::interfaceProcess:
    return "third-party";
  case RejectionCause::invalidIr:
    return "invalid-ir";
  case RejectionCause::stageFailed:
    return "stage-failed";
  case RejectionCause::stageCrashed:
  case RejectionCause::stageTimedOut:
    return "stage-crashed";
  case RejectionCause::libraryFunction:
    return "library-function";
  }
  return "stage-failed";
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
