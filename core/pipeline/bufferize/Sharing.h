//===- core/pipeline/bufferize/Sharing.h - writes of unseen aliases -------===//
//
// MLIR takes the results of a call, and what a loop carries, for buffers of
// their own where they are not those that went in. Where two of them are one
// buffer, it lets one be written while the other is still to be read:
//
//   %r:2 = call @two() // returns one tensor twice
//   %new = tensor.insert %x into %r#1[%i] // in place
//   %old = tensor.extract %r#0[%i]        // finds %x
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_PIPELINE_BUFFERIZE_SHARING_H
#define MEMREFLENS_PIPELINE_BUFFERIZE_SHARING_H

#include "core/pipeline/bufferize/Conflicts.h"
#include "core/pipeline/bufferize/Sources.h"

namespace memreflens::bufferize {

/// `write` is in place, and `read` gets what it wrote.
struct SharedWrite {
  mlir::OpOperand *write = nullptr, *read = nullptr;
  /// The call or loop by which `written`, in whose buffer the write is, and
  /// `kept`, in whose buffer the read is, are one.
  mlir::Operation *by = nullptr;
  mlir::Value written, kept;
  /// They are the same part of it.
  bool areEqual = false;
  /// Operands of returns or yields: the two are apart if these are copied.
  llvm::SmallVector<mlir::OpOperand *> toCopy;
};

/// By place of the write in `root`, which is decided; for each write and `by`
/// the nearest read.
std::vector<SharedWrite>
sharedWrites(mlir::Operation *root,
             mlir::bufferization::OneShotAnalysisState &state, Sources &sources,
             Conflicts &conflicts);

} // namespace memreflens::bufferize

#endif // MEMREFLENS_PIPELINE_BUFFERIZE_SHARING_H
