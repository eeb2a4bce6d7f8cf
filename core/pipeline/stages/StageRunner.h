//===- core/pipeline/stages/StageRunner.h ---------------------------------===//
//
// The stages of one chunk, inside.
//
// For Stages.cpp, which runs the passes, and StageAside.cpp, which sets aside
// the functions that a stage refuses and keeps the text of each stage.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_PIPELINE_STAGES_STAGERUNNER_H
#define MEMREFLENS_PIPELINE_STAGES_STAGERUNNER_H

#include "core/pipeline/host/ToolSide.h"
#include "core/pipeline/record/Difference.h"
#include "core/pipeline/stages/Lowering.h"
#include "core/pipeline/stages/PassPlan.h"
#include "core/pipeline/stages/Rewrites.h"
#include "core/pipeline/stages/Stages.h"
#include "core/trace/Plan.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Rewrite/FrozenRewritePatternSet.h"

#include <map>

namespace memreflens {

/// The first error that a stage reported, with its place.
struct StageError {
  std::string message;
  int64_t offset = -1;
  mlir::Operation *op = nullptr;
};

/// A function that no longer takes part: what is shown for it, and the stand-in
/// that keeps the module whole.
struct SetAside {
  trace::Id function = trace::none;
  mlir::Operation *original = nullptr;
  /// Null once a pass erased it, as it would have erased the function.
  mlir::Operation *standIn = nullptr;
  int stage = 0;
  std::string why;
};

/// A function of which a stage is known to make invalid IR.
struct Spoiled {
  const Quarantined *entry = nullptr;
  mlir::func::FuncOp function;
  mlir::Operation *before = nullptr;
};

/// A function that is too large for a stage, and the declaration that stands in
/// its place meanwhile.
struct LeftOut {
  mlir::func::FuncOp function;
  mlir::Operation *declaration = nullptr;
};

/// Runs the stages of one chunk.
class StageRunner {
public:
  StageRunner(mlir::ModuleOp module, trace::Id chunk,
              const StageOptions &options, trace::Trace &trace)
      : module(module), chunk(chunk), options(options), trace(trace),
        recorder(trace) {}
  ~StageRunner();
  StagesResult run();

private:
  void runStage(int stage);
  bool isOurs(int stage) const;
  std::vector<mlir::Operation *> rootsOf(const NestedPass &pass);
  bool endsAt(int stage);
  void holdAgainstTool(int stage);
  void forgetErasedStandIns();
  mlir::LogicalResult transform(int stage);
  mlir::LogicalResult runTransform(int stage);
  bool onlySimplifies(int stage) const;
  std::vector<LeftOut> leaveOutLarge(int stage);
  void tellLeftOut();
  mlir::LogicalResult runPass(std::unique_ptr<mlir::Pass> pass);
  mlir::LogicalResult canonicalize(const NestedPass &pass);
  mlir::LogicalResult simplify();
  mlir::LogicalResult runOwnership();
  mlir::LogicalResult runOwnershipOn(mlir::func::FuncOp function,
                                     mlir::SymbolTableCollection &symbolTables);
  mlir::LogicalResult lower();
  mlir::LogicalResult cse(const NestedPass &pass);
  mlir::LogicalResult runClassic();
  mlir::LogicalResult runText(const std::string &pass);
  mlir::LogicalResult runPlacement(const std::string &pass);
  void refuse(mlir::func::FuncOp function, mlir::Operation *before);
  std::vector<mlir::func::FuncOp> functionsWithBody();
  const std::string &passOf(int stage) const {
    return trace::passesOf(trace.options)[size_t(stage) - 1];
  }
  bool isPass(int stage, std::string_view name) const {
    return trace::isPass(trace.options, stage, name);
  }

  /// What the trace calls it.
  std::string titleOf(mlir::func::FuncOp function);
  void setAsideQuarantined(int stage);
  bool refuseUnsafe(int stage);
  void keepQuarantined(int stage);
  void dropInvalid(int stage);
  void setAside(const Quarantined &entry, mlir::func::FuncOp function,
                mlir::Operation *shown, int stage);
  void setAside(mlir::func::FuncOp function, mlir::Operation *shown, int stage,
                std::string why);
  void runOwnershipOnStandIn(mlir::func::FuncOp standIn,
                             mlir::SymbolTableCollection &symbolTables);
  void blame(int stage, const StageError &error, bool ranThrough);
  std::string print(StageText form);
  void recordText(int stage);
  mlir::func::FuncOp findFunction(llvm::StringRef name);

  mlir::ModuleOp module;
  trace::Id chunk;
  const StageOptions &options;
  trace::Trace &trace;
  Recorder recorder;
  DeallocNumbers numbers;
  std::vector<SetAside> aside;
  /// Functions that the current stage will spoil, as they were before it.
  std::vector<Spoiled> spoiled;
  std::vector<DeallocBefore> lowered;
  /// As it was before a pass that records nothing.
  std::optional<Difference> unrecorded;
  /// Of the canonicalizer, which runs three times.
  std::optional<mlir::FrozenRewritePatternSet> patterns;
  std::string previousText;
  ToolSide::Verdict verdict;
  /// The verifier accepts the module as it is.
  bool isVerified = false;
  /// By function: its ops, and the stages that it was left out of.
  std::map<trace::Id, std::pair<int64_t, std::vector<std::string>>> leftOut;
  StagesResult result;
};

} // namespace memreflens

#endif // MEMREFLENS_PIPELINE_STAGES_STAGERUNNER_H
