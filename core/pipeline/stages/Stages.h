//===- core/pipeline/stages/Stages.h - the stages on one chunk ------------===//
//
// Runs the passes of a run (core/trace/Plan.h; those of upstream's pipeline,
// unless asked for others), and records each. A function that a stage rejects
// is set aside as its last good stage left it, and all the others go on.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_PIPELINE_STAGES_STAGES_H
#define MEMREFLENS_PIPELINE_STAGES_STAGES_H

#include "core/pipeline/ownership/OwnershipOptions.h"
#include "core/pipeline/record/TracePart.h"
#include "core/trace/Join.h"
#include "core/trace/Model.h"

#include <functional>
#include <string>
#include <vector>

namespace mlir {
class ModuleOp;
} // namespace mlir

namespace mlir {
class FallbackAsmResourceMap;
} // namespace mlir

namespace memreflens {

class ToolSide;

/// For "run all stages".
inline constexpr int allStages = trace::maxStage;

/// A function that a stage cannot get past, known from an earlier attempt.
struct Quarantined {
  trace::Id chunk = trace::none;
  /// Its title (`trace::Function`); empty for all.
  std::string function;
  /// Stage before which it is set aside; 0 replaces it in the input.
  int stage = 0;
  trace::FunctionStatus status = trace::FunctionStatus::crashedStage;
  trace::RejectionCause cause = trace::RejectionCause::stageCrashed;
  std::string message;
  /// Where the message points; -1 if nowhere.
  int64_t offset = -1;
  /// The stage ends well, but its result is no valid IR: it is run, for what it
  /// decides, and what it made is dropped.
  bool runsStage = false;
};

enum class StageText { none, upstream, sourceNames };

struct StageOptions {
  OwnershipOptions ownership;
  StageText text = StageText::sourceNames;
  /// `Bufferization::copiesText` is made, in the form of `text`.
  bool copiesText = false;
  /// Texts of the stages before the last one are not made.
  bool lastTextOnly = false;
  bool showStandIns = false;
  /// Texts are made on a thread of their own, of copies of the IR. Only where
  /// no pass runs that is not of upstream's pipeline.
  bool textsBeside = false;
  /// The `external_resources` of the module's text, for its texts; null for
  /// none.
  mlir::FallbackAsmResourceMap *resources = nullptr;
  /// The process ends soon: copies of a small module are left to its end.
  bool leavesCopies = false;
  /// The verifier accepts the module.
  bool isVerified = false;
  /// It is one of a file's batches, whose texts are joined: those of the stages
  /// are kept whole.
  bool isBatch = false;
  /// The verifier is asked behind passes that may make invalid IR of valid, and
  /// behind the last one. What is wrong is told by a run without this.
  bool verifiesLate = false;
  /// Where what is made for this chunk begins in the trace.
  PartStart start;
  /// Run up to this stage.
  int lastStage = allStages;
  std::vector<Quarantined> quarantine;
  /// Told before each stage.
  std::function<void(int stage)> onStage;
  /// Shown the IR behind the last stage that ran, while texts are still made,
  /// on another thread then; may be empty.
  std::function<void()> onEnd;
  /// Called behind the ownership pass, unless that failed.
  std::function<void()> onOwnership;
  /// Shown the IR behind the ownership pass, where nothing is recorded
  /// (Unrecorded.h).
  std::function<void(mlir::ModuleOp module)> onPlaced;
  /// What a tool made of the same program, to be held against ours; null if
  /// none did. Of the passes that we do not trace, the tool's IR is taken.
  ToolSide *tool = nullptr;
};

/// Outcome of one chunk's run. `trace.options` say which passes are run.
struct StagesResult {
  /// A later stage failed: run again with these set aside.
  std::vector<Quarantined> retry;
  /// Text of each stage that ran, if asked for as upstream prints it.
  std::vector<std::string> upstreamTexts;
  /// How far the trace was when each stage began, from stage 0 on.
  std::vector<trace::StageStart> starts;
  /// Number of the next part's first dealloc.
  trace::Id endOfDeallocs = 0;
  /// See `OwnershipResult`; the trace is not to be used.
  bool missedChange = false;
};

StagesResult runStages(mlir::ModuleOp module, trace::Id chunk,
                       const StageOptions &options, trace::Trace &trace);

} // namespace memreflens

#endif // MEMREFLENS_PIPELINE_STAGES_STAGES_H
