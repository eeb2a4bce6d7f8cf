//===- core/pipeline/upstream/PassNames.h - MLIR's passes by name ---------===//
//
// For programs that register no pass. Apart from the traced pipeline, which
// must not name upstream's ownership pass.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_PIPELINE_UPSTREAM_PASSNAMES_H
#define MEMREFLENS_PIPELINE_UPSTREAM_PASSNAMES_H

namespace memreflens {

/// Registers MLIR's passes on any dialect, on memrefs and of bufferization,
/// with the deallocation pipeline. May be called again.
void registerPipelinePasses();

} // namespace memreflens

#endif // MEMREFLENS_PIPELINE_UPSTREAM_PASSNAMES_H
