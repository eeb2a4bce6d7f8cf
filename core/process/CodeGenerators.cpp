//===- core/process/CodeGenerators.cpp ------------------------------------===//

#include "core/process/CodeGenerators.h"

namespace memreflens {

/// Upstream's passes that start LLVM's targets: those of TargetUtils.h in
/// mlir/Target/LLVMIR, and `gpu-module-to-binary` by what the modules' target
/// attributes do; pipelines with that pass in them, the sparsifier's where it
/// is told a GPU.
static constexpr std::string_view needed[] = {
    "llvm-target-to-", "gpu-module-to-binary", "gpu-lower-to-", "gpu-triple"};

bool mayNeedCodeGenerators(std::string_view text) {
  for (std::string_view one : needed)
    if (text.find(one) != text.npos)
      return true;
  return false;
}

} // namespace memreflens
