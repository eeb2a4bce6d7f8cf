//===- core/pipeline/bufferize/FalseConflicts.h - conflicts that are none -===//
//
// The analysis of one-shot-bufferize takes two tensors for one buffer as soon
// as some third one may be either, and two slices of one tensor for the whole
// of it. Where the read cannot meet the write, its copy is for nothing.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_PIPELINE_BUFFERIZE_FALSECONFLICTS_H
#define MEMREFLENS_PIPELINE_BUFFERIZE_FALSECONFLICTS_H

#include "core/pipeline/bufferize/Conflicts.h"

namespace memreflens::bufferize {

/// Judges the conflicts of one analysis, which must outlive it.
class FalseConflicts {
public:
  explicit FalseConflicts(mlir::bufferization::OneShotAnalysisState &state)
      : state(state) {}

  /// The first value that may be either tensor, the one that is written and the
  /// one that is to be read, where these two have no buffer in common; null
  /// where they have one, or where that is not known.
  mlir::Value joinOf(const Conflict &conflict);

  /// Whether the parts that are written and read are proven not to overlap.
  bool isDisjoint(const Conflict &conflict);
  /// The same where two tensors are one buffer from end to end unseen: the
  /// write is in that of `written`, the read in that of `kept`.
  bool isDisjoint(const Conflict &conflict, mlir::Value written,
                  mlir::Value kept);

private:
  using Values = llvm::SetVector<mlir::Value>;
  Values originsOf(mlir::OpOperand &use);

  mlir::bufferization::OneShotAnalysisState &state;
  /// Values that may still be followed to where they begin.
  size_t stepsLeft = 20'000;
};

} // namespace memreflens::bufferize

#endif // MEMREFLENS_PIPELINE_BUFFERIZE_FALSECONFLICTS_H
