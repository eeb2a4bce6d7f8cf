//===- core/graph/Chips.h - making chips, and rows of them ----------------===//

#ifndef MEMREFLENS_GRAPH_CHIPS_H
#define MEMREFLENS_GRAPH_CHIPS_H

#include "core/graph/Picture.h"
#include "core/query/Lookup.h"

namespace memreflens::graph {

/// The event's detail, if it is of this kind.
template <class Detail> const Detail *as(const trace::Event *event) {
  return event ? std::get_if<Detail>(&event->detail) : nullptr;
}

/// How many chips a row has and what they tell.
struct ChipLimits {
  size_t maxChips = 12;
  size_t maxText = 60;
  /// Each chip of a decision has its sentence as tooltip.
  bool hasSentences = true;
};

/// With the meaning's sign, cut to what is shown; the whole text as tooltip, if
/// no event has a sentence for it.
Chip makeChip(Meaning meaning, Id value, const std::string &text, Id event,
              size_t maxText);

/// "%data if %own_data unless it is %out on edge to ^bb2".
std::string wordsOf(const ChipFacts &facts);

/// With those words.
Chip makeChip(Meaning meaning, Id value, ChipFacts facts, Id event,
              size_t maxText);

/// Cuts a row to what is shown. The sentences are the dear part, so only chips
/// that stay get theirs.
void limitRow(const Lookup &lookup, Row &row, const ChipLimits &limits);

} // namespace memreflens::graph

#endif // MEMREFLENS_GRAPH_CHIPS_H
