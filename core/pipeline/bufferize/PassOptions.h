//===- core/pipeline/bufferize/PassOptions.h - options from text ----------===//
//
// The options of `one-shot-bufferize{...}` as its steps take them. The pass of
// MLIR 22 takes no callbacks, and so its steps are run one by one, with what
// the pass makes of each of its options.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_PIPELINE_BUFFERIZE_PASSOPTIONS_H
#define MEMREFLENS_PIPELINE_BUFFERIZE_PASSOPTIONS_H

#include "mlir/Dialect/Bufferization/Transforms/OneShotAnalysis.h"

#include <string>
#include <vector>

namespace memreflens::bufferize {

struct PassOptions {
  mlir::bufferization::OneShotBufferizationOptions steps;
  /// What `steps` refers to.
  std::vector<std::string> notAnalysed;
};

/// Sets `made` to the options of `text`, what is inside of the braces. On
/// failure the pass's own message; else empty. `made` must stay where it is.
std::string readPassOptions(llvm::StringRef text, PassOptions &made);

} // namespace memreflens::bufferize

#endif // MEMREFLENS_PIPELINE_BUFFERIZE_PASSOPTIONS_H
