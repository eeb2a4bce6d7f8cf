//===- core/pipeline/bufferize/Origins.h - by what each buffer came -------===//
//
// Listens while tensors become buffers: each allocation and each copy gets an
// entry in the record, with the decision or the op behind it, its size, and the
// loops around it.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_PIPELINE_BUFFERIZE_ORIGINS_H
#define MEMREFLENS_PIPELINE_BUFFERIZE_ORIGINS_H

#include "core/trace/Model.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/Transforms/OneShotAnalysis.h"
#include "mlir/IR/PatternMatch.h"

#include <vector>

namespace memreflens::bufferize {

class Origins : private mlir::RewriterBase::Listener {
public:
  /// `record` gets the entries; both must outlive it.
  Origins(const trace::Trace &trace, trace::Bufferization &record);

  /// Resolves all conflicts below `root`: the copies on tensors.
  mlir::LogicalResult
  resolve(mlir::Operation *root,
          const mlir::bufferization::AnalysisState &state,
          const mlir::bufferization::BufferizationState &symbols);
  /// Looks at the ops as they are in front of bufferization itself, which is
  /// then done with these options.
  void listen(mlir::Operation *root,
              mlir::bufferization::OneShotBufferizationOptions &options);
  /// After it: what came about without a word, and copies onto themselves.
  void finish(mlir::Operation *root);

private:
  /// A decision for which an alloc_tensor was made.
  struct Asked {
    trace::TensorCostOrigin origin = trace::TensorCostOrigin::unknown;
    trace::Id op = trace::none;
    int32_t operand = -1;
    trace::Id value = trace::none, because = trace::none;
  };
  /// An op in front of bufferization.
  struct Known {
    bool allocates = false, writesBack = false, isCall = false;
    trace::Id result = trace::none, source = trace::none, because = trace::none;
    /// Of an op that copies one operand after the other: those that are left.
    llvm::SmallVector<trace::Id, 0> others = {};
  };
  /// An op whose conflicts are resolved.
  struct Resolved;

  void notifyOperationInserted(mlir::Operation *op,
                               mlir::OpBuilder::InsertPoint) override;
  mlir::LogicalResult
  resolveOne(mlir::bufferization::BufferizableOpInterface op,
             mlir::IRRewriter &rewriter,
             const mlir::bufferization::AnalysisState &state,
             const mlir::bufferization::BufferizationState &symbols);
  Asked askedFor(mlir::bufferization::AllocTensorOp made,
                 const Resolved &resolved,
                 const mlir::bufferization::AnalysisState &state) const;
  Asked askedOfLoop(mlir::bufferization::AllocTensorOp made,
                    mlir::Operation *loop,
                    const mlir::bufferization::AnalysisState &state) const;
  Known describe(mlir::bufferization::BufferizableOpInterface op,
                 const mlir::bufferization::AnalysisState &state) const;
  trace::TensorCost costOf(mlir::Location location, bool isCopy,
                           mlir::OpBuilder &builder) const;
  void setBoundary(trace::TensorCost &cost, mlir::Operation *at) const;
  /// Adds it; the location that says so.
  mlir::Location add(trace::TensorCost cost, mlir::Location location);
  trace::Id idOf(mlir::Operation *op) const;
  trace::Id idOf(mlir::Value value) const;

  const trace::Trace &trace;
  trace::Bufferization &record;
  /// Costs of the runs before this one.
  unsigned firstNumber = 0;
  bool copiesBeforeWrite = false;
  std::vector<Asked> asked;
  llvm::DenseMap<trace::Id, Known> known;
  std::vector<mlir::bufferization::AllocTensorOp> inserted;
  /// Allocations and copies of the program itself.
  llvm::DenseSet<mlir::Operation *> own;
};

/// Sets `now` of all costs: the ops of `root` that are marked with them, by
/// their tags. Takes the marks away.
void linkCosts(mlir::Operation *root, trace::Trace &trace);

} // namespace memreflens::bufferize

#endif // MEMREFLENS_PIPELINE_BUFFERIZE_ORIGINS_H
