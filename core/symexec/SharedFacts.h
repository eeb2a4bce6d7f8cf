//===- core/symexec/SharedFacts.h - what several explorations share -------===//
//
// A function is often explored several times: whether it has any fault, then
// which; with its calls run, then without. What each learns of the IR, the next
// one need not find again.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_SYMEXEC_SHAREDFACTS_H
#define MEMREFLENS_SYMEXEC_SHAREDFACTS_H

#include "core/source/Escapes.h"
#include "core/symexec/IrFacts.h"
#include "core/symexec/LiveContents.h"

#include <map>
#include <optional>

namespace memreflens::symexec {

/// Of one function and what it calls, as long as the IR stays what it is; for
/// one exploration at a time. Those without a `HeapWatch` must have the same
/// symbol tables, which the finders keep.
struct SharedFacts {
  IrFacts ir;
  /// Made where paths may meet; where calls are run, and where not.
  std::optional<LiveContents> withCalls, withoutCalls;
  std::map<mlir::Operation *, EscapeFinder> escapes;
  /// Buffers by their frees: whether what comes behind may use them unseen.
  llvm::DenseMap<std::pair<mlir::Value, mlir::Operation *>, bool> usedUnseen;
  /// Of what a buffer holds; -1 where its type does not say.
  llvm::DenseMap<mlir::Value, int64_t> elementBytes;
};

} // namespace memreflens::symexec

#endif // MEMREFLENS_SYMEXEC_SHAREDFACTS_H
