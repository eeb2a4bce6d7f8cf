//===- core/pipeline/aliasing/ScopeMarks.h - scopes through a lowering ----===//
//
// Scopes are computed on memrefs and needed on LLVM's loads and stores. In
// between they are in locations, which every conversion hands on: an access
// carries its lists and where its memory comes from, an allocation its number.
// Both name the function; its `memref_lens.scopes` says what the numbers mean.
//
//   loc(fused<{memref_lens.access = {function = distinct[0]<>,
//     scopes = array<i64: 0>, noalias = array<i64: 1>, memory = [2 :
//     i64]}>[...])
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_PIPELINE_ALIASING_SCOPEMARKS_H
#define MEMREFLENS_PIPELINE_ALIASING_SCOPEMARKS_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Location.h"
#include "mlir/IR/Operation.h"

#include <optional>

namespace memreflens::aliasing {

struct AccessMark {
  mlir::DistinctAttr function;
  llvm::ArrayRef<int64_t> scopes, noalias;
  /// Numbers of allocations, symbols of globals, `outside` (what is older than
  /// the call) and `unknown`.
  mlir::ArrayAttr memory;
};

struct AllocationMark {
  mlir::DistinctAttr function;
  int64_t number = 0;
};

struct FunctionMark {
  mlir::DistinctAttr function;
  /// In words, and for each scope the number of its domain.
  mlir::ArrayAttr domains, scopes;
  llvm::ArrayRef<int64_t> domainOf;
  /// For each domain its DomainKind.
  llvm::ArrayRef<int64_t> kinds;
};

/// Words in the list of an access's memory.
inline constexpr llvm::StringLiteral outsideMemory = "outside";
inline constexpr llvm::StringLiteral unknownMemory = "unknown";

void setMark(mlir::Operation *op, const AccessMark &mark);
void setMark(mlir::Operation *op, const AllocationMark &mark);
/// Of a function.
void setMark(mlir::Operation *op, const FunctionMark &mark);
/// Says nothing, but keeps passes from giving `op` the location of another one.
void setEmptyMark(mlir::Operation *op);

/// Only what `op` was lowered from by itself: a location that was fused with
/// another or went through a call has no mark.
std::optional<AccessMark> accessMarkOf(mlir::Operation *op);
std::optional<AllocationMark> allocationMarkOf(mlir::Operation *op);
std::optional<FunctionMark> functionMarkOf(mlir::Operation *op);

/// Takes all marks off everything below `root`.
void removeMarks(mlir::Operation *root);

} // namespace memreflens::aliasing

#endif // MEMREFLENS_PIPELINE_ALIASING_SCOPEMARKS_H
