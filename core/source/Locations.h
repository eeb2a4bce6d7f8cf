//===- core/source/Locations.h - from chunk locations to the user's file --===//
//
// A chunk is parsed as a buffer of its own; this says where its lines are in
// the user's file. The buffer of one behind others has a name that no
// `loc(...)` of the user's bears, so that only locations the parser made are
// moved.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_SOURCE_LOCATIONS_H
#define MEMREFLENS_SOURCE_LOCATIONS_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Location.h"
#include "llvm/ADT/DenseMap.h"

namespace memreflens {

/// Rewrites locations of one chunk into those of the whole file.
class LocationMover {
public:
  /// `lines` are the lines before the chunk, `columns` the bytes before it in
  /// its first line.
  LocationMover(mlir::MLIRContext &context, llvm::StringRef path,
                unsigned lines, unsigned columns);

  /// What the buffer that the chunk is parsed from must be called.
  llvm::StringRef bufferName() const { return chunkName; }
  mlir::Location move(mlir::Location location);

private:
  mlir::Location moveNested(mlir::Location location);

  mlir::StringAttr path;
  /// The path, where lines are those of the file: then nothing is moved.
  mlir::StringAttr chunkName;
  unsigned lines;
  unsigned columns;
  /// Past this depth (chains of aliases) locations stay as they are.
  unsigned depth = 0;
  llvm::DenseMap<mlir::Location, mlir::Location> moved;
};

} // namespace memreflens

#endif // MEMREFLENS_SOURCE_LOCATIONS_H
