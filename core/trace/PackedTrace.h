//===- core/trace/PackedTrace.h - a trace that is never all in memory -----===//
//
// The batches of a file, each packed as soon as it is done, and the trace that
// they are together, of which records are made as they are asked for.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_TRACE_PACKEDTRACE_H
#define MEMREFLENS_TRACE_PACKEDTRACE_H

#include "core/trace/JoinPlan.h"

#include <array>
#include <functional>

namespace memreflens::trace {

/// One batch.
class PackedBatch {
public:
  PackedBatch() = default;
  explicit PackedBatch(BatchTrace batch);

  /// Those of a kind that came with a stage; see `JoinPlan::rangeOf`.
  template <class T> std::vector<T> records(size_t stage) const;
  BatchOutline takeOutline() { return std::move(outline); }

private:
  using Stages = std::vector<std::string>;
  template <class T> static constexpr size_t listOf();
  template <class T>
  void pack(const std::vector<T> &records, Id StageStart::*start);

  BatchOutline outline;
  /// By kind of record, then by stage.
  std::array<Stages, 5> packed;
};

class PackedTrace {
public:
  /// Nothing where the batches do not fit together.
  static std::optional<PackedTrace> of(std::vector<PackedBatch> batches,
                                       Source source, const Workers &workers);

  /// The trace without its records.
  const Trace &getHead() const { return plan.head; }

  /// Some records of a kind that follow each other.
  struct Piece {
    size_t batch = 0, stage = 0;
    /// Those that stand behind all batches of the stage.
    bool isBehind = false;
  };
  /// All, in the order of ids. Some have no records.
  template <class T> std::vector<Piece> pieces() const;
  /// Of one, in the order of ids. From any thread.
  template <class T> std::vector<T> records(const Piece &piece) const;

private:
  PackedTrace(std::vector<PackedBatch> batches, JoinPlan plan)
      : batches(std::move(batches)), plan(std::move(plan)) {}

  std::vector<PackedBatch> batches;
  JoinPlan plan;
};

} // namespace memreflens::trace

#endif // MEMREFLENS_TRACE_PACKEDTRACE_H
