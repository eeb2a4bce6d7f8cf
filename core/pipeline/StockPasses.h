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

/// Registers MLIR's passes on any dialect, on memrefs and of bufferization, so
/// that they are known by name also where the program registers no pass. May be
/// called again.
void registerPipelinePasses();
/// Whether a stage's IR is made here also where a tool has made it: by a pass
/// of ours, or by one of MLIR's that is known to do nothing else, and found by
/// name once registerPipelinePasses was called. Of those that print, write
/// files, start programs, or run what a file says, none is. `pass` may have
/// anchors and options.
bool isMadeHere(llvm::StringRef pass);

} // namespace memreflens

#endif // MEMREFLENS_PIPELINE_STOCKPASSES_H
