//===- cli/CheckTry.h - remedies, applied to copies of a program ----------===//
//
// Each remedy that may help against a file's findings is applied to a copy in a
// process of its own; what came of it is added to the findings. Bounded by the
// number of ops that all copies together have (`CheckOptions::tryOps`).
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_CLI_CHECKTRY_H
#define MEMREFLENS_CLI_CHECKTRY_H

#include "cli/Options.h"
#include "core/check/Measure.h"

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace memreflens {

/// File beside a worker's report that has the measures of its run.

bool writeMeasures(const Measures &measures, const std::string &path);

/// Completes the report at `options.reportPath`.
void tryRemedies(const CliOptions &options, const trace::Source &source,
                 const mlir::DialectRegistry &registry);

} // namespace memreflens

#endif // MEMREFLENS_CLI_CHECKTRY_H
