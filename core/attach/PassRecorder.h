//===- core/attach/PassRecorder.h - the IR after each pass of a tool ------===//
//
// Listens to a pass manager, in whatever nesting and on however many threads it
// runs its passes, and keeps what each made as bytecode.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_ATTACH_PASSRECORDER_H
#define MEMREFLENS_ATTACH_PASSRECORDER_H

#include "core/pipeline/host/ToolRun.h"
#include "core/pipeline/stages/PassPlan.h"

#include "mlir/IR/OperationSupport.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "mlir/Pass/PassManager.h"

#include <optional>

namespace memreflens {

/// A run of the passes, as far as it came.
struct RecordedRun {
  ToolRun tool;
  /// All passes of the pipeline; stage n is element n - 1.
  std::vector<NestedPass> passes;
  /// First file that the program has locations in; empty if none.
  std::string file;
  /// For reading the bytecode back.
  std::shared_ptr<mlir::DialectRegistry> registry;
  bool allowsUnregistered = false;
};

/// MLIR calls each function under a lock of its own.
class PassRecorder : public mlir::PassInstrumentation {
public:
  /// Told of each run at its end; with `isEnd` false, once before, as soon as
  /// all passes up to the ownership pass are such as memref-lens runs too.
  using Sink = std::function<void(const RecordedRun &run, bool isEnd)>;

  PassRecorder(mlir::PassManager &passes, bool tellsEarly, Sink sink)
      : manager(passes), tellsEarly(tellsEarly), sink(std::move(sink)) {}
  ~PassRecorder() override;

  void runBeforePipeline(std::optional<mlir::OperationName> name,
                         const PipelineParentInfo &parent) override;
  void runAfterPipeline(std::optional<mlir::OperationName> name,
                        const PipelineParentInfo &parent) override;
  void runBeforePass(mlir::Pass *pass, mlir::Operation *op) override;
  void runAfterPass(mlir::Pass *pass, mlir::Operation *op) override;
  void runAfterPassFailed(mlir::Pass *pass, mlir::Operation *op) override;

private:
  /// What a thread is in: a pass, or a pipeline that a pass runs.
  struct Frame {
    mlir::Pass *pass = nullptr;
    /// Within a pipeline that a pass made up at run time: part of that pass.
    bool isDynamic = false;
  };
  using Stack = std::vector<Frame>;

  void begin(mlir::Operation *root);
  void end();
  void placeChildren(mlir::Operation *op);
  int stageOf(mlir::Pass *pass, mlir::Operation *op);
  void tellEarly();
  bool isDynamic(uint64_t thread) const;
  /// What the pass made of `op`.
  void keep(mlir::Pass *pass, mlir::Operation *op);
  /// Leaves the pass; whether it is one of the pipeline's own.
  bool leave(mlir::Pass *pass);

  mlir::PassManager &manager;
  const bool tellsEarly;
  Sink sink;

  mlir::Operation *root = nullptr;
  RecordedRun run;
  std::map<uint64_t, Stack> threads;
  llvm::DenseMap<mlir::Operation *, OpPath> paths;
  /// Of each op that a pass is running on, as it was before.
  llvm::DenseMap<std::pair<mlir::Pass *, mlir::Operation *>,
                 std::pair<int, mlir::OperationFingerPrint>>
      running;
  llvm::DenseMap<const mlir::Pass *, int> stages;
  std::vector<bool> claimed, failedStages;
  bool hasTold = false;
};

} // namespace memreflens

#endif // MEMREFLENS_ATTACH_PASSRECORDER_H
