//===- core/causes/Roots.h - recorded evidence, followed to its root ------===//
//
// From a decision of the pass to the facts of the program without which it
// would not have been made: through indicators, block arguments, calls and
// views.
//
//   RootFinder finder(lookup);
//   finder.addClone(event, clone);
//   finder.take().front()   // the argument that is returned
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_CAUSES_ROOTS_H
#define MEMREFLENS_CAUSES_ROOTS_H

#include "core/check/Cause.h"
#include "core/query/Lookup.h"

#include <set>
#include <vector>

namespace memreflens {

struct Root {
  CauseKind kind = CauseKind::other;
  /// Facts of one function with an equal `group` are one cause: the op or the
  /// block at which buffers meet; `none` for all of the kind.
  trace::Id group = trace::none;
  /// The value that the fact is about, and the op that makes or uses it.
  trace::Id value = trace::none, op = trace::none;
  /// Of an argument that is returned: by way of this op, which makes another
  /// view of it; `none` for itself.
  trace::Id view = trace::none;
  bool operator==(const Root &) const = default;
};

/// Follows evidence. Each `add` may find several roots, or
/// none.
class RootFinder {
public:
  explicit RootFinder(const Lookup &lookup) : lookup(lookup) {}

  /// Why what a function returns was not owned.
  void addClone(const trace::Event &event, const trace::CloneEvent &clone);
  /// Why the simplification could not tell a dealloc's buffers apart.
  void addUndecided(const trace::Event &lowered,
                    const trace::LoweringEvent &lowering);
  /// Why it is told at run time only whether a buffer that a lowered dealloc
  /// frees is owned.
  void addCondition(const trace::LoweringEvent &lowering, trace::Id freed);

  void add(Root root);

  /// What was found since the last call, the leading root first; in the same
  /// order in every run.
  std::vector<Root> take();

private:
  void addOrigin(trace::Id value, trace::Id view = trace::none);
  bool isCopy(trace::Id value);
  void addCall(const trace::Op &call, trace::Id result);
  void addRegionOp(trace::Id op, trace::Id value);
  void addArgument(const trace::Value &argument, trace::Id view);
  trace::Id viewMaking(trace::Id value) const;
  trace::Id viewBehind(trace::Id value) const;
  void addIndicator(trace::Id indicator);
  void addIndicatorOfDealloc(const DeallocSlot &slot);
  void addSources(trace::Id signature);

  const Lookup &lookup;
  std::set<trace::Id> seenValues, seenIndicators;
  std::vector<Root> found;
};

} // namespace memreflens

#endif // MEMREFLENS_CAUSES_ROOTS_H
