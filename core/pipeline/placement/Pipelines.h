//===- core/pipeline/placement/Pipelines.h - ways to place deallocations --===//
//
// The ways that `memref-lens compare --pipelines` knows, by name: what frees
// (`ownership`, `dynamic`, `classic`), joined by '+' with passes that move
// allocations around it (`hoist`, `loop-hoist`, `stack`, ...).
//
//   std::optional<PlacementPipeline> p = parsePlacement("hoist+classic",
//   error);
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_PIPELINE_PLACEMENT_PIPELINES_H
#define MEMREFLENS_PIPELINE_PLACEMENT_PIPELINES_H

#include "core/pipeline/placement/Hoisting.h"

#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>
#include <vector>

namespace memreflens {

enum class Placement : uint8_t {
  ownership, ///< buffer-deallocation-pipeline
  dynamic,   ///< the same with private-function-dynamic-ownership
  classic    ///< clones and static deallocs, then canonicalize
};

struct PlacementPipeline {
  /// As the user wrote it.
  std::string name;
  Placement placement = Placement::ownership;
  /// Textual pass pipelines to run in front, and behind; empty for none.
  std::string before, after;
  /// Between the simplification and the lowering of deallocs.
  std::string inside;
};

/// None, and what to write instead in `error`, for a name that is unknown.
std::optional<PlacementPipeline> parsePlacement(llvm::StringRef text,
                                                std::string &error);

} // namespace memreflens

#endif // MEMREFLENS_PIPELINE_PLACEMENT_PIPELINES_H
