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
// Nor does it see that a call or a loop gives what must not be written:
//
//   %r = call @table()                    // returns a constant
//   %new = tensor.insert %x into %r[%i]   // in place: into the constant
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_PIPELINE_BUFFERIZE_SHARING_H
#define MEMREFLENS_PIPELINE_BUFFERIZE_SHARING_H

#include "core/pipeline/bufferize/Conflicts.h"
#include "core/pipeline/bufferize/Sources.h"

namespace memreflens::bufferize {

/// `write` is in place, and `read` gets what it wrote; null where it writes
/// what must not be written.
struct SharedWrite {
  mlir::OpOperand *write = nullptr, *read = nullptr;
  /// The call or loop by which `written`, in whose buffer the write is, and
  /// `kept`, in whose buffer the read is, are one. Without a read, `kept` is
  /// the constant, or the to_tensor without `writable`.
  mlir::Operation *by = nullptr;
  mlir::Value written, kept;
  /// They are the same part of it.
  bool areEqual = false;
  /// Operands of returns or yields: the two are apart if these are copied.
  llvm::SmallVector<mlir::OpOperand *> toCopy;
};

struct SharedWrites {
  /// By place of the write; for each write and `by` the nearest read.
  std::vector<SharedWrite> all;
  /// Not all pairs of a write and a read were looked at: there may be more.
  bool isBounded = false;
};

/// Of `root`, which is decided.
SharedWrites sharedWrites(mlir::Operation *root,
                          mlir::bufferization::OneShotAnalysisState &state,
                          Sources &sources, Conflicts &conflicts);

} // namespace memreflens::bufferize

#endif // MEMREFLENS_PIPELINE_BUFFERIZE_SHARING_H
