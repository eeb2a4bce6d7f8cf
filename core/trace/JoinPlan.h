//===- core/trace/JoinPlan.h - ids of a trace that is joined --------------===//
//
// Which number each record of each batch has in the whole. For that little has
// to be known of a record, so that the records need not be in memory.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_TRACE_JOINPLAN_H
#define MEMREFLENS_TRACE_JOINPLAN_H

#include "core/trace/Join.h"

#include <utility>

namespace memreflens::trace {

/// What joining has to know of a batch.
struct BatchOutline {
  /// Its trace without records.
  Trace head;
  std::vector<StageStart> starts;
  Id endOfDeallocs = 0;
  size_t opsBefore = 0, opsOwn = 0;

  /// An op or a function, by where it begins in the text.
  struct Placed {
    Id op = none;
    uint32_t begin = 0;
  };
  /// The ops of the module, and all functions.
  std::vector<Placed> topLevel, functions;
  Range body;
  size_t blocks = 0, ops = 0, values = 0, events = 0;
  /// Of a function that a stage added to the module.
  std::vector<bool> apartBlocks, apartOps, apartValues, apartEvents;
  /// By event: it ends a stage.
  std::vector<bool> stageEnds;
  /// The module is its first op.
  bool isModule = false;

  BatchPart part() const { return {opsBefore, opsOwn, topLevel.size()}; }
};

/// Takes all of the batch but its records.
BatchOutline outlineOf(BatchTrace &batch);

class JoinPlan {
public:
  /// Nothing where the batches do not fit together.
  static std::optional<JoinPlan> of(std::vector<BatchOutline> batches,
                                    Source source, const Workers &workers);

  /// The whole without its records.
  Trace head;

  size_t batchCount() const { return batches.size(); }
  /// Of the lists that grow by stage; what was read is before the first.
  size_t stageCount() const { return batches.front().starts.size() + 1; }
  /// Number of records of a kind.
  template <class T> size_t countOf() const;
  /// Ids of the batch's records of a kind that came with a stage.
  template <class T>
  std::pair<size_t, size_t> rangeOf(size_t batch, size_t stage) const;
  /// Stands at the end of its stage, behind those of all batches.
  template <class T> bool isBehind(size_t batch, size_t id) const;
  /// Makes the record one of the whole; false if the whole has none such. From
  /// any thread.
  template <class T> bool place(size_t batch, size_t id, T &record) const;

private:
  /// New ids of one batch's records, by old ones; `none` for what is left out.
  struct NewIds {
    std::vector<Id> functions, blocks, ops, values, events, deallocs;
  };
  class Renumberer;

  bool fitsTogether() const;
  bool joinStages(const Workers &workers);
  void findBorrowed();
  void numberFunctions();
  void number(const Workers &workers);
  template <class Take>
  void numberStage(size_t stage, Id StageStart::*start, Id &next, Take take);
  void resolveBorrowed();
  void joinModule();
  std::pair<Id, Id> rangeOf(size_t batch, size_t stage,
                            Id StageStart::*start) const;
  template <class T> static std::vector<Id> NewIds::*tableFor();
  template <class T> static Id StageStart::*startFor();

  std::vector<BatchOutline> batches;
  std::vector<NewIds> ids;
  /// By batch: top-level ops that another one answers for.
  std::vector<std::vector<Id>> borrowed;
  /// The first batch that has what a stage added: it answers for that.
  size_t addedBy = SIZE_MAX;
  /// Of the whole module.
  std::vector<Id> topLevel;
  Range body;
};

} // namespace memreflens::trace

#endif // MEMREFLENS_TRACE_JOINPLAN_H
