//===- core/symexec/CopyTracker.h - writes that copies do not see ---------===//
//
// A clone that the pipeline makes stands for the memref that the program names.
// Where one of the two is written and the other one is read afterwards, the
// program computes something else than it did as written. Does nothing unless
// `ExploreOptions::watchesCopies`.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_SYMEXEC_COPYTRACKER_H
#define MEMREFLENS_SYMEXEC_COPYTRACKER_H

#include "core/symexec/OpPart.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace memreflens::symexec {

class CopyTracker : public OpPart {
public:
  CopyTracker(Context &context, Values &values, Observer &observer)
      : OpPart(context, values, observer) {}

  bool hasTwin(const State &state, const PathValue &value) const;
  /// `copy` stands for `source`, where the pipeline made the op for that.
  void link(State &state, const PathValue &source, const PathValue &copy,
            mlir::Operation *op);
  /// Of an element of what starts where its object does.
  std::optional<AccessPlace> placeOf(State &state, const PathValue &value,
                                     mlir::ValueRange indices);
  void wrote(State &state, const PathValue &value, mlir::Operation *op,
             std::optional<AccessPlace> place, mlir::Value stored = {});
  void read(State &state, const PathValue &value, mlir::Operation *op,
            std::optional<AccessPlace> place);
  /// Of an op that has memory effects, those that say on what.
  void readAndWrite(State &state, mlir::Operation *op);
  /// What a caller can see at the end, where nobody in the module calls it.
  void readAtExit(State &state, mlir::Operation *op);

private:
  void noteBoth(State &state, mlir::Operation *op);
  bool copyAmongTwins(State &state, mlir::memref::CopyOp op);
};

} // namespace memreflens::symexec

#endif // MEMREFLENS_SYMEXEC_COPYTRACKER_H
