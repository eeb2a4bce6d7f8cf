//===- core/pipeline/run/Probe.h - an analysis as a worker's job ----------===//
//
// What every job of a worker (Worker.h) that analyses a file needs: tell where
// it is, set aside what killed it before, and answer which functions are fatal.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_PIPELINE_RUN_PROBE_H
#define MEMREFLENS_PIPELINE_RUN_PROBE_H

#include "core/pipeline/run/Analysis.h"
#include "core/pipeline/run/Worker.h"

namespace memreflens {

/// Makes the analysis of the job's file number `file` tell the worker where it
/// is, and sets aside what the worker knows to be fatal.
void followWorker(const WorkerRequest &request, int file,
                  AnalysisOptions &options);

/// Answers `request.probe`: runs its chunk with only functions [begin, end) in
/// it, up to its stage. `options` are those of the real run.
void runProbe(const trace::Source &source,
              const mlir::DialectRegistry &registry, AnalysisOptions options,
              const WorkerRequest &request);

} // namespace memreflens

#endif // MEMREFLENS_PIPELINE_RUN_PROBE_H
