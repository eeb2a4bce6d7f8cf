//===- core/graph/LifetimesSvg.h - the chart of lifetimes -----------------===//

#ifndef MEMREFLENS_GRAPH_LIFETIMESSVG_H
#define MEMREFLENS_GRAPH_LIFETIMESSVG_H

#include "core/graph/Theme.h"
#include "core/query/Lifetimes.h"

namespace memreflens::graph {

/// The chart as an SVG document of its own; rows have the class `lifetime` and
/// `data-value`. At most `limit` rows, with a line that says how many more.
std::string lifetimesSvg(const Lookup &lookup, const Lifetimes &lifetimes,
                         ThemeName theme, size_t limit = 400);

} // namespace memreflens::graph

#endif // MEMREFLENS_GRAPH_LIFETIMESSVG_H
