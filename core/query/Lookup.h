//===- core/query/Lookup.h ------------------------------------------------===//
//
// The trace, indexed for the writer of sentences.
//
// Adds to the trace's index what sentences need: which dealloc gives an i1, who
// passes one into a block, and names and positions as they are written: `%a`,
// `^bb1`, `12:5`. Ids out of range are "nothing known", never an error.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_QUERY_LOOKUP_H
#define MEMREFLENS_QUERY_LOOKUP_H

#include "core/query/Fate.h"
#include "core/query/Index.h"
#include "core/query/PassBlocks.h"
#include "core/text/LineIndex.h"

#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace memreflens {

/// A dealloc (its event) and the position of one of its results.
struct DeallocSlot {
  trace::Id event = trace::none;
  size_t position = 0;
};

/// One way on which an i1 comes to a block argument or to a result of an op
/// with regions.
struct IndicatorSource {
  enum class Way : uint8_t {
    branch,    ///< on an edge
    entry,     ///< from the op's operands into a region
    noRegion,  ///< from the op's operands to its results: no region is entered
    yieldedOn, ///< from a region's terminator
  };
  Way way = Way::branch;
  /// The signature event that hands it on, which names the i1, the memref and
  /// the op.
  trace::Id event = trace::none;
};

struct IndicatorSources {
  std::vector<IndicatorSource> all;
  /// Whether there is no other; false where the flow of an op is not known.
  bool isComplete = true;
};

/// What a lowered dealloc deallocates and compares: there may be thousands, and
/// each of them asks.
struct LoweredMemrefs {
  /// Those that it deallocates, in its order; not a helper's own lists.
  std::vector<trace::Id> freed;
  /// Where each is in `freed`, and how many different ones are before it.
  struct Position {
    size_t index = 0, distinct = 0;
  };
  std::unordered_map<trace::Id, Position> positions;
  /// Those that they are compared with.
  std::vector<trace::Id> others;
  /// The events that say why these are retained.
  std::vector<trace::Id> retains;
  /// Whether the simplification asked about memrefs for this very op.
  bool hasQuestions = false;
};

/// What the simplification found out or could not answer about a buffer.
struct AboutBuffer {
  trace::Id rewrite = trace::none;
  const trace::AliasFact *fact = nullptr;
};

/// Keeps a reference: the trace must outlive it.
class Lookup {
public:
  using Ids = std::vector<trace::Id>;

  /// Whether names are told with their places. Without them words are equal
  /// where only lines moved.
  enum class Places : bool { told, notTold };

  explicit Lookup(const trace::Trace &trace, Places places = Places::told);
  const trace::Trace &getTrace() const { return trace; }
  const trace::Index &getIndex() const { return index; }
  /// Of the source's text.
  const LineIndex &getLines() const { return lines; }

  //===--- Elements; null where the id names none ---===//
  const trace::Value *value(trace::Id id) const;
  const trace::Op *op(trace::Id id) const;
  const trace::Block *block(trace::Id id) const;
  const trace::Event *event(trace::Id id) const;
  const trace::Function *function(trace::Id id) const;
  /// The function that a call names, also where a stage made the call anew.
  const trace::Function *calleeOf(const trace::Op &call) const;

  const trace::PassBlocks &getPassBlocks() const { return passBlocks; }

  //===--- Events, in the order in which they happened ---===//
  std::span<const trace::Id> eventsOfValue(trace::Id value) const {
    return index.eventsOfValue(value);
  }
  std::span<const trace::Id> eventsOfBlock(trace::Id block) const {
    return index.eventsOfBlock(block);
  }
  std::span<const trace::Id> eventsOfOp(trace::Id op) const {
    return index.eventsOfOp(op);
  }
  std::span<const trace::Id> eventsOfFunction(trace::Id function) const {
    return index.eventsOfFunction(function);
  }
  const trace::LivenessEvent *livenessOf(trace::Id block) const;
  /// All memrefs of a function, generated ones included.
  const Ids &memrefsOf(trace::Id function) const;

