//===- core/pipeline/StockPasses.h - MLIR's passes that may run twice -----===//
//
// Those passes of MLIR that read and change IR and do nothing else, so that
// running one a second time, over a copy, is noticed by nobody.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_PIPELINE_STOCKPASSES_H
#define MEMREFLENS_PIPELINE_STOCKPASSES_H

#include "llvm/ADT/StringRef.h"

namespace memreflens {

/// Whether the pass, by its name without options, is known to be one. Of those
/// that print, write files, start programs, or run what a file says, none is.
bool changesOnlyIr(llvm::StringRef passName);
/// Whether a stage's IR is made here also where a tool has made it: by a pass
/// of ours, or by one of these. `pass` may have anchors and options.
bool isMadeHere(llvm::StringRef pass);

} // namespace memreflens

#endif // MEMREFLENS_PIPELINE_STOCKPASSES_H
