//===- core/graph/LineDiff.h - which lines two texts share ----------------===//

#ifndef MEMREFLENS_GRAPH_LINEDIFF_H
#define MEMREFLENS_GRAPH_LINEDIFF_H

#include <string_view>
#include <vector>

namespace memreflens::graph {

/// Which lines of each text have no partner in the other.
struct LineDiff {
  std::vector<bool> removed; ///< by line of the first text
  std::vector<bool> added;   ///< by line of the second text
};

/// A smallest set of changed lines (Myers' algorithm). Past `limit` changes the
/// rest is matched by equal lines in order, which may mark more than needed.
LineDiff diffLines(const std::vector<std::string_view> &first,
                   const std::vector<std::string_view> &second,
                   size_t limit = 2000);

} // namespace memreflens::graph

#endif // MEMREFLENS_GRAPH_LINEDIFF_H
