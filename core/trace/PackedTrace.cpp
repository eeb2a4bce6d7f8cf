//===- core/trace/PackedTrace.cpp -----------------------------------------===//

#include "core/trace/PackedTrace.h"
#include "core/trace/Pack.h"

namespace memreflens::trace {

template <class T> constexpr size_t PackedBatch::listOf() {
  if constexpr (std::is_same_v<T, Function>)
    return 0;
  else if constexpr (std::is_same_v<T, Block>)
    return 1;
  else if constexpr (std::is_same_v<T, Op>)
    return 2;
  else if constexpr (std::is_same_v<T, Value>)
    return 3;
  else
    return 4;
}

template <class T>
void PackedBatch::pack(const std::vector<T> &records, Id StageStart::*start) {
  Stages &stages = packed[listOf<T>()];
  const std::span all(records);
  size_t from = 0;
  auto add = [&](size_t to) {
    stages.push_back(trace::pack<T>(all.subspan(from, to - from)));
    from = to;
  };
  if (start)
    for (const StageStart &stage : outline.starts)
      add(size_t(stage.*start));
  add(records.size());
}

PackedBatch::PackedBatch(BatchTrace batch) : outline(outlineOf(batch)) {
  const Trace &trace = batch.trace;
  pack(trace.functions, nullptr);
  pack(trace.blocks, &StageStart::block);
  pack(trace.ops, &StageStart::op);
  pack(trace.values, &StageStart::value);
  pack(trace.events, &StageStart::event);
}

template <class T> std::vector<T> PackedBatch::records(size_t stage) const {
  const Stages &stages = packed[listOf<T>()];
  return stage < stages.size() ? unpack<T>(stages[stage]) : std::vector<T>();
}

std::optional<PackedTrace> PackedTrace::of(std::vector<PackedBatch> batches,
                                           Source source,
                                           const Workers &workers) {
  std::vector<BatchOutline> outlines;
  for (PackedBatch &batch : batches)
    outlines.push_back(batch.takeOutline());
  std::optional<JoinPlan> plan =
      JoinPlan::of(std::move(outlines), std::move(source), workers);
  if (!plan)
    return std::nullopt;
  return PackedTrace(std::move(batches), std::move(*plan));
}

template <class T> std::vector<PackedTrace::Piece> PackedTrace::pieces() const {
  std::vector<Piece> all;
  const size_t stages = std::is_same_v<T, Function> ? 1 : plan.stageCount();
  for (size_t stage = 0; stage < stages; ++stage)
    for (const bool isBehind : {false, true})
      for (size_t batch = 0; batch < batches.size(); ++batch) {
        const auto [from, to] = plan.rangeOf<T>(batch, stage);
        bool has = false;
        for (size_t id = from; id < to && !has; ++id)
          has = plan.isBehind<T>(batch, id) == isBehind;
        if (has)
          all.push_back({batch, stage, isBehind});
      }
  return all;
}

template <class T>
std::vector<T> PackedTrace::records(const Piece &piece) const {
  std::vector<T> found = batches[piece.batch].records<T>(piece.stage);
  const size_t from = plan.rangeOf<T>(piece.batch, piece.stage).first;
  size_t kept = 0;
  for (size_t i = 0; i < found.size(); ++i)
    if (plan.isBehind<T>(piece.batch, from + i) == piece.isBehind &&
        plan.place(piece.batch, from + i, found[i])) {
      if (kept != i)
        found[kept] = std::move(found[i]);
      ++kept;
    }
  found.resize(kept);
  return found;
}

#define MEMREFLENS_PIECES(T)                                                   \
  template std::vector<PackedTrace::Piece> PackedTrace::pieces<T>() const;     \
  template std::vector<T> PackedTrace::records<T>(const Piece &) const;
MEMREFLENS_PIECES(Function)
MEMREFLENS_PIECES(Block)
MEMREFLENS_PIECES(Op)
MEMREFLENS_PIECES(Value)
MEMREFLENS_PIECES(Event)
#undef MEMREFLENS_PIECES

} // namespace memreflens::trace
