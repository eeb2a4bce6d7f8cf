//===- core/pipeline/SimplifyPatterns.h - the stage's own four patterns
//-----===//

#ifndef MEMREFLENS_PIPELINE_SIMPLIFYPATTERNS_H
#define MEMREFLENS_PIPELINE_SIMPLIFYPATTERNS_H

#include "core/pipeline/Simplify.h"

namespace memreflens {

/// Asks the origin analysis and tells the observer.
class AliasOracle {
public:
  AliasOracle(const OriginAnalysis &analysis, SimplifyObserver *observer)
      : analysis(analysis), observer(observer) {}

  /// Set if it is known whether the two share an allocation.
  std::optional<bool> same(mlir::Value a, mlir::Value b) const;
  /// Whether they are known to share none; knows one more rule than `same`.
  bool distinct(mlir::Value a, mlir::Value b) const;

private:
  const OriginAnalysis &analysis;
  SimplifyObserver *observer;
};

/// Adds the four patterns in the order in which they are tried; `oracle` must
/// outlive them.
void addSimplifyPatterns(mlir::RewritePatternSet &patterns,
                         const AliasOracle &oracle);

} // namespace memreflens

#endif // MEMREFLENS_PIPELINE_SIMPLIFYPATTERNS_H
