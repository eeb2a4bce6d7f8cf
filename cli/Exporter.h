//===- cli/Exporter.h - pictures and reports, from a trace to files -------===//
//
// `memref-lens export`: one function to one file or to standard output, or
// every function to a folder with an index.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_CLI_EXPORTER_H
#define MEMREFLENS_CLI_EXPORTER_H

#include "cli/Options.h"
#include "core/check/Finding.h"

namespace memreflens {

/// What `export` writes.
struct ExportOptions {
  /// dot, svg, png, html, json or md; by the output's ending if not given.
  std::string format;
  /// cfg, lifetimes, memory, arena or tensors.
  std::string view = "cfg";
  /// Stage to draw; -1 for the user's program with its decisions.
  int stage = -1;
  /// Second stage of a comparison; -1 for none.
  int against = -1;
  /// light or dark; empty: light, and in a page what the browser prefers.
  std::string theme;
  /// blocks or ops.
  std::string detail = "ops";
  /// Name of a value to emphasise; empty for none.
  std::string highlight;
};

/// Writes what the options ask for, with the run that they name. Returns an
/// `ExitStatus`; complaints go to stderr.
int exportTrace(const CliOptions &options, const trace::Trace &trace,
                const FileReport *findings = nullptr);

} // namespace memreflens

#endif // MEMREFLENS_CLI_EXPORTER_H
