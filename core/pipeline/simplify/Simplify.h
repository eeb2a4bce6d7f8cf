//===- core/pipeline/simplify/Simplify.h ----------------------------------===//
//
// Fewer run-time checks before each free.
//
// The buffer-deallocation-simplification stage: drops, splits and shortens
// bufferization.dealloc ops wherever two buffers are known to share an
// allocation, or known not to, and reports the facts that it went by.
//
//   dealloc (%a, %b) if (%c, %d)   becomes, if %a and %b never alias,
//   dealloc (%a) if (%c); dealloc (%b) if (%d)
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_PIPELINE_SIMPLIFY_SIMPLIFY_H
#define MEMREFLENS_PIPELINE_SIMPLIFY_SIMPLIFY_H

#include "core/pipeline/simplify/OriginAnalysis.h"

#include "mlir/IR/PatternMatch.h"

#include <functional>

namespace mlir::bufferization {
class DeallocOp;
} // namespace mlir::bufferization

namespace memreflens {

/// Told what the simplification asks and tries, in order.
class SimplifyObserver {
public:
  virtual ~SimplifyObserver();
  /// Each alias question as it is asked.
  virtual void onAliasQuery(const AliasAnswer &answer) {}
  /// `value` was found to share no allocation with any of `others` but itself
  /// and those of which was asked just before; stands for a question a pair.
  virtual void onDistinctFromAll(mlir::Value value, mlir::ValueRange others) {}
  virtual void onPatternBegin(const mlir::Pattern &pattern,
                              mlir::bufferization::DeallocOp op);
  /// The op may be gone by now.
  virtual void onPatternEnd(const mlir::Pattern &pattern, bool applied) {}
};

/// The pattern's class without its namespaces. Patterns are tried far more
/// often than anyone asks for this.
llvm::StringRef nameOf(const mlir::Pattern &pattern);

struct SimplifyOptions {
  SimplifyObserver *observer = nullptr;
  /// Told of each change of the IR.
  mlir::RewriterBase::Listener *listener = nullptr;
  /// Asks about every pair, as upstream does: the same IR, in quadratic time.
  bool askEveryPair = false;
  /// Not upstream's: uses what memref.distinct_objects states. Asks about every
  /// pair.
  bool refineDistinctObjects = false;
  /// Not upstream's: calls that allocate what they return.
  std::function<bool(mlir::Operation *)> isFresh;
};

/// Runs the stage on `root`, which must be isolated from above. Fails if there
/// is no fixed point within ten rounds.
mlir::LogicalResult simplifyDeallocations(mlir::Operation *root,
                                          const SimplifyOptions &options);

} // namespace memreflens

#endif // MEMREFLENS_PIPELINE_SIMPLIFY_SIMPLIFY_H
