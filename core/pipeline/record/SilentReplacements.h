//===- core/pipeline/record/SilentReplacements.h --------------------------===//
//
// An op may be given other operands in silence, by no rewrite that anybody
// hears of. After the stage the program's ops show it: where all of them use
// another memref than they did, that one took the old one's place.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_PIPELINE_RECORD_SILENTREPLACEMENTS_H
#define MEMREFLENS_PIPELINE_RECORD_SILENTREPLACEMENTS_H

namespace mlir {
class Operation;
} // namespace mlir

namespace memreflens {

class Recorder;

/// Records which of the program's memrefs the ops below `root` use in the place
/// of others now, where no rewrite said so. A silent recorder records nothing.
void recordSilentReplacements(mlir::Operation *root, Recorder &recorder);

} // namespace memreflens

#endif // MEMREFLENS_PIPELINE_RECORD_SILENTREPLACEMENTS_H
