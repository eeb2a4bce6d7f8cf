//===- core/pipeline/ownership/BackEdges.h --------------------------------===//
//
// Loops in unstructured control flow.
//
// Finds the edge that closes a loop among the blocks of a region (or of a
// region nested in it). Linear in blocks and edges.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_PIPELINE_OWNERSHIP_BACKEDGES_H
#define MEMREFLENS_PIPELINE_OWNERSHIP_BACKEDGES_H

#include "mlir/IR/Block.h"
#include "mlir/IR/Operation.h"

#include <optional>

namespace memreflens {

struct BackEdge {
  mlir::Block *from = nullptr;
  mlir::Block *to = nullptr;
};

/// First back edge met by a depth-first walk from the entry of each region at
/// or below `root`, following successors; none if there is no loop.
std::optional<BackEdge> findBackEdge(mlir::Operation *root);

} // namespace memreflens

#endif // MEMREFLENS_PIPELINE_OWNERSHIP_BACKEDGES_H
