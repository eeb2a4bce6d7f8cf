//===- core/trace/PlacementNames.cpp - enumerators as words ---------------===//

#include "core/trace/Names.h"

namespace memreflens::trace {

std::string_view nameOf(AliasLink name) {
  switch (name) {
  case AliasLink::view:
    return "view";
  case AliasLink::select:
    return "select";
  case AliasLink::branch:
    return "branch";
  case AliasLink::regionEntry:
    return "regionEntry";
  case AliasLink::regionExit:
    return "regionExit";
  }
  return {};
}

std::string_view nameOf(CriticalReason name) {
  switch (name) {
  case CriticalReason::notDominated:
    return "notDominated";
  case CriticalReason::backEdge:
    return "backEdge";
  }
  return {};
}

std::string_view nameOf(MoveOutcome name) {
  switch (name) {
  case MoveOutcome::notHoistable:
    return "notHoistable";
  case MoveOutcome::operand:
    return "operand";
  case MoveOutcome::usesBelow:
    return "usesBelow";
  case MoveOutcome::unknownRegion:
    return "unknownRegion";
  case MoveOutcome::loop:
    return "loop";
  case MoveOutcome::noLoop:
    return "noLoop";
  case MoveOutcome::parallelLoop:
    return "parallelLoop";
  case MoveOutcome::usedOutsideLoop:
    return "usedOutsideLoop";
  case MoveOutcome::promoted:
    return "promoted";
  case MoveOutcome::otherOp:
    return "otherOp";
  case MoveOutcome::tooLarge:
    return "tooLarge";
  case MoveOutcome::dynamicShape:
    return "dynamicShape";
  case MoveOutcome::freed:
    return "freed";
  case MoveOutcome::leavesScope:
    return "leavesScope";
  case MoveOutcome::inLoop:
    return "inLoop";
  case MoveOutcome::inUnknownRegion:
    return "inUnknownRegion";
  case MoveOutcome::unknownSize:
    return "unknownSize";
  case MoveOutcome::movedUp:
    return "movedUp";
  case MoveOutcome::movedDown:
    return "movedDown";
  case MoveOutcome::inPlace:
    return "inPlace";
  case MoveOutcome::noUse:
    return "noUse";
  case MoveOutcome::usedElsewhere:
    return "usedElsewhere";
  case MoveOutcome::notFreed:
    return "notFreed";
  case MoveOutcome::freedThroughAlias:
    return "freedThroughAlias";
  case MoveOutcome::freedSeveralTimes:
    return "freedSeveralTimes";
  case MoveOutcome::freedElsewhere:
    return "freedElsewhere";
  case MoveOutcome::severalAllocations:
    return "severalAllocations";
  case MoveOutcome::spoiled:
    return "spoiled";
  case MoveOutcome::dropped:
    return "dropped";
  case MoveOutcome::publicFunction:
    return "publicFunction";
  case MoveOutcome::external:
    return "external";
  case MoveOutcome::noReturn:
    return "noReturn";
  case MoveOutcome::notArgument:
    return "notArgument";
  case MoveOutcome::differingArguments:
    return "differingArguments";
  case MoveOutcome::nextTime:
    return "nextTime";
  case MoveOutcome::becameArgument:
    return "becameArgument";
  case MoveOutcome::notMemref:
    return "notMemref";
  case MoveOutcome::unsupportedLayout:
    return "unsupportedLayout";
  case MoveOutcome::besideUnsupported:
    return "besideUnsupported";
  case MoveOutcome::callUnknownSize:
    return "callUnknownSize";
  }
  return {};
}

std::string_view nameOf(PlacementWarning name) {
  switch (name) {
  case PlacementWarning::sharedByIterations:
    return "sharedByIterations";
  case PlacementWarning::sharedThroughMemory:
    return "sharedThroughMemory";
  case PlacementWarning::freedEachIteration:
    return "freedEachIteration";
  case PlacementWarning::allocatedUnused:
    return "allocatedUnused";
  case PlacementWarning::leaked:
    return "leaked";
  case PlacementWarning::higherPeak:
    return "higherPeak";
  case PlacementWarning::stackInRecursion:
    return "stackInRecursion";
  case PlacementWarning::stackEscapes:
    return "stackEscapes";
  case PlacementWarning::usedAfterFree:
    return "usedAfterFree";
  case PlacementWarning::freedBeforeAwait:
    return "freedBeforeAwait";
  case PlacementWarning::contentsLost:
    return "contentsLost";
  case PlacementWarning::otherSize:
    return "otherSize";
  case PlacementWarning::copyOfArgument:
    return "copyOfArgument";
  case PlacementWarning::alignmentLost:
    return "alignmentLost";
  case PlacementWarning::copyOntoItself:
    return "copyOntoItself";
  case PlacementWarning::upstreamCrashes:
    return "upstreamCrashes";
  case PlacementWarning::moreConditionalFrees:
    return "moreConditionalFrees";
  }
  return {};
}

std::string_view nameOf(LocalAlias name) {
  switch (name) {
  case LocalAlias::noAlias:
    return "noAlias";
  case LocalAlias::mayAlias:
    return "mayAlias";
  case LocalAlias::partialAlias:
    return "partialAlias";
  case LocalAlias::mustAlias:
    return "mustAlias";
  }
  return {};
}

std::string_view nameOf(SourceKind name) {
  switch (name) {
  case SourceKind::allocation:
    return "allocation";
  case SourceKind::global:
    return "global";
  case SourceKind::argument:
    return "argument";
  case SourceKind::distinct:
    return "distinct";
  case SourceKind::unknown:
    return "unknown";
  }
  return {};
}

std::string_view nameOf(Separation name) {
  switch (name) {
  case Separation::none:
    return "none";
  case Separation::allocations:
    return "allocations";
  case Separation::allocationOrOlder:
    return "allocationOrOlder";
  case Separation::globals:
    return "globals";
  case Separation::distinctObjects:
    return "distinctObjects";
  }
  return {};
}

std::string_view nameOf(StatedFact name) {
  switch (name) {
  case StatedFact::scopes:
    return "scopes";
  case StatedFact::distinctObjects:
    return "distinctObjects";
  case StatedFact::noneAre:
    return "noneAre";
  }
  return {};
}

} // namespace memreflens::trace
