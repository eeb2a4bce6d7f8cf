//===- core/pipeline/bufferize/Sources.h - where a buffer comes from ------===//
//
// Follows decided tensors back to what makes their buffers, also where MLIR's
// analysis does not: two results of a call that are one buffer in the function
// that is called, and what a loop yields to its next iteration as it is.
//
//   Sources sources(state);
//   sources.follow(function);
//   if (sources.share(one, other) && !state.areAliasingBufferizedValues(...))
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_PIPELINE_BUFFERIZE_SOURCES_H
#define MEMREFLENS_PIPELINE_BUFFERIZE_SOURCES_H

#include "mlir/Dialect/Bufferization/Transforms/OneShotAnalysis.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

#include <map>
#include <optional>
#include <tuple>
#include <vector>

namespace memreflens::bufferize {

/// All tensors below `root`, in program order.
std::vector<mlir::Value> tensorsOf(mlir::Operation *root);

class Sources {
public:
  /// `state` is decided, and must outlive it.
  explicit Sources(mlir::bufferization::OneShotAnalysisState &state)
      : state(state) {}

  /// Where a call or a loop in `root` may make one buffer of two tensors that
  /// are not aliases to the analysis.
  bool mayHide(mlir::Operation *root) const;
  /// Where one may give a tensor the buffer of what must not be written, and
  /// the analysis takes it for another.
  bool mayHideReadOnly(mlir::Operation *root);

  /// Of all tensors in `root`: a function, or a module whose function
  /// boundaries stay tensors. Functions that are called are followed first.
  void follow(mlir::Operation *root);

  /// Numbers of what may have made the buffer, in order; none of a tensor that
  /// was not followed.
  llvm::ArrayRef<unsigned> of(mlir::Value value) const;
  bool share(mlir::Value one, mlir::Value other) const;
  /// The constant, or the to_tensor without `writable`, in whose buffer the
  /// tensor may be; null for none.
  mlir::Value readOnlyIn(mlir::Value value) const;

  /// What may be given to `value` in its own buffer.
  struct Flow {
    /// Operands that give it theirs where they are in place.
    llvm::SmallVector<mlir::OpOperand *> operands;
    /// What a loop yields to it as it is.
    llvm::SmallVector<mlir::OpOperand *> carried;
    /// What a loop copies, and then gives to it.
    llvm::SmallVector<mlir::OpOperand *> copied;
    /// What the function returns of whose call it is the result.
    llvm::SmallVector<mlir::OpOperand *> returned;
    /// The loop, or the call.
    mlir::Operation *by = nullptr;
  };
  Flow flowInto(mlir::Value value) const;

private:
  enum class Kind : uint8_t {
    made,     ///< by the op of `value`
    copied,   ///< for `operand`
    returned, ///< by a call: `inner` in the function that is called
    carried,  ///< by a loop into its body: `inner` of an iteration before
    left      ///< by a loop behind it: `inner` of its last iteration
  };
  struct Source {
    Kind kind = Kind::made;
    mlir::Value value;
    /// The op in which it is made.
    mlir::Operation *by = nullptr;
    unsigned inner = 0;
  };
  using Numbers = std::vector<unsigned>;

  /// Whether a call of a function with a body gives `least` tensors, or a loop
  /// yields so many in other buffers than those of its arguments.
  bool hasHiding(mlir::Operation *root, unsigned least) const;
  unsigned numberOf(const void *key, const Source &source);
  void addMade(mlir::Value value, Numbers &found);
  void addCopied(mlir::OpOperand &operand, Numbers &found);
  void addOperand(mlir::OpOperand &operand, Numbers &found);
  void addCarried(mlir::OpOperand &operand, mlir::Operation *loop, Kind kind,
                  Numbers &found);
  void addReturned(mlir::OpOperand &operand, mlir::func::CallOp call,
                   Numbers &found);
  Numbers gather(mlir::Value value);
  /// Until nothing new is found.
  void spread(llvm::ArrayRef<mlir::Value> tensors);
  bool isWithin(unsigned source, mlir::Operation *loop) const;
  bool isConstant(unsigned source) const;
  /// What made it first, behind calls and loops; null where it is a copy.
  mlir::Value madeAs(unsigned source) const;
  /// Not where the options leave the op out.
  bool isAnalysed(mlir::Operation *op) const;
  mlir::func::FuncOp calleeOf(mlir::func::CallOp call) const;

  mlir::bufferization::OneShotAnalysisState &state;
  std::vector<Source> sources;
  std::map<std::tuple<Kind, const void *, unsigned>, unsigned> numbers;
  llvm::DenseMap<mlir::Value, Numbers> known;
  llvm::DenseSet<mlir::Operation *> followed;
  /// Whether the program has a tensor that must not be written.
  std::optional<bool> hasReadOnly;
};

} // namespace memreflens::bufferize

#endif // MEMREFLENS_PIPELINE_BUFFERIZE_SOURCES_H
