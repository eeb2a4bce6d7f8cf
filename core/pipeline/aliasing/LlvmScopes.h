//===- core/pipeline/aliasing/LlvmScopes.h - scopes for LLVM --------------===//
//
// Brings the scopes of a program on memrefs to LLVM's loads, stores and copies.
//
//   markScopes(module);      // on memrefs; takes the ops of `lens` away
//   ...                      // any passes down to the LLVM dialect
//   attachScopes(module);    // alias_scopes and noalias_scopes, a fresh domain
//                            // for each function; the marks go
//
// What a pass in between does can only make scopes get lost: an op that was
// joined with another, inlined, moved to another function or now touches other
// memory than the op that it comes from gets none.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_PIPELINE_ALIASING_LLVMSCOPES_H
#define MEMREFLENS_PIPELINE_ALIASING_LLVMSCOPES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectRegistry.h"

namespace memreflens::aliasing {

struct AttachCounts {
  /// Ops that carry scopes now, and ops with a mark that could not be held to
  /// what LLVM's code shows.
  unsigned attached = 0, dropped = 0;
};

void markScopes(mlir::ModuleOp module);
AttachCounts attachScopes(mlir::ModuleOp module);

/// Puts the bodies of the dialect's ops in their place and drops its
/// attributes.
void removeLensOps(mlir::ModuleOp module);

/// From memrefs to the LLVM dialect by MLIR's own passes; the first error, or
/// an empty string.
std::string lowerToLlvm(mlir::ModuleOp module, bool withScopes,
                        AttachCounts &counts);

} // namespace memreflens::aliasing

#endif // MEMREFLENS_PIPELINE_ALIASING_LLVMSCOPES_H
