//===- core/pipeline/bufferize/Replay.h - the analysis, without its cube --===//
//
// MLIR's analysis compares for each operand all writes of a buffer with all of
// its reads, which takes cubic time in the number of writes. What was compared
// once need not be compared again, for nothing that the answer depends on
// changes while operands are decided: here only pairs are compared that come
// together for the first time.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_PIPELINE_BUFFERIZE_REPLAY_H
#define MEMREFLENS_PIPELINE_BUFFERIZE_REPLAY_H

#include "mlir/Dialect/Bufferization/Transforms/OneShotAnalysis.h"
#include "mlir/IR/BuiltinOps.h"

namespace memreflens::bufferize {

/// Whether `comparisonsIn` takes operands as `state` has them, or all for in
/// place, since nothing is decided yet.
enum class Decided : bool { no, yes };

/// How often MLIR's analysis compares a read and a write, roughly. For each
/// write that it lets be in place, it compares all writes of the buffer so far
/// with all of its reads; where parts of tensors are written, it walks through
/// half of these writes for each pair.
uint64_t comparisonsIn(mlir::ModuleOp module,
                       const mlir::bufferization::OneShotAnalysisState &state,
                       Decided decided);

/// Decides each operand of `module` as MLIR's analysis does. Fails without a
/// word, and with a state that is no good, where MLIR's own has to be asked: it
/// would reject the module, functions are recursive, an op is left out, or the
/// options ask for another order or for no function boundaries.
mlir::LogicalResult
replay(mlir::ModuleOp module,
       const mlir::bufferization::OneShotBufferizationOptions &options,
       mlir::bufferization::OneShotAnalysisState &state);

} // namespace memreflens::bufferize

#endif // MEMREFLENS_PIPELINE_BUFFERIZE_REPLAY_H
