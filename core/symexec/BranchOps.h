//===- core/symexec/BranchOps.h - branches between blocks -----------------===//
//
// Goes to the successor that the path takes, with what the branch passes to it.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_SYMEXEC_BRANCHOPS_H
#define MEMREFLENS_SYMEXEC_BRANCHOPS_H

#include "core/symexec/OpPart.h"

namespace memreflens::symexec {

class BranchOps : public OpPart {
public:
  BranchOps(Context &context, Values &values, Observer &observer)
      : OpPart(context, values, observer) {}

  Step branch(State &state, mlir::Operation *op);

private:
  Step goTo(State &state, mlir::Operation *op, unsigned successor);
};

} // namespace memreflens::symexec

#endif // MEMREFLENS_SYMEXEC_BRANCHOPS_H
