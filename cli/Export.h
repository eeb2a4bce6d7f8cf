//===- cli/Export.h - pictures and reports, from a trace to files ---------===//
//
// `memref-lens export`: one function to one file or to standard output, or
// every function to a folder with an index.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_CLI_EXPORT_H
#define MEMREFLENS_CLI_EXPORT_H

#include "cli/Options.h"
#include "core/check/Finding.h"

namespace memreflens {

/// Writes what the options ask for, with the run that they name. Returns an
/// `ExitStatus`; complaints go to stderr.
int exportTrace(const CliOptions &options, const trace::Trace &trace,
                const FileReport *findings = nullptr);

/// Whether a file's text is a saved trace, not a program.
bool isSavedTrace(const trace::Source &source);

} // namespace memreflens

#endif // MEMREFLENS_CLI_EXPORT_H
