//===- core/pipeline/host/ToolRun.h - what another tool's passes made -----===//
//
// The IR after each pass that a tool ran, kept as bytecode while it runs, and
// read back stage by stage to be held against ours.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_PIPELINE_HOST_TOOLRUN_H
#define MEMREFLENS_PIPELINE_HOST_TOOLRUN_H

#include "core/pipeline/host/ResourceKeys.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace memreflens {

/// Where an op is: for each op on the way down, its position among all ops of
/// its parent's regions. Empty for the op that the passes ran on.
using OpPath = std::vector<unsigned>;

/// What the tool's pass number n left behind.
struct ToolStage {
  /// The pass came to its end on everything that it ran on.
  bool reached = false;
  /// Bytecode of the module; empty where it is as before, but for `parts`.
  std::string whole;
  /// Bytecode of the ops that a nested pass changed. Of an op that is no
  /// module, these are all.
  std::map<OpPath, std::string> parts;
};

struct ToolRun {
  /// Bytecode of the module that the passes ran on, before the first. Another
  /// op than a module is the first one in it.
  std::string input;
  bool isModule = true;
  /// Stage n is element n - 1.
  std::vector<ToolStage> stages;

  bool reached(int stage) const {
    return size_t(stage) <= stages.size() && stages[size_t(stage) - 1].reached;
  }
};

/// Reads a run back, stage by stage, in any context that knows its dialects.
class ToolReplay {
public:
  /// Null if the input cannot be read (a dialect that no registry knows). Keys
  /// of resources will be those of `others`, programs that the context has read
  /// before.
  static std::unique_ptr<ToolReplay>
  open(const ToolRun &run, mlir::MLIRContext *context,
       llvm::ArrayRef<mlir::ModuleOp> others);

  /// Goes on to the next stage, which must be `stage` and have been reached;
  /// fails where its IR cannot be read.
  mlir::LogicalResult advance(int stage);
  bool reached(int stage) const { return run.reached(stage); }
  /// Whether the stage changed anything, locations included.
  bool changed() const { return bool(previous); }
  mlir::ModuleOp before() { return previous ? *previous : *current; }
  mlir::ModuleOp after() { return *current; }

private:
  ToolReplay(const ToolRun &run, mlir::MLIRContext *context)
      : run(run), context(context) {}
  mlir::OwningOpRef<mlir::ModuleOp> read(const std::string &bytecode);

  const ToolRun &run;
  mlir::MLIRContext *context;
  ResourceKeys keys;
  /// As it was before the stage; null where that changed nothing.
  mlir::OwningOpRef<mlir::ModuleOp> previous;
  mlir::OwningOpRef<mlir::ModuleOp> current;
};

/// An op and all in it, with locations, as bytecode.
std::string toBytecode(mlir::Operation *op);

/// The first lines in which two ops, with all in them, differ, locations aside:
/// "ours: ...; the tool's: ..."; empty if they are the same.
std::string firstDifference(mlir::Operation *ours, mlir::Operation *tools);

/// Whether both modules are the same op by op, locations aside, but for the ops
/// of `ours` that `isIgnored` names.
/// Returns the first lines that differ, "ours: ...; the tool's: ..."; empty if
/// none does.
std::string
firstDifference(mlir::ModuleOp ours, mlir::ModuleOp tools,
                const std::function<bool(mlir::Operation *)> &isIgnored);

} // namespace memreflens

#endif // MEMREFLENS_PIPELINE_HOST_TOOLRUN_H
