//===- core/trials/CppText.h - a remedy as calls of a pass manager --------===//
//
//   pm.addPass(createLiftControlFlowToSCFPass());
//   bufferization::buildBufferDeallocationPipeline(pm);
//
// To be pasted into a compiler that builds its pipeline in C++.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_TRIALS_CPPTEXT_H
#define MEMREFLENS_TRIALS_CPPTEXT_H

#include <string>
#include <vector>

namespace memreflens {

/// What goes with the deallocation pipeline, as mlir-opt takes it.
struct PassManagerSteps {
  /// Passes in front of it and behind it, between commas.
  std::string before, after;
  bool dynamicOwnership = false;
  /// Deallocs that never deallocate go. Takes our passes.
  bool dropsIdle = false;
  /// What is stated of results (`RunOptions::freshResults`): takes our passes.
  std::vector<std::string> freshResults;
  /// Functions that keep no pointer: buffers go after their last use. Takes our
  /// passes, too.
  std::vector<std::string> noCapture;
};

/// The lines; `pm` is a pass manager of modules, and `mlir` is used.
std::vector<std::string> cppFor(const PassManagerSteps &steps);

} // namespace memreflens

#endif // MEMREFLENS_TRIALS_CPPTEXT_H
