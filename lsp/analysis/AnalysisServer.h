//===- lsp/analysis/AnalysisServer.h - the child that analyses ------------===//
//
// Reads documents, edits and requests from standard input and answers on
// standard output, as frames. While nothing comes, it analyses what waits. It
// may die of any input: its parent knows what it was at.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_LSP_ANALYSIS_ANALYSISSERVER_H
#define MEMREFLENS_LSP_ANALYSIS_ANALYSISSERVER_H

#include "lsp/analysis/Analyst.h"

namespace memreflens::lsp {

/// Runs until its input ends; the exit status. The client's settings come on
/// top of `defaults`.
int runAnalysisServer(const RegistryOf &registryOf,
                      const ServerOptions &defaults);

} // namespace memreflens::lsp

#endif // MEMREFLENS_LSP_ANALYSIS_ANALYSISSERVER_H
