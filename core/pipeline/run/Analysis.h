//===- core/pipeline/run/Analysis.h - from a file to its trace ------------===//
//
// Parses a file, runs the passes that the user put in front, then all stages on
// every chunk, and returns the trace. Whatever is wrong with the
// input is in the trace as a problem.
//
//   trace::Trace trace = analyse({"a.mlir", text}, registry, {});
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_PIPELINE_RUN_ANALYSIS_H
#define MEMREFLENS_PIPELINE_RUN_ANALYSIS_H

#include "core/pipeline/stages/Stages.h"
#include "core/source/Document.h"
#include "core/trace/Model.h"
#include "core/trace/Workers.h"

#include <memory>

namespace mlir {
class DialectRegistry;
class MLIRContext;
} // namespace mlir

namespace memreflens {

struct ToolRun;

/// A source as it is before any pass, to be analysed once: a process that is
/// forked has a copy of its own.
struct ParsedSource {
  std::unique_ptr<mlir::MLIRContext> context;
  ParsedDocument document;
  trace::Trace trace;
  bool isTaken = false;
};

/// Adds to the trace what it finds in a chunk's IR after the last stage.
using MeasureModule = std::function<void(
    mlir::ModuleOp module, trace::Trace &trace, const trace::Workers &workers)>;

/// Receives a pass, by its argument, and the symbol of what it runs on; both
/// empty once all have run.
using OnPrePass =
    std::function<void(const std::string &pass, const std::string &symbol)>;

/// What is asked: of which program, which passes, and what of it is kept.
struct AnalysisRequest {
  trace::RunOptions run;
  ParseOptions parse;
  StageText text = StageText::sourceNames;
  /// Keeps the text between the steps of one-shot-bufferize, too
  /// (`Bufferization::copiesText`), in the form of `text`.
  bool copiesText = false;
  /// Leaves the texts of stages before the last one empty: printing costs as
  /// much as a pass. Only with `StageText::upstream`.
  bool lastTextOnly = false;
  /// A thread more makes the texts while the stages run (StageOptions).
  bool textsBeside = false;
  /// See `StageOptions`.
  bool isBatch = false;
  int lastStage = allStages;
  /// Analyse no other chunk; `none` for all.
  trace::Id onlyChunk = trace::none;
  /// In texts, show the stand-in instead of a function that was set aside.
  bool showStandIns = false;
  /// What a tool made of `onlyChunk`; null if none did. A run of another
  /// program is a problem of the trace.
  const ToolRun *tool = nullptr;
  /// IR and context are left as they are: the process ends soon, and freeing
  /// them first helps nobody.
  bool leavesIr = false;
  /// Changes a chunk's IR before any pass; may be empty.
  std::function<void(trace::Id chunk, mlir::ModuleOp module,
                     const trace::Trace &trace)>
      edit;
};

/// Who is shown the IR, or told how far the analysis is. Each may be empty.
struct AnalysisObservers {
  /// Called before each pass that runs ahead of the pipeline; see
  /// `runPrePasses`.
  OnPrePass onPrePass;
  /// Told before each stage of each chunk.
  std::function<void(trace::Id chunk, int stage)> onStage;
  /// Called after the last stage of the last chunk: what follows is no stage.
  std::function<void()> onStagesEnd;
  /// Told in front of the first batch and behind each, where the file is cut
  /// into such (Batches.h); `onStage` is not.
  std::function<void(size_t done, size_t count)> onBatch;
  /// Shown each chunk's IR before the first stage (`isFinal` false) and after
  /// the last that ran; again, if the chunk has to be run again.
  std::function<void(trace::Id chunk, mlir::ModuleOp module, bool isFinal,
                     const trace::Trace &trace)>
      onModule;
  /// Shown each chunk's IR behind the ownership pass, where nothing is
  /// recorded; again, if it has to be recorded after all.
  std::function<void(trace::Id chunk, mlir::ModuleOp module,
                     const trace::Trace &trace)>
      onPlaced;
  /// Shown the trace behind the ownership pass, where that is recorded: of what
  /// comes later, and of last uses and peaks, it has nothing yet. Again, if the
  /// chunk has to be run again.
  std::function<void(trace::Id chunk, const trace::Trace &trace)> onOwnership;
  /// Called in front of `onModule`.
  MeasureModule measure;
  /// For that; empty for the calling thread.
  trace::Workers workers;
};

/// With what a file is tried first. What turns out to be wrong of it is changed
/// for a further attempt.
struct AnalysisAttempt {
  /// False: what the stages do need not be recorded, unless a function is
  /// rejected or a stage fails. Only with `StageText::none` or `lastTextOnly`.
  bool isRecorded = true;
  /// See `StageOptions`. A fault that is found late is looked for again, with
  /// the verifier behind each stage; a stage that dies is for the caller, who
  /// runs it again without this.
  bool verifiesLate = false;
  /// See `OwnershipOptions`; done where it turns out that it has to be.
  bool looksEverywhere = false;
  /// Functions that a stage is known to die on.
  std::vector<Quarantined> quarantine;
  /// The same source, which the first attempt takes; null: it is parsed.
  ParsedSource *parsed = nullptr;
};

/// All that an analysis is told. Who needs one part only takes that.
struct AnalysisOptions : AnalysisRequest, AnalysisObservers, AnalysisAttempt {};

struct Analysis {
  trace::Trace trace;
  /// Of the last chunk that ran: how far the trace was when each stage began,
  /// and the number of the next dealloc.
  std::vector<trace::StageStart> starts;
  trace::Id endOfDeallocs = 0;
  /// For each chunk, the text after each stage as upstream prints it, if asked
  /// for by `StageText::upstream`.
  std::vector<std::vector<std::string>> upstreamTexts;
};

/// A context fit for analysis: no threads, dialects of `registry`.
std::unique_ptr<mlir::MLIRContext>
makeContext(const mlir::DialectRegistry &registry,
            const trace::RunOptions &run);

ParsedSource parseOnce(const trace::Source &source,
                       const mlir::DialectRegistry &registry,
                       const AnalysisRequest &request);

Analysis analyse(trace::Source source, const mlir::DialectRegistry &registry,
                 const AnalysisOptions &options);

struct PrePassOptions {
  OnPrePass onPass;
  /// Has MLIR's own one-shot-bufferize run, of which nothing is recorded.
  bool asUpstream = false;
  /// Given the program between the steps of one-shot-bufferize; its result is
  /// kept as the run's `copiesText`. May be empty.
  std::function<std::string(mlir::ModuleOp)> copiesText;
};

/// The passes that `runPrePasses` runs, as text for a `builtin.module`.
std::string prePassPipeline(const trace::RunOptions &run);
/// Whether one-shot-bufferize is one of them.
bool bufferizes(const trace::RunOptions &run);

/// Runs one-shot-bufferize and `--pre`, as the options say, and lists what they
/// made in the trace, where each function has its title then. What
/// one-shot-bufferize decided is in the trace, too. The problem found, or an
/// empty message.
trace::Problem runPrePasses(mlir::ModuleOp module, trace::Id chunk,
                            const trace::RunOptions &run, trace::Trace &trace,
                            const PrePassOptions &options = {});

/// Goes on with one more pass behind stages of which nothing was recorded.
/// False if it fails or makes invalid IR: the module is spoiled then.
bool runPassBehind(mlir::ModuleOp module, const std::string &pass);

} // namespace memreflens

#endif // MEMREFLENS_PIPELINE_RUN_ANALYSIS_H
