//===- core/diff/Sequence.cpp ---------------------------------------------===//

#include "core/diff/Sequence.h"

#include <algorithm>
#include <map>
#include <optional>

namespace memreflens::diff {

namespace {

/// Half-open ranges of both lists.
struct Window {
  size_t beforeBegin, beforeEnd, afterBegin, afterEnd;
  size_t rows() const { return beforeEnd - beforeBegin; }
  size_t columns() const { return afterEnd - afterBegin; }
};

class Pairing {
public:
  Pairing(const std::vector<uint64_t> &before,
          const std::vector<uint64_t> &after,
          const std::function<uint32_t(size_t, size_t)> &score)
      : before(before), after(after), score(score) {}

  Pairs run() {
    pair({0, before.size(), 0, after.size()}, true);
    std::sort(pairs.begin(), pairs.end());
    return std::move(pairs);
  }

private:
  static constexpr size_t mostCells = 1'000'000;

  void pair(Window window, bool mayAnchor);
  void trim(Window &window);
  void tryAll(const Window &window);
  Pairs anchorsOf(const Window &window) const;

  const std::vector<uint64_t> &before, &after;
  const std::function<uint32_t(size_t, size_t)> &score;
  Pairs pairs;
};

} // namespace

/// What is equal at the ends belongs together.
void Pairing::trim(Window &window) {
  while (window.rows() && window.columns() &&
         before[window.beforeBegin] == after[window.afterBegin])
    pairs.emplace_back(window.beforeBegin++, window.afterBegin++);
  while (window.rows() && window.columns() &&
         before[window.beforeEnd - 1] == after[window.afterEnd - 1])
    pairs.emplace_back(--window.beforeEnd, --window.afterEnd);
}

void Pairing::pair(Window window, bool mayAnchor) {
  if (mayAnchor)
    trim(window);
  if (!window.rows() || !window.columns())
    return;
  if (window.rows() <= mostCells / window.columns())
    return tryAll(window);
  if (!mayAnchor)
    return;
  size_t fromBefore = window.beforeBegin, fromAfter = window.afterBegin;
  for (auto [i, j] : anchorsOf(window)) {
    pairs.emplace_back(i, j);
    pair({fromBefore, i, fromAfter, j}, false);
    fromBefore = i + 1;
    fromAfter = j + 1;
  }
  pair({fromBefore, window.beforeEnd, fromAfter, window.afterEnd}, false);
}

/// The best sum up to each pair of positions, from the end.
void Pairing::tryAll(const Window &window) {
  size_t rows = window.rows(), columns = window.columns();
  std::vector<uint32_t> best((rows + 1) * (columns + 1)),
      scores(rows * columns);
  auto at = [&](size_t i, size_t j) -> uint32_t & {
    return best[i * (columns + 1) + j];
  };
  for (size_t i = rows; i-- > 0;)
    for (size_t j = columns; j-- > 0;) {
      uint32_t &own = scores[i * columns + j];
      own = score(window.beforeBegin + i, window.afterBegin + j);
      at(i, j) = std::max(at(i + 1, j), at(i, j + 1));
      if (own)
        at(i, j) = std::max(at(i, j), own + at(i + 1, j + 1));
    }
  size_t i = 0, j = 0;
  while (i < rows && j < columns) {
    uint32_t own = scores[i * columns + j];
    if (own && at(i, j) == own + at(i + 1, j + 1)) {
      pairs.emplace_back(window.beforeBegin + i++, window.afterBegin + j++);
      continue;
    }
    if (at(i, j) == at(i + 1, j))
      ++i;
    else
      ++j;
  }
}

/// Keys that stand once in each list, as far as their order is the same: the
/// longest rising sequence.
Pairs Pairing::anchorsOf(const Window &window) const {
  struct Places {
    size_t before = 0, after = 0, beforeCount = 0, afterCount = 0;
  };
  std::map<uint64_t, Places> places;
  for (size_t i = window.beforeBegin; i < window.beforeEnd; ++i)
    places[before[i]].before = i, ++places[before[i]].beforeCount;
  for (size_t j = window.afterBegin; j < window.afterEnd; ++j)
    places[after[j]].after = j, ++places[after[j]].afterCount;
  Pairs unique;
  for (auto &[key, place] : places)
    if (place.beforeCount == 1 && place.afterCount == 1)
      unique.emplace_back(place.before, place.after);
  std::sort(unique.begin(), unique.end());
  std::vector<size_t> tails, previous(unique.size());
  auto endsBefore = [&](size_t entry, size_t j) {
    return unique[entry].second < j;
  };
  for (size_t i = 0; i < unique.size(); ++i) {
    auto spot = std::lower_bound(tails.begin(), tails.end(), unique[i].second,
                                 endsBefore);
    previous[i] = spot == tails.begin() ? i : *(spot - 1);
    if (spot == tails.end())
      tails.push_back(i);
    else
      *spot = i;
  }
  Pairs chain;
  std::optional<size_t> next;
  if (!tails.empty())
    next = tails.back();
  while (next) {
    chain.push_back(unique[*next]);
    next = previous[*next] == *next ? std::nullopt
                                    : std::optional(previous[*next]);
  }
  std::reverse(chain.begin(), chain.end());
  return chain;
}

Pairs pairInOrder(const std::vector<uint64_t> &before,
                  const std::vector<uint64_t> &after,
                  const std::function<uint32_t(size_t, size_t)> &score) {
  return Pairing(before, after, score).run();
}

} // namespace memreflens::diff
