//===- core/graph/tensors/TensorSvg.h - tensors and buffers, drawn --------===//
//
// One row an op, one column a buffer. A thick line joins a tensor to the one
// that takes its buffer, a dashed one with bytes goes where it is copied, and a
// red arrow from the write to the read that forces the copy.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_GRAPH_TENSORS_TENSORSVG_H
#define MEMREFLENS_GRAPH_TENSORS_TENSORSVG_H

#include "core/graph/Theme.h"
#include "core/graph/tensors/TensorFlow.h"

namespace memreflens::graph {

/// An SVG document of its own. Rows have the class `tensor-row` and `data-op`,
/// chips `data-value`, uses `data-op`, `data-operand` and `data-link`.
std::string tensorSvg(const TensorFlow &flow, ThemeName theme);

/// "read", "copy": the link as it stands in `data-link`.
std::string_view nameOf(TensorLink link);

} // namespace memreflens::graph

#endif // MEMREFLENS_GRAPH_TENSORS_TENSORSVG_H
