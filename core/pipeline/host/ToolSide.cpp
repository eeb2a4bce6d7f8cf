//===- core/pipeline/host/ToolSide.cpp ------------------------------------===//

#include "core/pipeline/host/ToolSide.h"
#include "core/pipeline/host/TakenIr.h"

#include "mlir/IR/BuiltinOps.h"

using namespace mlir;

namespace memreflens {

using trace::Agreement;

std::unique_ptr<ToolSide> ToolSide::open(const ToolRun &run, ModuleOp module,
                                         std::string &fault) {
  auto side = std::make_unique<ToolSide>();
  side->replay = ToolReplay::open(run, module.getContext(), {module});
  if (!side->replay) {
    fault = "the program that the tool's passes ran on cannot be read back: a "
            "dialect of it is not in the registry of the tool's context";
    return nullptr;
  }
  ModuleOp input = side->replay->after();
  fault = firstDifference(module, input, [](Operation *) { return false; });
  if (!fault.empty()) {
    fault = "this is not the program that the tool's passes ran on: " + fault;
    return nullptr;
  }
  adoptLocations(module, input);
  return side;
}

ToolSide::Verdict ToolSide::hold(int stage, ModuleOp ours, Recorder &recorder) {
  if (!replay->reached(stage))
    return {Agreement::notReached, {}};
  if (failed(replay->advance(stage)))
    return {Agreement::different, "the tool's IR cannot be read back"};
  std::string difference =
      firstDifference(ours, replay->after(),
                      [&](Operation *op) { return recorder.isIgnored(op); });
  if (difference.empty())
    return {Agreement::identical, {}};
  takeIr(ours, {}, replay->after(), recorder);
  return {Agreement::different, std::move(difference)};
}

LogicalResult ToolSide::take(int stage, ModuleOp ours, Recorder &recorder) {
  if (failed(replay->advance(stage)))
    return failure();
  if (replay->changed())
    takeIr(ours, replay->before(), replay->after(), recorder);
  return success();
}

} // namespace memreflens
