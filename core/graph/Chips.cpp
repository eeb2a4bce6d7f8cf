//===- core/graph/Chips.cpp -----------------------------------------------===//

#include "core/graph/Chips.h"
#include "core/text/Escape.h"

#include "core/explain/DecisionText.h"
#include "core/graph/LineText.h"

#include <algorithm>

namespace memreflens::graph {

Chip makeChip(Meaning meaning, Id value, const std::string &text, Id event,
              size_t maxText) {
  Chip made;
  made.meaning = meaning;
  made.value = value;
  made.event = event;
  std::string_view sign = signOf(meaning);
  std::string whole = visibleText(text);
  std::string fitting = shortened(whole, maxText);
  made.text = sign.empty() ? fitting : std::string(sign) + " " + fitting;
  if (event == none)
    made.tooltip = whole;
  return made;
}

std::string wordsOf(const ChipFacts &facts) {
  std::string words = facts.name;
  if (!facts.condition.empty())
    words += " if " + facts.condition;
  if (facts.isByHelper)
    words += facts.others.empty() ? " by dealloc_helper"
                                  : " if dealloc_helper finds no alias";
  else
    for (size_t i = 0; i < facts.others.size(); ++i)
      words += (i == 0 ? " unless it is " : " or ") + facts.others[i];
  if (!facts.edge.empty())
    words += " on edge to " + facts.edge;
  return words;
}

Chip makeChip(Meaning meaning, Id value, ChipFacts facts, Id event,
              size_t maxText) {
  Chip made = makeChip(meaning, value, wordsOf(facts), event, maxText);
  made.facts = std::move(facts);
  return made;
}

void limitRow(const Lookup &lookup, Row &row, const ChipLimits &limits) {
  if (row.chips.size() > limits.maxChips) {
    constexpr size_t namesInTooltip = 40;
    size_t first = limits.maxChips - 1, more = row.chips.size() - first;
    Chip rest;
    rest.text = "+ " + std::to_string(more) + " more";
    size_t told = std::min(more, namesInTooltip);
    for (size_t i = first; i < first + told; ++i)
      rest.tooltip += (i == first ? "" : ", ") + row.chips[i].text;
    if (more > told)
      rest.tooltip += " and " + std::to_string(more - told) + " more";
    row.chips.resize(first);
    row.chips.push_back(std::move(rest));
  }
  for (Chip &chip : row.chips)
    if (limits.hasSentences && chip.event != none && chip.tooltip.empty())
      chip.tooltip = visibleText(explainEvent(lookup, chip.event).sentence);
}

} // namespace memreflens::graph
