//===- lsp/analysis/AnalystState.h - what the parts of the analyst share --===//
//
// Settings, what is known against functions, and what was done. Written by the
// thread of the server's loop, while no other thread is at work; those read it.
// `progress` takes any thread.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_LSP_ANALYSIS_ANALYSTSTATE_H
#define MEMREFLENS_LSP_ANALYSIS_ANALYSTSTATE_H

#include "core/pipeline/run/Analysis.h"
#include "lsp/analysis/Options.h"
#include "lsp/analysis/Progress.h"
#include "lsp/analysis/Units.h"

#include <functional>
#include <set>

namespace memreflens::lsp {

/// A function that an earlier process died on.
struct Fatal {
  /// Of a unit, or of its paths.
  uint64_t key = 0;
  int stage = 0;
  bool timedOut = false;
  std::string message;
};

/// What was done since the process began.
struct Tally {
  /// Functions: analysed, with those whose paths were tried apart; whose traces
  /// were taken from the shelf or another document; that made room.
  uint64_t analysed = 0, explored = 0, takenBack = 0, dropped = 0;
  /// Bytes of all traces held, estimated.
  size_t held = 0;
  /// Seconds: cutting texts into functions, parsing these, all their stages.
  double cutting = 0, parsing = 0, stages = 0;
};

using RegistryOf =
    std::function<const mlir::DialectRegistry &(const std::string &uri)>;

struct AnalystState {
  /// `tell` is told what is analysed, by any thread.
  AnalystState(RegistryOf registryOf, Progress::Tell tell)
      : registryOf(std::move(registryOf)), progress(std::move(tell)) {}

  ServerOptions options;
  RegistryOf registryOf;
  Progress progress;
  Tally tally;
  std::vector<Fatal> fatals;
  /// Analysed alone, since one of them killed an earlier process.
  std::set<uint64_t> suspects;

  /// Null if nothing is known against it.
  const Fatal *fatalOf(uint64_t key) const;
  const Fatal *fatalOf(const Unit &unit) const { return fatalOf(unit.key); }
  /// Whether it killed an earlier process, maybe: then nothing else runs.
  bool isSuspect(const Unit &unit) const {
    return suspects.contains(unit.key) || fatalOf(unit) != nullptr;
  }
  /// Of a run over these units.
  AnalysisOptions optionsFor(const std::vector<const Unit *> &units) const;
};

/// Runs a few units' stages, telling the parent where it is.
Analysis follow(Progress::Piece &piece, trace::Source source,
                const mlir::DialectRegistry &registry, AnalysisOptions options);

} // namespace memreflens::lsp

#endif // MEMREFLENS_LSP_ANALYSIS_ANALYSTSTATE_H
