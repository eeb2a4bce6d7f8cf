//===- core/symexec/LiveContents.h - what of a buffer is still asked for --===//
//
// A path knows of a buffer how large it is and what lies where in it. Paths
// that differ only in that go on alike once no op to come asks for it: of most
// buffers, none ever does.
//
//   liveContents.askedUntil(buffer) < liveContents.positionOf(next)   // none
//   to come
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_SYMEXEC_LIVECONTENTS_H
#define MEMREFLENS_SYMEXEC_LIVECONTENTS_H

#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/DenseMap.h"

namespace memreflens::symexec {

class LiveContents {
public:
  /// Calls are run, so that callees may ask.
  LiveContents(mlir::Operation *function, bool runsCalls,
               mlir::SymbolTableCollection &symbols);

  /// Of an op of the function, in the order of the text, from 1.
  unsigned positionOf(mlir::Operation *op) const {
    return positions.lookup(op);
  }
  /// Position of the last op that may ask for sizes or contents of the buffer,
  /// or hand it on to one that does, while the value is what it is; 0: none.
  unsigned askedUntil(mlir::Value buffer) const { return asked.lookup(buffer); }
  /// The same of clones: of these it matters how large they are, if that is a
  /// number.
  unsigned clonedUntil(mlir::Value buffer) const {
    return cloned.lookup(buffer);
  }

private:
  llvm::DenseMap<mlir::Operation *, unsigned> positions;
  llvm::DenseMap<mlir::Value, unsigned> asked, cloned;
};

} // namespace memreflens::symexec

#endif // MEMREFLENS_SYMEXEC_LIVECONTENTS_H
