//===- core/check/explore/Facts.h - what several explorations share -------===//
//
// A function is often explored several times: whether it has any fault, then
// which; with its calls run, then without. What each learns of the IR, the next
// one need not find again.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_CHECK_EXPLORE_FACTS_H
#define MEMREFLENS_CHECK_EXPLORE_FACTS_H

#include "core/check/explore/Insides.h"
#include "core/check/explore/Shape.h"
#include "core/source/Escapes.h"

#include <map>
#include <optional>

namespace memreflens::explorer {

/// Of one function and what it calls, as long as the IR stays what it is; for
/// one exploration at a time. Those without a `HeapWatch` must have the same
/// symbol tables, which the finders keep.
struct Facts {
  Shape shape;
  /// Made where paths may meet; where calls are run, and where not.
  std::optional<Insides> withCalls, withoutCalls;
  std::map<mlir::Operation *, EscapeFinder> escapes;
  /// Buffers by their frees: whether what comes behind may use them unseen.
  llvm::DenseMap<std::pair<mlir::Value, mlir::Operation *>, bool> usedUnseen;
  /// Of what a buffer holds; -1 where its type does not say.
  llvm::DenseMap<mlir::Value, int64_t> elementBytes;
};

} // namespace memreflens::explorer

#endif // MEMREFLENS_CHECK_EXPLORE_FACTS_H
