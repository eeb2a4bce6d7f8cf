//===- core/query/Deallocs.h ----------------------------------------------===//
//
// The deallocs of the pass, by their numbers: what each gives, retains, becomes
// and is lowered to, and what the simplification found out for them.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_QUERY_DEALLOCS_H
#define MEMREFLENS_QUERY_DEALLOCS_H

#include "core/query/Ancestry.h"

#include <map>
#include <optional>
#include <set>
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

class Deallocs : public Ancestry {
public:
  Deallocs(const trace::Trace &trace, Places places);

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
  /// What a later stage put in the place of a dealloc's result, if that is a
  /// constant: 0 or 1; -1 if it is none.
  int provedConstant(trace::Id indicator) const;
  /// What the simplification found out about two buffers, in either order.
  trace::SameAllocation sameAllocation(trace::Id first, trace::Id second) const;
  /// Whether it is known to be the same buffer as one of `others`.
  bool isSurelyAmong(trace::Id memref,
                     const trace::List<trace::Id> &others) const;
  /// The user's (or a copied) buffer of which this is the base or a ranked
  /// form.
  trace::Id bufferOf(trace::Id value) const;

private:
  void noteDealloc(trace::Id event, const trace::DeallocEvent &detail);
  void addProved(const trace::RewriteEvent &detail);
  void addRewrite(const trace::Event &event, const trace::RewriteEvent &detail);

  /// Answers of `loweredBy` and `factsAbout`.
  mutable std::map<trace::Id, LoweredMemrefs> lowered;
  /// Of deallocs, by number: the ops of their rewrites.
  mutable std::map<trace::Id, std::unordered_set<trace::Id>> rewrittenOps;
  mutable std::optional<std::unordered_map<trace::Id, std::vector<AboutBuffer>>>
      factsByBuffer;
  std::map<trace::Id, DeallocSlot> giving;
  /// Results of deallocs that a later stage found to be constant.
  std::map<trace::Id, int> proved;
  /// Deallocs of which a result is only a part of what the program sees.
  std::set<trace::Id> disjoined;
  std::map<trace::Id, Ids> retains, rewrites, lowerings;
  std::map<trace::Id, trace::Id> memrefOfBase, deallocs;
  std::map<std::pair<trace::Id, trace::Id>, trace::SameAllocation> answers;
  /// Of the answers that are yes.
  std::map<trace::Id, Ids> sameAs;
};

} // namespace memreflens

#endif // MEMREFLENS_QUERY_DEALLOCS_H
