//===- core/pipeline/record/Shorthands.h - names of attributes and types --===//
//
// MLIR gives some attributes and types short names, `#map = affine_map<...>`,
// and to find them it prints a module twice. A module in which nothing can have
// one is printed once.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_PIPELINE_RECORD_SHORTHANDS_H
#define MEMREFLENS_PIPELINE_RECORD_SHORTHANDS_H

#include "mlir/IR/DialectInterface.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

#include <memory>

namespace memreflens {

/// Of the modules of one context; asks about each attribute and type once.
class Shorthands {
public:
  /// Whether MLIR may write anything but the ops, as names in front of them or
  /// resources behind. True also where it does not in the end.
  bool mayOccurIn(mlir::Operation *root);

private:
  bool mayOccur(mlir::Operation *op);
  template <class T> bool mayOccurInPart(T value);
  template <class T> bool isNamed(T value) const;

  using Interfaces =
      mlir::DialectInterfaceCollection<mlir::OpAsmDialectInterface>;
  std::unique_ptr<Interfaces> interfaces;
  llvm::DenseMap<const void *, bool> known;
  /// Kinds of ops with what belongs to each of them, as a hash.
  llvm::DenseSet<std::pair<const void *, size_t>> plainProperties;
};

} // namespace memreflens

#endif // MEMREFLENS_PIPELINE_RECORD_SHORTHANDS_H
