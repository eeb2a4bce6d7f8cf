//===- core/symexec/StatedSizes.h - sizes that the user states ------------===//
//
// What `--assume %n=1024` and `--assume @f:0:1=32` say of scalars and of
// dimensions of arguments; only where bytes are counted.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_SYMEXEC_STATEDSIZES_H
#define MEMREFLENS_SYMEXEC_STATEDSIZES_H

#include "core/symexec/Context.h"
#include "core/trace/Sizes.h"

namespace memreflens::symexec {

class StatedSizes : Part {
public:
  explicit StatedSizes(Context &context);

  bool empty() const { return stated.empty(); }
  /// -1 where nothing is stated.
  int64_t sizeOf(mlir::Value value);
  int64_t dimensionOf(mlir::Value buffer, int64_t dimension) const;

private:
  std::vector<trace::StatedSize> stated;
  llvm::DenseMap<mlir::Value, int64_t> known;
};

} // namespace memreflens::symexec

#endif // MEMREFLENS_SYMEXEC_STATEDSIZES_H
