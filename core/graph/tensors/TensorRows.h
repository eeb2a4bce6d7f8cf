//===- core/graph/tensors/TensorRows.h - a row for each op ----------------===//

#ifndef MEMREFLENS_GRAPH_TENSORS_TENSORROWS_H
#define MEMREFLENS_GRAPH_TENSORS_TENSORROWS_H

#include "core/graph/tensors/TensorSources.h"

namespace memreflens::graph {

/// Rows and frames of the function, in program order; no columns yet.
void addRows(const TensorFlows &flows, const TensorSources &sources,
             TensorFlow &flow);

/// Leaves rows out until no more than these are left, and says so.
void foldRows(const TensorFlows &flows, size_t mostRows, TensorFlow &flow);

/// Gives each buffer that the rows use a column and a number.
void addColumns(const TensorSources &sources, TensorFlow &flow);

/// The reasons of what is out of place, and rings around what they are about.
void addArrows(const TensorFlows &flows, TensorFlow &flow);

} // namespace memreflens::graph

#endif // MEMREFLENS_GRAPH_TENSORS_TENSORROWS_H
