//===- core/pipeline/aliasing/LlvmScopes.h - scopes for LLVM --------------===//
//
// Brings the scopes of a program on memrefs to LLVM's loads, stores and copies.
//
//   markScopes(module);      // on memrefs; takes the ops of `lens` away
//   ...                      // any passes down to the LLVM dialect
//   attachScopes(module, {}); // alias_scopes and noalias_scopes, fresh domains
//                             // for each function; the marks go
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

struct AttachOptions {
  /// Leaves out what holds within one call only. Else a function with such
  /// scopes is not inlined: LLVM moves code between the rounds of a loop around
  /// it by what the scopes say, but in a loop they speak of one round each.
  bool keepInlinable = false;
};

struct AttachCounts {
  /// Ops that carry scopes now, and ops with a mark that could not be held to
  /// what LLVM's code shows.
  unsigned attached = 0, dropped = 0;
};

/// So that programs with the dialect `lens` can be read.
void registerLensDialect(mlir::DialectRegistry &registry);

void markScopes(mlir::ModuleOp module);
AttachCounts attachScopes(mlir::ModuleOp module, const AttachOptions &options);

/// Puts the bodies of the dialect's ops in their place and drops its
/// attributes.
void removeLensOps(mlir::ModuleOp module);

/// From memrefs to the LLVM dialect by MLIR's own passes, with scopes if there
/// are options for them; the first error, or an empty string.
std::string lowerToLlvm(mlir::ModuleOp module,
                        const std::optional<AttachOptions> &scopes);

} // namespace memreflens::aliasing

#endif // MEMREFLENS_PIPELINE_ALIASING_LLVMSCOPES_H
