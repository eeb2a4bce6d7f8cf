//===- core/pipeline/simplify/AliasGroup.h --------------------------------===//
//
// One buffer against a whole list.
//
// The values of one operand list of a dealloc, sorted by where they may start,
// so that a value is compared only with those that could matter: N buffers with
// an allocation each cost N look-ups, not N * N questions. The answers are
// those that asking about every pair would give.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_PIPELINE_SIMPLIFY_ALIASGROUP_H
#define MEMREFLENS_PIPELINE_SIMPLIFY_ALIASGROUP_H

#include "core/pipeline/simplify/Simplify.h"

#include <memory>

namespace memreflens {

class AliasGroup;

/// Asks the origin analysis and tells the observer; remembers which patterns
/// asked in vain.
class AliasOracle {
public:
  AliasOracle(const OriginAnalysis &analysis, const SimplifyOptions &options);
  ~AliasOracle();

  /// Set if it is known whether the two share an allocation.
  std::optional<bool> same(mlir::Value a, mlir::Value b) const;
  /// Whether they are known to share none; knows one more rule than `same`.
  bool distinct(mlir::Value a, mlir::Value b) const;

  /// The group of these values. That of the last list is kept: the deallocs
  /// that one is split into all retain the same values. Valid until the next
  /// call.
  const AliasGroup &groupOf(mlir::ValueRange values) const;

  /// Whether the pattern failed on the op as it is, and all answers are the
  /// same since.
  bool hasFailed(const mlir::Pattern &pattern, mlir::Operation *op) const;
  void noteFailure(const mlir::Pattern &pattern, mlir::Operation *op) const;
  /// To be told when an op is changed or erased.
  void forget(mlir::Operation *op) { failed.erase(op); }

private:
  friend class AliasGroup;

  /// What failed on an op, with these operands and as many changes.
  struct Failures {
    unsigned changes = 0;
    llvm::hash_code operands = 0;
    llvm::SmallVector<const mlir::Pattern *, 3> patterns;

    bool isOf(const Failures &other) const {
      return changes == other.changes && operands == other.operands;
    }
  };
  Failures failuresNow(mlir::Operation *op) const;

  const OriginAnalysis &analysis;
  const SimplifyOptions &options;
  mutable std::unique_ptr<AliasGroup> last;
  mutable unsigned changesOfLast = 0;
  mutable llvm::DenseMap<mlir::Operation *, Failures> failed;
};

/// Valid until the IR changes.
class AliasGroup {
public:
  using Positions = llvm::SmallVector<unsigned, 2>;

  AliasGroup(const AliasOracle &oracle, mlir::ValueRange values);

  mlir::ValueRange getValues() const { return values; }

  /// Whether `value` may share an allocation with one of the values; the one at
  /// position `self`, which is `value` itself, is left out.
  bool mayShare(mlir::Value value, std::optional<unsigned> self = {}) const;

  /// Positions of the values that are known to be in `value`'s allocation.
  Positions knownSame(mlir::Value value) const;

  /// The same, but only if each other value is known to be in another one.
  std::optional<Positions> allKnown(mlir::Value value) const;

private:
  using Visit = llvm::function_ref<bool(unsigned)>;

  /// Calls `visit` for each position that is not surely told apart from `value`
  /// by its terminals, until it returns true; returns whether it did.
  bool anyNotApart(mlir::Value value, Visit visit) const;
  bool anySharing(const Origins &origins, Visit visit) const;
  void tellDistinct(mlir::Value value) const;

  const AliasOracle &oracle;
  llvm::SmallVector<mlir::Value> values;
  /// Ask about every pair: wanted, or answers come from two graphs.
  bool pairwise = false;
  /// Of a long list only.
  llvm::DenseMap<unsigned, Positions> byTerminal;
  llvm::DenseMap<mlir::Value, Positions> byBase;
  Positions notAllocations;
  Positions neitherAllocationsNorArguments;
  Positions all;
};

} // namespace memreflens

#endif // MEMREFLENS_PIPELINE_SIMPLIFY_ALIASGROUP_H