  //===--- Deallocs ---===//
  /// The event of the copy that this value is; null if it is none.
  const trace::Event *copyEventOf(trace::Id copy) const;
  /// Whether a copy is made in some runs only.
  bool isConditional(const trace::CloneEvent &copy) const;
  /// Whether its code is there, but what it copies is always owned.
  bool isNeverMade(const trace::CloneEvent &copy) const;
  /// The dealloc that gives this i1, if one does.
  std::optional<DeallocSlot> deallocGiving(trace::Id indicator) const;
  const Ids &retainsOf(trace::Id deallocEvent) const;
  /// What made a dealloc, by its number; null if that is not recorded.
  const trace::Event *deallocEvent(trace::Id deallocNumber) const;
  /// Rewrites and lowerings of a dealloc, by its number.
  const Ids &rewritesOf(trace::Id deallocNumber) const;
  const Ids &loweringsOf(trace::Id deallocNumber) const;
  /// Of an event that is a lowering.
  const LoweredMemrefs &loweredBy(const trace::Event &lowering) const;
  /// Whether the buffer is one of the lists that a dealloc_helper call works
  /// on.
  bool isListOfHelper(const trace::Event &lowering, trace::Id buffer) const;
  /// In the order of the rewrites.
  const std::vector<AboutBuffer> &factsAbout(trace::Id buffer) const;
  /// Whether a stage after the ownership pass took the op out again.
  bool isErased(trace::Id op) const { return erased.contains(op); }
  /// Whether the op is in the program that the placement pass gets: no stage
  /// before it took the op out, nor does a later one make it.
  bool reachesPass(trace::Id op) const;
  /// Whether a later stage took all the code of this free out again, since it
  /// is never reached.
  bool isRemoved(const trace::Freed &freed) const;

  //===--- Ownership i1s ---===//
  /// The event that made the i1 an argument or result; `none` if none did.
  trace::Id signatureOf(trace::Id indicator) const;
  /// Events that pass an i1 to the block argument that this event made.
  const Ids &branchesInto(trace::Id signature) const;
  /// All that may flow into the i1 that this event made.
  IndicatorSources sourcesOf(trace::Id signature) const;
  /// Whether the i1 follows from the recorded facts to be true (1) or false
  /// (0) on every path, loops included, with what the simplification knows; -1
  /// where only run time can tell.
  int constantOf(trace::Id indicator) const;
  /// What a later stage put in the place of a dealloc's result, if that is a
  /// constant: 0 or 1; -1 if it is none.
  int provedConstant(trace::Id indicator) const;
  /// On an edge, the part of a dealloc's condition that is not "it is taken".
  trace::Id withoutEdge(trace::Id condition, int32_t edge) const;
  /// What the simplification found out about two buffers, in either order.
  trace::SameAllocation sameAllocation(trace::Id first, trace::Id second) const;
  /// Whether it is known to be the same buffer as one of `others`.
  bool isSurelyAmong(trace::Id memref,
                     const trace::List<trace::Id> &others) const;
  /// The user's (or a copied) buffer of which this is the base or a ranked
  /// form.
  trace::Id bufferOf(trace::Id value) const;
  /// What the pass saw in the place of the user's memref, where a stage before
  /// it made the op or the loop anew (a loop with other arguments, an
  /// allocation with its sizes known, a realloc expanded); else the value
  /// itself.
  trace::Id heirOf(trace::Id value) const;
  /// The user's memref whose heir this is; `none` if it is no heir.
  trace::Id ancestorOf(trace::Id value) const;
  /// The program's memrefs in whose place the stages before the pass put this
  /// one: another name of what it is.
  const Ids &namesBefore(trace::Id value) const;
  /// Whether a stage moved the allocation to the stack.
  bool isPromoted(trace::Id value) const;

