//===- core/pipeline/aliasing/AccessSources.h - whose memory is touched ---===//
//
// For each memref of a function the buffers that it may be (a part of), and
// whether two memrefs provably share no memory. Followed back through views,
// selects, branches, regions and loops to where memory comes from.
//
//   AccessSources sources(function);
//   sources.areDistinct(a, b)     // true: no execution makes them overlap
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_PIPELINE_ALIASING_ACCESSSOURCES_H
#define MEMREFLENS_PIPELINE_ALIASING_ACCESSSOURCES_H

#include "core/trace/Aliases.h"

#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"

namespace memreflens::aliasing {

using trace::Separation;
using trace::SourceKind;

using SourceSet = llvm::SetVector<mlir::Value>;

class AccessSources {
public:
  explicit AccessSources(mlir::FunctionOpInterface function);

  /// The values where memory that `memref` may be comes from, in the order in
  /// which they are met.
  const SourceSet &sourcesOf(mlir::Value memref);
  SourceKind kindOf(mlir::Value source) const;
  /// Of a source that is one of distinct objects: where the object comes from.
  const SourceSet &behind(mlir::Value source) {
    return sourcesOf(objectBehind(source));
  }

  /// Why no source of one can overlap a source of the other (for the first pair
  /// met), or `none`.
  Separation separate(mlir::Value first, mlir::Value second);
  bool areDistinct(mlir::Value first, mlir::Value second) {
    return separate(first, second) != Separation::none;
  }

  /// Values that flow directly into `value`; false if some are not known.
  bool flowInto(mlir::Value value, llvm::SmallVectorImpl<mlir::Value> &from);
  /// Whether one call of the function may come to `op` more than once.

private:
  bool flowIntoArgument(mlir::BlockArgument argument,
                        llvm::SmallVectorImpl<mlir::Value> &from);
  bool flowThroughRegions(mlir::RegionBranchOpInterface op, mlir::Value value,
                          llvm::SmallVectorImpl<mlir::Value> &from);
  Separation separateSources(mlir::Value first, mlir::Value second);
  /// The values behind a source of distinct objects.
  mlir::Value objectBehind(mlir::Value source) const;

  mlir::FunctionOpInterface function;
  llvm::DenseMap<mlir::Value, SourceSet> found;
};

} // namespace memreflens::aliasing

#endif // MEMREFLENS_PIPELINE_ALIASING_ACCESSSOURCES_H
