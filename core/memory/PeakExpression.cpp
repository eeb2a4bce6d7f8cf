//===- core/memory/PeakExpression.cpp -------------------------------------===//

#include "core/memory/PeakExpression.h"

#include <algorithm>
#include <map>

namespace memreflens::memory {

using Terms = std::map<Factors, uint64_t>;

static Factors factorsOf(const trace::Amount &amount) {
  Factors factors;
  for (const trace::Symbol &symbol : amount.factors)
    factors.symbols.push_back({symbol.value, symbol.dimension});
  std::ranges::sort(factors.symbols);
  return factors;
}

/// Whether no sizes make `other` larger: each of its terms is in `one`, too.
static bool covers(const Terms &one, const Terms &other) {
  return std::ranges::all_of(other, [&](const auto &term) {
    auto known = one.find(term.first);
    return known != one.end() && known->second >= term.second;
  });
}

PeakExpression expressionOf(const std::vector<SymbolicSpan> &spans) {
  constexpr size_t mostSums = 3, mostTerms = 12, mostCompared = 64;
  std::map<uint32_t, std::vector<size_t>> begins, ends;
  for (size_t i = 0; i < spans.size(); ++i) {
    if (!spans[i].bytes.isKnown())
      return {};
    begins[spans[i].begin].push_back(i);
    ends[spans[i].end].push_back(i);
  }
  Terms live;
  std::vector<Terms> largest;
  auto ended = ends.begin();
  for (const auto &[step, begun] : begins) {
    // What ends at a step is alive there.
    for (; ended != ends.end() && ended->first < step; ++ended)
      for (size_t i : ended->second) {
        if (spans[i].bytes.number == 0)
          continue;
        auto term = live.find(factorsOf(spans[i].bytes));
        term->second -= uint64_t(spans[i].bytes.number);
        if (term->second == 0)
          live.erase(term);
      }
    for (size_t i : begun) {
      if (spans[i].bytes.number == 0)
        continue;
      uint64_t &sum = live[factorsOf(spans[i].bytes)];
      if (__builtin_add_overflow(sum, uint64_t(spans[i].bytes.number), &sum))
        return {};
    }
    if (live.size() > mostTerms)
      return {};
    if (std::ranges::any_of(
            largest, [&](const Terms &known) { return covers(known, live); }))
      continue;
    std::erase_if(largest,
                  [&](const Terms &known) { return covers(live, known); });
    largest.push_back(live);
    if (largest.size() > mostCompared)
      return {};
  }
  if (largest.size() > mostSums)
    return {};
  PeakExpression peak;
  for (const Terms &terms : largest) {
    CostSum &sum = peak.sums.emplace_back();
    for (const auto &[factors, number] : terms)
      sum.add(number, factors);
  }
  return peak;
}

} // namespace memreflens::memory
