//===- core/pipeline/stages/Skipped.h - functions that take no part -------===//
//
// The functions of a chunk that a stage is run without, and why: rejected by it
// or by a stage before, known to kill it, spoiled by it, or too large for it.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_PIPELINE_STAGES_SKIPPED_H
#define MEMREFLENS_PIPELINE_STAGES_SKIPPED_H

#include "core/pipeline/record/Recorder.h"
#include "core/pipeline/stages/Stages.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <map>

namespace memreflens {

/// The first error that a stage reported, with its place.
struct StageError {
  std::string message;
  int64_t offset = -1;
};

enum class SkipReason : uint8_t {
  /// For good: its original is shown, a stand-in keeps the module whole.
  rejected,
  /// The stage makes invalid IR of it: what it was before is shown from then
  /// on.
  spoiled,
  /// For this stage only: a declaration stands in its place.
  tooLarge
};

struct Skipped {
  SkipReason reason = SkipReason::rejected;
  trace::Id function = trace::none;
  /// What is shown of it, or put back.
  mlir::Operation *original = nullptr;
  /// What stands in the module; null once a pass erased it, as it would have
  /// erased the function.
  mlir::Operation *standIn = nullptr;
  int stage = 0;
  std::string why;
  /// What was known of it before, if it was.
  const Quarantined *known = nullptr;
};

class SkippedFunctions {
public:
  /// All must outlive it; `retry` takes whom to run again without.
  SkippedFunctions(mlir::ModuleOp module, trace::Id chunk,
                   const StageOptions &options, Recorder &recorder,
                   trace::Trace &trace, std::vector<Quarantined> &retry)
      : module(module), chunk(chunk), options(options), recorder(recorder),
        trace(trace), retry(retry) {}
  ~SkippedFunctions();

  /// Those that take part.
  std::vector<mlir::func::FuncOp> others() const;
  /// Those of them that are rejected, in the order in which they were.
  llvm::ArrayRef<Skipped> rejected() const { return aside; }

  /// Before a stage: those known to end it.
  void skipKnown(int stage);
  /// Asks for another run without the functions that may kill canonicalize;
  /// whether there are any.
  bool rejectUnsafe(int stage);
  /// Before and after a stage: those of which it makes invalid IR.
  void keepSpoiled(int stage);
  void dropSpoiled();
  /// Before and after a stage: those too large for it.
  void takeOutLarge(int stage);
  void putBackLarge();
  /// After the last: which were too large, and for what.
  void tellLarge();
  /// The function was rejected by the event recorded last; gives its stand-in.
  mlir::func::FuncOp reject(mlir::func::FuncOp function,
                            mlir::Operation *before);
  /// A pass may erase a function that nobody calls, or put another in its
  /// place.
  void forgetErased();
  /// Finds the function that made a stage fail, to run again without it.
  void blame(int stage, const StageError &error, bool ranThrough);
  /// Calls `print` with the originals in the place of their stand-ins.
  std::string shown(llvm::function_ref<std::string()> print);

private:
  mlir::func::FuncOp find(llvm::StringRef name) const;
  std::string titleOf(mlir::func::FuncOp function) const;
  void setAside(mlir::func::FuncOp function, mlir::Operation *shown, int stage,
                std::string why);
  void setAside(const Quarantined &entry, mlir::func::FuncOp function,
                mlir::Operation *shown, int stage);

  mlir::ModuleOp module;
  trace::Id chunk;
  const StageOptions &options;
  Recorder &recorder;
  trace::Trace &trace;
  std::vector<Quarantined> &retry;
  std::vector<Skipped> aside;
  /// Of the current stage.
  std::vector<Skipped> spoiled, large;
  /// By function: its ops, and the stages that it was too large for.
  std::map<trace::Id, std::pair<int64_t, std::vector<std::string>>> tooLarge;
};

} // namespace memreflens

#endif // MEMREFLENS_PIPELINE_STAGES_SKIPPED_H
