//===- cli/Pipelines.h - one program, several ways to free ----------------===//
//
// `memref-lens compare --pipelines classic,hoist+classic,ownership FILE`: what
// each way costs, function by function, as a table.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_CLI_PIPELINES_H
#define MEMREFLENS_CLI_PIPELINES_H

#include "cli/Options.h"
#include "cli/PipelineTable.h"
#include "core/pipeline/run/Worker.h"

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace memreflens {

/// Runs each pipeline on the file, in a process of its own; the exit status.
int comparePipelines(const CliOptions &options, const trace::Source &source,
                     const mlir::DialectRegistry &registry,
                     const WorkerOptions &worker, PipelineTable &table);

} // namespace memreflens

#endif // MEMREFLENS_CLI_PIPELINES_H
