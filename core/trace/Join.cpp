//===- core/trace/Join.cpp ------------------------------------------------===//

#include "core/trace/JoinPlan.h"

namespace memreflens::trace {

/// Moves those that the whole has to their place there.
template <class T>
static void moveAll(const JoinPlan &plan, size_t batch, std::vector<T> &from,
                    std::vector<T> &into) {
  for (size_t i = 0; i < from.size(); ++i)
    if (plan.place(batch, i, from[i])) {
      const auto to = size_t(from[i].id);
      into[to] = std::move(from[i]);
    }
}

std::optional<Trace> joinTraces(std::vector<BatchTrace> batches, Source source,
                                const Workers &workers) {
  std::vector<BatchOutline> outlines(batches.size());
  workers(batches.size(),
          [&](size_t batch) { outlines[batch] = outlineOf(batches[batch]); });
  std::optional<JoinPlan> plan =
      JoinPlan::of(std::move(outlines), std::move(source), workers);
  if (!plan)
    return std::nullopt;
  Trace joined = std::move(plan->head);
  // Asked for a stage's changes.
  plan->head.chunks = joined.chunks;
  // Most of it is the first touch of so much memory.
  const std::function<void()> lists[] = {
      [&] { joined.ops.resize(plan->countOf<Op>()); },
      [&] { joined.events.resize(plan->countOf<Event>()); },
      [&] { joined.values.resize(plan->countOf<Value>()); },
      [&] { joined.blocks.resize(plan->countOf<Block>()); },
      [&] { joined.functions.resize(plan->countOf<Function>()); }};
  workers(std::size(lists), [&](size_t list) { lists[list](); });
  workers(batches.size(), [&](size_t batch) {
    Trace &from = batches[batch].trace;
    moveAll(*plan, batch, from.functions, joined.functions);
    moveAll(*plan, batch, from.blocks, joined.blocks);
    moveAll(*plan, batch, from.ops, joined.ops);
    moveAll(*plan, batch, from.values, joined.values);
    moveAll(*plan, batch, from.events, joined.events);
    from = {};
  });
  return joined;
}

} // namespace memreflens::trace
