//===- cli/Check.h - the command `memref-lens check` ----------------------===//
//
// Checks each file in a worker of its own, some at a time, gathers what they
// find, and prints it all in one format.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_CLI_CHECK_H
#define MEMREFLENS_CLI_CHECK_H

#include "cli/Options.h"
#include "core/check/Finding.h"
#include "core/check/Measure.h"
#include "core/pipeline/run/Analysis.h"
#include "core/process/Child.h"
#include "core/process/Gate.h"
#include "core/symexec/BoundedExploration.h"

#include <functional>

namespace memreflens {

/// What is wrong with one file; for inside a worker. `analysis` says what is
/// set aside, and is told each stage. With `threads`, functions of large files
/// are checked side by side. `measures` is what its result comes to.
FileReport checkSource(const trace::Source &source,
                       const mlir::DialectRegistry &registry,
                       const CheckOptions &check, AnalysisOptions analysis,
                       unsigned threads, Measures &measures);

/// Adds to an analysis what `check` looks at; gives the findings, once the
/// analysis is done, of its trace, with the remedies that the overview tests.
/// All must outlive it.
std::function<FileReport(const trace::Trace &)>
lookForFindings(const CliOptions &options, const trace::Source &source,
                const mlir::DialectRegistry &registry,
                AnalysisObservers &analysis, unsigned threads);

/// Writes the report where the command reads it; false if that fails.
bool writeReport(FileReport report, const std::string &path);
/// The same of what was counted, for `addTrials`.
bool writeMeasures(const Measures &measures, const std::string &path);

/// Completes a file's report with what remedies do. Where a core is free, the
/// program of the copies is read beside the analysis, and copies are begun that
/// will most likely be wanted, in a process that waits then.
class FileTrials {
public:
  /// Before the analysis; the options tell where it leaves its report.
  FileTrials(const CliOptions &options, const trace::Source &source,
             const mlir::DialectRegistry &registry, bool goesAhead);
  ~FileTrials();
  FileTrials(const FileTrials &) = delete;
  FileTrials &operator=(const FileTrials &) = delete;
  /// Once the analysis has left its report.
  void add();

private:
  int goAhead();

  const CliOptions &options;
  const trace::Source &source;
  const mlir::DialectRegistry &registry;
  Child ahead;
  Gate isReported;
};

/// How far the path explorer goes.
symexec::ExploreLimits limitsOf(const CheckOptions &options);

/// `compare --before A --after B`: what the second does differently.
int runVersions(const CliOptions &options,
                const mlir::DialectRegistry &registry);

/// The whole command.
int runCheck(const CliOptions &options, const mlir::DialectRegistry &registry);

} // namespace memreflens

#endif // MEMREFLENS_CLI_CHECK_H
