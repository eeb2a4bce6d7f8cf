//===- core/source/ElementSize.h - bytes of an element of a memref --------===//
//
// The one answer to how much room an element takes: explorer, placement,
// lifetimes and runs ask it.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_SOURCE_ELEMENTSIZE_H
#define MEMREFLENS_SOURCE_ELEMENTSIZE_H

#include "core/trace/Model.h"

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Operation.h"

#include <optional>

namespace memreflens {

/// As it is allocated after lowering to LLVM (core/trace/ElementBytes.h), with
/// the size of `index` that the data layout around `scope` states; nothing
/// where that is not known.
std::optional<uint64_t> elementBytes(mlir::Operation *scope,
                                     mlir::Type element);

/// The same; where it is not known, what the user states of the type
/// (trace::RunOptions::sizes); -1 where nothing is stated.
int64_t bytesOfElement(const trace::RunOptions &options, mlir::Operation *scope,
                       mlir::Type element);

/// Of a memref of static shape and without gaps; nothing where that is not
/// known, or does not fit.
std::optional<uint64_t> memrefBytes(mlir::Operation *scope,
                                    mlir::MemRefType type);

} // namespace memreflens

#endif // MEMREFLENS_SOURCE_ELEMENTSIZE_H
