//===- core/trace/Origin.h - where an ownership indicator comes from ------===//
//
// Follows an i1 back through deallocs, selects, block arguments and region
// results to the constants, call results and conditions that it was made of.
//
//   for (const OriginStep &step : indicatorOrigin(index, i1))
//     ...  // step.indicator is step.kind, made of step.from
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_TRACE_ORIGIN_H
#define MEMREFLENS_TRACE_ORIGIN_H

#include "core/trace/Query.h"

namespace memreflens::trace {

enum class OriginKind : uint8_t {
  constant,      ///< known at compile time; `Value::constant` says which
  condition,     ///< an i1 of the user's program
  deallocResult, ///< what a dealloc says about a value that it retained
  blockArgument, ///< handed over on the edges into the block
  regionResult,  ///< result of an op with regions
  callResult,    ///< said by a private callee
  merged,        ///< select over what two deallocs say
  selected,      ///< select over the ownerships of a select's operands
  edgeCondition, ///< an ownership, and that this edge is taken
  rewritten,     ///< put in another's place by a later stage
  unknown        ///< made by a third party's op
};

/// One i1 on the way.
struct OriginStep {
  Id indicator = none;
  OriginKind kind = OriginKind::unknown;
  /// Event that made it; `none` for the user's own values.
  Id event = none;
  /// Memref for which it stands; `none` if for none.
  Id memref = none;
  /// i1s that it may depend on; each has a step of its own. Of an op with
  /// regions: all that may flow in, whichever way is taken.
  std::vector<Id> from;
};

/// `indicator` first, then what it depends on, breadth first; each i1 once.
std::vector<OriginStep> indicatorOrigin(const Index &index, Id indicator);

} // namespace memreflens::trace

#endif // MEMREFLENS_TRACE_ORIGIN_H
