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

} // namespace memreflens

#endif // MEMREFLENS_PIPELINE_STOCKPASSES_H
