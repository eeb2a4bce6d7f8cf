//===- core/trace/Names.cpp - enumerators as words ------------------------===//
//
// A switch per enumeration: the compiler rejects one that misses an enumerator.
// Past the last enumerator the name is empty.
//
//===----------------------------------------------------------------------===//

#include "core/trace/Names.h"

#include <array>

namespace memreflens::trace {

std::string_view nameOf(Severity name) {
  switch (name) {
  case Severity::note:
    return "note";
  case Severity::remark:
    return "remark";
  case Severity::warning:
    return "warning";
  case Severity::error:
    return "error";
  }
  return {};
}

std::string_view nameOf(ValueKind name) {
  switch (name) {
  case ValueKind::result:
    return "result";
  case ValueKind::argument:
    return "argument";
  }
  return {};
}

std::string_view nameOf(FunctionStatus name) {
  switch (name) {
  case FunctionStatus::traced:
    return "traced";
  case FunctionStatus::declaration:
    return "declaration";
  case FunctionStatus::notProcessed:
    return "notProcessed";
  case FunctionStatus::rejected:
    return "rejected";
  case FunctionStatus::crashedStage:
    return "crashedStage";
  case FunctionStatus::skipped:
    return "skipped";
  }
  return {};
}

std::string_view nameOf(OwnershipState name) {
  switch (name) {
  case OwnershipState::uninitialized:
    return "uninitialized";
  case OwnershipState::unique:
    return "unique";
  case OwnershipState::unknown:
    return "unknown";
  }
  return {};
}

std::string_view nameOf(OwnershipRule name) {
  switch (name) {
  case OwnershipRule::allocation:
    return "allocation";
  case OwnershipRule::stackAllocation:
    return "stackAllocation";
  case OwnershipRule::manualDeallocation:
    return "manualDeallocation";
  case OwnershipRule::entryArgument:
    return "entryArgument";
  case OwnershipRule::blockArgument:
    return "blockArgument";
  case OwnershipRule::liveInSameRegion:
    return "liveInSameRegion";
  case OwnershipRule::liveInAncestor:
    return "liveInAncestor";
  case OwnershipRule::regionResult:
    return "regionResult";
  case OwnershipRule::callResult:
    return "callResult";
  case OwnershipRule::callResultDynamic:
    return "callResultDynamic";
  case OwnershipRule::defaultJoin:
    return "defaultJoin";
  case OwnershipRule::defaultNoOperand:
    return "defaultNoOperand";
  case OwnershipRule::retainedResult:
    return "retainedResult";
  case OwnershipRule::mergedAtCondBranch:
    return "mergedAtCondBranch";
  case OwnershipRule::cloned:
    return "cloned";
  case OwnershipRule::selectMaterialized:
    return "selectMaterialized";
  case OwnershipRule::conditionalClone:
    return "conditionalClone";
  case OwnershipRule::interfaceProcess:
    return "interfaceProcess";
  case OwnershipRule::interfaceMaterialize:
    return "interfaceMaterialize";
  case OwnershipRule::distinctObject:
    return "distinctObject";
  }
  return {};
}

std::string_view nameOf(CandidateSource name) {
  switch (name) {
  case CandidateSource::liveIn:
    return "liveIn";
  case CandidateSource::blockArgument:
    return "blockArgument";
  case CandidateSource::entryArgument:
    return "entryArgument";
  case CandidateSource::allocation:
    return "allocation";
  case CandidateSource::callResult:
    return "callResult";
  case CandidateSource::regionResult:
    return "regionResult";
  case CandidateSource::clone:
    return "clone";
  case CandidateSource::materialized:
    return "materialized";
  case CandidateSource::interfaceProcess:
    return "interfaceProcess";
  }
  return {};
}

std::string_view nameOf(DropReason name) {
  switch (name) {
  case DropReason::notDropped:
    return "notDropped";
  case DropReason::stackAllocation:
    return "stackAllocation";
  case DropReason::manualDeallocation:
    return "manualDeallocation";
  case DropReason::ancestorRegion:
    return "ancestorRegion";
  case DropReason::view:
    return "view";
  case DropReason::interfaceProcess:
    return "interfaceProcess";
  }
  return {};
}

std::string_view nameOf(RetainReason name) {
  switch (name) {
  case RetainReason::forwardedOperand:
    return "forwardedOperand";
  case RetainReason::liveAcrossEdge:
    return "liveAcrossEdge";
  case RetainReason::returned:
    return "returned";
  case RetainReason::yielded:
    return "yielded";
  }
  return {};
}

std::string_view nameOf(CloneDemand name) {
  switch (name) {
  case CloneDemand::functionReturn:
    return "functionReturn";
  }
  return {};
}

std::string_view nameOf(SignaturePart name) {
  switch (name) {
  case SignaturePart::blockArgument:
    return "blockArgument";
  case SignaturePart::branchOperand:
    return "branchOperand";
  case SignaturePart::terminatorOperand:
    return "terminatorOperand";
  case SignaturePart::regionOpOperand:
    return "regionOpOperand";
  case SignaturePart::regionOpResult:
    return "regionOpResult";
  case SignaturePart::callResult:
    return "callResult";
  case SignaturePart::functionResult:
    return "functionResult";
  }
  return {};
}

std::string_view nameOf(RejectionCause name) {
  switch (name) {
  case RejectionCause::loopInControlFlow:
    return "loopInControlFlow";
  case RejectionCause::existingDealloc:
    return "existingDealloc";
  case RejectionCause::unknownEffects:
    return "unknownEffects";
  case RejectionCause::regionWithoutInterface:
    return "regionWithoutInterface";
  case RejectionCause::noTerminatorTrait:
    return "noTerminatorTrait";
  case RejectionCause::terminatorInterface:
    return "terminatorInterface";
  case RejectionCause::multipleSuccessorsWithMemref:
    return "multipleSuccessorsWithMemref";
  case RejectionCause::multipleSuccessors:
    return "multipleSuccessors";
  case RejectionCause::producedOperands:
    return "producedOperands";
  case RejectionCause::freeEffect:
    return "freeEffect";
  case RejectionCause::noUniqueOwnership:
    return "noUniqueOwnership";
  case RejectionCause::returnTypesDiffer:
    return "returnTypesDiffer";
  case RejectionCause::inParallelNotEmpty:
    return "inParallelNotEmpty";
  case RejectionCause::reduceReturnMemref:
    return "reduceReturnMemref";
  case RejectionCause::interfaceProcess:
    return "interfaceProcess";
  case RejectionCause::invalidIr:
    return "invalidIr";
  case RejectionCause::stageFailed:
    return "stageFailed";
  case RejectionCause::stageCrashed:
    return "stageCrashed";
  case RejectionCause::stageTimedOut:
    return "stageTimedOut";
  case RejectionCause::libraryFunction:
    return "libraryFunction";
  }
  return {};
}

std::string_view nameOf(SameAllocation name) {
  switch (name) {
  case SameAllocation::unknown:
    return "unknown";
  case SameAllocation::yes:
    return "yes";
  case SameAllocation::no:
    return "no";
  }
  return {};
}

std::string_view nameOf(AliasRule name) {
  switch (name) {
  case AliasRule::sameBase:
    return "sameBase";
  case AliasRule::sameSingleTerminal:
    return "sameSingleTerminal";
  case AliasRule::disjointAllocations:
    return "disjointAllocations";
  case AliasRule::argumentOutlives:
    return "argumentOutlives";
  case AliasRule::overlappingTerminals:
    return "overlappingTerminals";
  case AliasRule::notAllAllocations:
    return "notAllAllocations";
  case AliasRule::distinctObjects:
    return "distinctObjects";
  }
  return {};
}

std::string_view nameOf(RewriteKind name) {
  switch (name) {
  case RewriteKind::pattern:
    return "pattern";
  case RewriteKind::fold:
    return "fold";
  case RewriteKind::erased:
    return "erased";
  case RewriteKind::difference:
    return "difference";
  }
  return {};
}

std::string_view nameOf(LoweringCase name) {
  switch (name) {
  case LoweringCase::none:
    return "none";
  case LoweringCase::single:
    return "single";
  case LoweringCase::singleRetained:
    return "singleRetained";
  case LoweringCase::libraryFunction:
    return "libraryFunction";
  }
  return {};
}

std::string_view nameOf(InterfaceCall name) {
  switch (name) {
  case InterfaceCall::process:
    return "process";
  case InterfaceCall::materialize:
    return "materialize";
  }
  return {};
}

std::string_view nameOf(UnregisteredOps name) {
  switch (name) {
  case UnregisteredOps::reject:
    return "reject";
  case UnregisteredOps::assumePure:
    return "assume-pure";
  case UnregisteredOps::assumeReads:
    return "assume-reads";
  }
  return {};
}

std::string_view nameOf(Agreement name) {
  switch (name) {
  case Agreement::notCompared:
    return "notCompared";
  case Agreement::identical:
    return "identical";
  case Agreement::different:
    return "different";
  case Agreement::taken:
    return "taken";
  case Agreement::notReached:
    return "notReached";
  }
  return {};
}

std::string_view nameOf(PeakGapKind name) {
  switch (name) {
  case PeakGapKind::unknownSize:
    return "unknownSize";
  case PeakGapKind::unknownCallee:
    return "unknownCallee";
  case PeakGapKind::recursion:
    return "recursion";
  case PeakGapKind::growth:
    return "growth";
  case PeakGapKind::concurrent:
    return "concurrent";
  case PeakGapKind::fault:
    return "fault";
  case PeakGapKind::notAllPaths:
    return "notAllPaths";
  }
  return {};
}

std::string_view nameOf(CostKind name) {
  switch (name) {
  case CostKind::allocation:
    return "allocation";
  case CostKind::stack:
    return "stack";
  case CostKind::clone:
    return "clone";
  case CostKind::copy:
    return "copy";
  case CostKind::check:
    return "check";
  case CostKind::helper:
    return "helper";
  case CostKind::list:
    return "list";
  case CostKind::call:
    return "call";
  }
  return {};
}

std::string_view nameOf(Escape name) {
  switch (name) {
  case Escape::none:
    return "none";
  case Escape::tensor:
    return "tensor";
  case Escape::address:
    return "address";
  case Escape::cast:
    return "cast";
  case Escape::stored:
    return "stored";
  case Escape::deferred:
    return "deferred";
  case Escape::result:
    return "result";
  }
  return {};
}

std::string_view kindOf(const Event &event) {
  return kindName(event.detail.index());
}

std::string_view kindName(size_t alternative) {
  static constexpr std::array names = {
      "stage",    "liveness", "ownership", "candidate", "retain",
      "dealloc",  "clone",    "signature", "rejection", "rewrite",
      "lowering", "alias",    "critical",  "copy",      "free",
      "move",     "warning",  "interface"};
  static_assert(names.size() == std::variant_size_v<decltype(Event::detail)>);
  return alternative < names.size() ? names[alternative] : std::string_view();
}

std::string grouped(uint64_t number) {
  std::string digits = std::to_string(number);
  for (int64_t at = int64_t(digits.size()) - 3; at > 0; at -= 3)
    digits.insert(size_t(at), ",");
  return digits;
}

} // namespace memreflens::trace
