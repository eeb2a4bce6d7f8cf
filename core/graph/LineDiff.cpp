//===- core/graph/LineDiff.cpp - which lines two texts share --------------===//
//
// E. Myers, "An O(ND) Difference Algorithm and Its Variations", 1986, the basic
// form: the furthest reaching path of each diagonal is kept for each number of
// changes, and the script is read backwards.
//
//===----------------------------------------------------------------------===//

#include "core/graph/LineDiff.h"

#include <algorithm>
#include <cstdint>
#include <unordered_map>

namespace memreflens::graph {

namespace {

using Lines = std::vector<std::string_view>;

/// Pairs of equal lines, each in order of both texts.
void matchInOrder(const Lines &first, const Lines &second, LineDiff &diff) {
  std::unordered_map<std::string_view, std::vector<size_t>> places;
  for (size_t i = 0; i < second.size(); ++i)
    places[second[i]].push_back(i);
  size_t next = 0;
  for (size_t i = 0; i < first.size(); ++i) {
    auto found = places.find(first[i]);
    if (found == places.end())
      continue;
    auto at =
        std::lower_bound(found->second.begin(), found->second.end(), next);
    if (at == found->second.end())
      continue;
    diff.removed[i] = false;
    diff.added[*at] = false;
    next = *at + 1;
  }
}

class Myers {
public:
  Myers(const Lines &first, const Lines &second)
      : first(first), second(second), n(int64_t(first.size())),
        m(int64_t(second.size())) {}

  /// False if it takes more than `limit` changes.
  bool run(int64_t limit, LineDiff &diff) {
    int64_t most = std::min(limit, n + m);
    std::vector<int64_t> reach(size_t(2 * most + 3), 0);
    for (int64_t d = 0; d <= most; ++d) {
      kept.emplace_back(reach.begin() + (most + 1 - d),
                        reach.begin() + (most + 2 + d));
      for (int64_t k = -d; k <= d; k += 2) {
        int64_t x = step(reach, most, k, d), y = x - k;
        while (x < n && y < m && first[size_t(x)] == second[size_t(y)])
          ++x, ++y;
        reach[size_t(most + 1 + k)] = x;
        if (x >= n && y >= m) {
          readBack(d, diff);
          return true;
        }
      }
    }
    return false;
  }

private:
  static int64_t step(const std::vector<int64_t> &reach, int64_t most,
                      int64_t k, int64_t d) {
    auto at = [&](int64_t diagonal) {
      return reach[size_t(most + 1 + diagonal)];
    };
    bool down = k == -d || (k != d && at(k - 1) < at(k + 1));
    return down ? at(k + 1) : at(k - 1) + 1;
  }

  /// `kept[d]` holds diagonals -d to d as they stood before round d.
  int64_t keptAt(int64_t d, int64_t k) const {
    const std::vector<int64_t> &row = kept[size_t(d)];
    int64_t index = k + d;
    return index < 0 || size_t(index) >= row.size() ? 0 : row[size_t(index)];
  }

  void readBack(int64_t d, LineDiff &diff) {
    int64_t x = n, y = m;
    for (; d > 0; --d) {
      int64_t k = x - y;
      bool down = k == -d || (k != d && keptAt(d, k - 1) < keptAt(d, k + 1));
      int64_t previous = down ? k + 1 : k - 1;
      int64_t fromX = keptAt(d, previous), fromY = fromX - previous;
      int64_t startX = down ? fromX : fromX + 1;
      for (; x > startX; --x, --y)
        match(x - 1, y - 1, diff);
      x = fromX;
      y = fromY;
    }
    for (; x > 0; --x, --y)
      match(x - 1, y - 1, diff);
  }

  static void match(int64_t x, int64_t y, LineDiff &diff) {
    diff.removed[size_t(x)] = false;
    diff.added[size_t(y)] = false;
  }

  const Lines &first, &second;
  int64_t n, m;
  std::vector<std::vector<int64_t>> kept;
};

} // namespace

LineDiff diffLines(const Lines &first, const Lines &second, size_t limit) {
  LineDiff diff{std::vector<bool>(first.size(), true),
                std::vector<bool>(second.size(), true)};
  size_t begin = 0, endFirst = first.size(), endSecond = second.size();
  for (; begin < endFirst && begin < endSecond && first[begin] == second[begin];
       ++begin)
    diff.removed[begin] = diff.added[begin] = false;
  for (; endFirst > begin && endSecond > begin &&
         first[endFirst - 1] == second[endSecond - 1];
       --endFirst, --endSecond)
    diff.removed[endFirst - 1] = diff.added[endSecond - 1] = false;
  Lines middleFirst(first.begin() + long(begin),
                    first.begin() + long(endFirst));
  Lines middleSecond(second.begin() + long(begin),
                     second.begin() + long(endSecond));
  LineDiff middle{std::vector<bool>(middleFirst.size(), true),
                  std::vector<bool>(middleSecond.size(), true)};
  if (!Myers(middleFirst, middleSecond).run(int64_t(limit), middle))
    matchInOrder(middleFirst, middleSecond, middle);
  std::copy(middle.removed.begin(), middle.removed.end(),
            diff.removed.begin() + long(begin));
  std::copy(middle.added.begin(), middle.added.end(),
            diff.added.begin() + long(begin));
  return diff;
}

} // namespace memreflens::graph
