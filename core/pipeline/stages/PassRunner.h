//===- core/pipeline/stages/PassRunner.h - which code runs a pass ---------===//
//
// The passes of upstream's pipeline have a runner each, of two kinds: one
// records what the pass does (Stages.cpp), one only does it (Unrecorded.cpp).
// The table of core/upstream/Passes.h says which passes these are.
//
//   runnerOf(pass, ways)   // ways.canonicalize of "func.func(canonicalize)"
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_PIPELINE_STAGES_PASSRUNNER_H
#define MEMREFLENS_PIPELINE_STAGES_PASSRUNNER_H

#include "core/trace/Model.h"
#include "core/upstream/Passes.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Rewrite/FrozenRewritePatternSet.h"

#include <memory>
#include <optional>
#include <string>

namespace memreflens {

class RewriteRecorder;

/// Runs passes on one module, recorded or not. Each fails where upstream's pass
/// does.
class PassRunner {
public:
  explicit PassRunner(mlir::ModuleOp module) : module(module) {}
  virtual ~PassRunner() = default;

  /// Runs one of the pipeline; `pass` is its text, which may have anchors.
  mlir::LogicalResult run(upstream::PassId id, const std::string &pass);

protected:
  virtual mlir::LogicalResult expandRealloc() = 0;
  virtual mlir::LogicalResult canonicalize(const std::string &pass) = 0;
  virtual mlir::LogicalResult place() = 0;
  virtual mlir::LogicalResult simplify() = 0;
  virtual mlir::LogicalResult lower() = 0;
  virtual mlir::LogicalResult cse(const std::string &pass) = 0;

  /// The verifier is for the caller.
  mlir::LogicalResult runPass(std::unique_ptr<mlir::Pass> pass);
  /// Of the canonicalizer, which runs three times.
  const mlir::FrozenRewritePatternSet &getPatterns();

  mlir::ModuleOp module;

private:
  std::optional<mlir::FrozenRewritePatternSet> patterns;
};

/// Which of upstream's passes is run by its runner: with any options, below any
/// anchors, or as the pipeline has it alone. Nothing for another pass.
std::optional<upstream::PassId> runnerOf(const std::string &pass);

/// Upstream's simplification of deallocs, with what is stated of the program.
/// `rewrites` is told what it does; null if nobody is.
mlir::LogicalResult simplifyAsStated(mlir::ModuleOp module,
                                     const trace::RunOptions &run,
                                     RewriteRecorder *rewrites);

} // namespace memreflens

#endif // MEMREFLENS_PIPELINE_STAGES_PASSRUNNER_H