  //===--- As written in sentences ---===//
  std::string name(trace::Id value) const;
  std::string blockName(trace::Id block) const;
  /// The user's block where the end of a block that the pass saw is.
  std::string endName(trace::Id block) const;
  /// The terminator of the user's block, or the brace that stands for it.
  trace::Range rangeOfBlockEnd(trace::Id block) const;
  /// The same of the block that `endName` names.
  trace::Range rangeOfEnd(trace::Id block) const;
  std::string opName(trace::Id op) const;
  /// "scf.for (3:8)".
  std::string opAt(trace::Id op) const {
    return opName(op) + at(rangeOfOp(op));
  }
  /// "12:5"; empty where the range is.
  std::string position(trace::Range range) const;
  /// " (12:5)" or nothing, to put behind a name.
  std::string at(trace::Range range) const;
  /// Where an op, or the user's op that a generated one was made for, is.
  trace::Range rangeOfOp(trace::Id op) const;
  /// The value's own place, or that of the one that it stands for.
  trace::Range rangeOfValue(trace::Id value) const;

private:
  size_t edgesInto(trace::Id block) const;
  Ids blocksOf(trace::Id op, size_t region) const;
  trace::Id regionOpOf(const trace::Block &entry) const;
  size_t rankAmong(std::span<const trace::Id> events,
                   const trace::Event &signature) const;
  bool addPassed(std::span<const trace::Id> events, trace::SignaturePart part,
                 size_t rank, IndicatorSource::Way way,
                 IndicatorSources &sources) const;
  void addRegionSources(trace::Id op, size_t into, size_t rank,
                        IndicatorSources &sources) const;

  bool wasSeen(trace::Id value) const;
  trace::Id heirAmongMade(const trace::Value &memref) const;
  trace::Id heirAmongMade(const trace::Op &oldOp, std::string_view name) const;
  void addHeirs();
  void addEvent(const trace::Event &event);
  void noteDealloc(trace::Id event, const trace::DeallocEvent &detail);
  void addProved(const trace::RewriteEvent &detail);
  void addRewrite(const trace::Event &event, const trace::RewriteEvent &detail);
  void addSignature(const trace::Event &event,
                    const trace::SignatureEvent &detail);

  const trace::Trace &trace;
  const Places places;
  const int placementStage;
  LineIndex lines;
  /// Answers of `constantOf`, `loweredBy` and `factsAbout`.
  mutable std::map<trace::Id, int> constants;
  mutable std::map<trace::Id, LoweredMemrefs> lowered;
  /// Of deallocs, by number: the ops of their rewrites.
  mutable std::map<trace::Id, std::unordered_set<trace::Id>> rewrittenOps;
  mutable std::optional<std::unordered_map<trace::Id, std::vector<AboutBuffer>>>
      factsByBuffer;
  trace::Index index;
  trace::PassBlocks passBlocks;
  std::map<trace::Id, Ids> memrefs;
  /// By the op around them.
  std::map<trace::Id, Ids> nested;
  std::set<trace::Id> erased, erasedBefore, madeBefore;
  std::map<trace::Id, trace::Id> liveness;
  std::map<trace::Id, DeallocSlot> giving;
  /// Results of deallocs that a later stage found to be constant.
  std::map<trace::Id, int> proved;
  /// Deallocs of which a result is only a part of what the program sees.
  std::set<trace::Id> disjoined;
  std::map<trace::Id, Ids> retains, rewrites, lowerings, replaced;
  std::map<trace::Id, trace::Id> signatures, memrefOfBase, heirs, ancestors,
      deallocs;
  /// By block and by which of the i1s appended to it: the first, the second...
  std::map<std::pair<trace::Id, int32_t>, Ids> branches;
  std::map<trace::Id, int32_t> ranks;
  std::map<std::pair<trace::Id, trace::Id>, trace::SameAllocation> answers;
  /// Of the answers that are yes.
  std::map<trace::Id, Ids> sameAs;
  /// Edges into each block, as the pass saw them.
  std::map<trace::Id, size_t> edges;
  /// i1s counted so far, per block and per edge.
  std::map<trace::Id, int32_t> taken;
  std::map<std::pair<trace::Id, int32_t>, int32_t> passed;
};

} // namespace memreflens

#endif // MEMREFLENS_QUERY_LOOKUP_H
