//===- core/pipeline/aliasing/PointerRoots.h - where a pointer comes from -===//
//
// In the LLVM dialect: the values that an address is computed from, followed
// back through offsets, descriptors, selects, branches and alignment, up to
// calls, stack slots, globals, arguments and everything that is not understood.
//
//   for (Value root : pointerRoots(load.getAddr())) ...
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_PIPELINE_ALIASING_POINTERROOTS_H
#define MEMREFLENS_PIPELINE_ALIASING_POINTERROOTS_H

#include "mlir/IR/Value.h"
#include "llvm/ADT/SetVector.h"

namespace memreflens::aliasing {

/// No value of the result is computed from other pointers in a way that this
/// follows; it is empty only where no execution comes.
llvm::SetVector<mlir::Value> pointerRoots(mlir::Value address);

} // namespace memreflens::aliasing

#endif // MEMREFLENS_PIPELINE_ALIASING_POINTERROOTS_H
