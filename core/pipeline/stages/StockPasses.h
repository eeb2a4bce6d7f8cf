//===- core/pipeline/stages/StockPasses.h ---------------------------------===//
//
// MLIR's passes that may run twice.
//
// Those passes of MLIR that read and change IR and do nothing else, so that
// running one a second time, over a copy, is noticed by nobody.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_PIPELINE_STAGES_STOCKPASSES_H
#define MEMREFLENS_PIPELINE_STAGES_STOCKPASSES_H

#include "llvm/ADT/StringRef.h"

namespace memreflens {

/// Whether a stage's IR is made here also where a tool has made it: by a pass
/// of ours, or by one of MLIR's that is known to do nothing else, and that is
/// found by name once registerPipelinePasses (upstream/PassNames.h) was called.
/// Of those that print, write files, start programs, or run what a file says,
/// none is. `pass` may have anchors and options.
bool isMadeHere(llvm::StringRef pass);

} // namespace memreflens

#endif // MEMREFLENS_PIPELINE_STAGES_STOCKPASSES_H
