//===- lsp/analysis/Analyst.h - documents and their traces ----------------===//
//
// Holds each open document's text and, for each of its functions, the newest
// trace. A function is analysed when somebody asks for it, or in the
// background; one whose text did not change is never analysed again. Each part
// does one of that, and says which thread may call it; the functions here are
// for the server's loop alone.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_LSP_ANALYSIS_ANALYST_H
#define MEMREFLENS_LSP_ANALYSIS_ANALYST_H

#include "lsp/analysis/PathScheduler.h"
#include "lsp/analysis/RemedyTests.h"
#include "lsp/analysis/RunRecord.h"
#include "lsp/analysis/Scheduler.h"
#include "lsp/analysis/SoloRuns.h"

namespace memreflens::lsp {

struct Analyst {
  /// `tell` is told what is analysed, by any thread.
  Analyst(RegistryOf registryOf, Progress::Tell tell)
      : state(std::move(registryOf), std::move(tell)) {}

  /// Other options hold from now on: functions are looked at again, and
  /// analysed if their traces depend on what changed.
  void setOptions(const ServerOptions &fresh);
  /// The run that the settings name, if it is of the document's text; or else
  /// null, and why in `why`, if any is named.
  const execute::Record *runOf(const Document &document, std::string &why);

  /// Before all whose traces it counts.
  AnalystState state;
  const ServerOptions &options = state.options;
  TraceCache cache{state};
  DocumentStore documents{state, cache};
  Scheduler scheduler{state, documents, cache};
  PathScheduler paths{state, documents, cache};
  SoloRuns soloRuns{state};
  RemedyTests remedyTests{state, documents};
  NamedRun namedRun;
};

} // namespace memreflens::lsp

#endif // MEMREFLENS_LSP_ANALYSIS_ANALYST_H
