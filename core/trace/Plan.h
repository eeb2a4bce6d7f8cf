//===- core/trace/Plan.h - which pass each stage is -----------------------===//
//
// The passes of a run, by number: eight for upstream's pipeline, others where
// the user asked for another one. Stage 0 is the input.
//
//   isPass(trace.options, event.stage, ownershipPass)
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_TRACE_PLAN_H
#define MEMREFLENS_TRACE_PLAN_H

#include "core/trace/Model.h"
#include "core/upstream/Passes.h"

#include <string_view>

namespace memreflens::trace {

using upstream::loweringPass;
using upstream::ownershipPass;
using upstream::simplificationPass;
/// Upstream's name of the classic pass, which LLVM 21 removed.
inline constexpr std::string_view classicPass = "buffer-deallocation";
/// Ours: deallocates right after the last use where that is proven.
inline constexpr std::string_view lastUsePass =
    "lens-optimize-allocation-liveness";

/// Ours: leaves out deallocs that never deallocate, in front of the lowering.
inline constexpr std::string_view idleDeallocsPass = "lens-idle-deallocs";

/// No pass's stage: the program between the steps of one-shot-bufferize, with
/// its copies on tensors (`Bufferization::copiesText`). -1 is no stage at all.
inline constexpr int tensorCopiesStage = -2;
inline constexpr std::string_view tensorCopies = "tensor-copies";

/// The passes in order: stage n is element n - 1.
const std::vector<std::string> &passesOf(const RunOptions &options);
/// Puts a pass between the simplification of deallocs and their lowering.
void insertInFrontOfLowering(std::vector<std::string> &passes,
                             std::string_view pass);
/// "canonicalize" of "func.func(canonicalize{max-iterations=3})"; of a pass
/// that is nested in several ops, the innermost part.
std::string_view passName(std::string_view pass);
/// Name of a stage: "input" for 0, "tensor-copies" for `tensorCopiesStage`,
/// empty for one that the run does not have.
std::string_view stageName(const RunOptions &options, int stage);
bool isPass(const RunOptions &options, int stage, std::string_view name);
/// The first stage that places deallocations: of the ownership pass or of the
/// classic one; the last stage of a run that has neither.
int placementStage(const RunOptions &options);
/// The first stage of that pass; -1 if the run has none.
int stageOf(const RunOptions &options, std::string_view name);

/// Whether the trace has the text of `tensorCopiesStage` for the chunk.
bool hasTensorCopies(const Trace &trace, Id chunk);
/// Whether the number is a stage that the trace has for the chunk.
bool hasStage(const Trace &trace, Id chunk, int stage);

} // namespace memreflens::trace

#endif // MEMREFLENS_TRACE_PLAN_H
