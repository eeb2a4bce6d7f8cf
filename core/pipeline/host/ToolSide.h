//===- core/pipeline/host/ToolSide.h - our stages beside those of a tool --===//
//
// Holds each of our stages against what the tool's pass made of the same
// program, and goes on from the tool's IR where that differs or where only the
// tool has the pass.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_PIPELINE_HOST_TOOLSIDE_H
#define MEMREFLENS_PIPELINE_HOST_TOOLSIDE_H

#include "core/pipeline/host/ToolRun.h"
#include "core/pipeline/record/Recorder.h"

namespace memreflens {

class ToolSide {
public:
  struct Verdict {
    trace::Agreement agreement = trace::Agreement::notCompared;
    std::string difference;
  };

  /// `module` gets the locations of the tool's input, which it must be the same
  /// as. Null, and `fault` says why, where the run cannot be read or is of
  /// another program.
  static std::unique_ptr<ToolSide>
  open(const ToolRun &run, mlir::ModuleOp module, std::string &fault);

  bool reached(int stage) const { return replay->reached(stage); }
  /// After our pass, whose IR `ours` is. Where it is not the tool's, `ours`
  /// becomes that.
  Verdict hold(int stage, mlir::ModuleOp ours, Recorder &recorder);
  /// In the place of a pass that we do not have. Fails where the tool's IR
  /// cannot be read.
  mlir::LogicalResult take(int stage, mlir::ModuleOp ours, Recorder &recorder);

private:
  std::unique_ptr<ToolReplay> replay;
};

} // namespace memreflens

#endif // MEMREFLENS_PIPELINE_HOST_TOOLSIDE_H
