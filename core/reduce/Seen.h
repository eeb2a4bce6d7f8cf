//===- core/reduce/Seen.h - what findings are made of ---------------------===//
//
// Looks at a module before and after the pipeline, as `memref-lens check` does:
// paths of every function tried, ops that are rejected, calls.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_REDUCE_SEEN_H
#define MEMREFLENS_REDUCE_SEEN_H

#include "core/check/Collect.h"
#include "core/pipeline/run/Analysis.h"

#include <map>

namespace memreflens {

/// Must outlive the analysis that it was added to.
class Watcher {
public:
  /// Sets `analysis.onModule`.
  void addTo(AnalysisObservers &analysis);
  /// Once the analysis is done.
  CheckInputs take();

private:
  struct Chunk {
    std::vector<CallSite> calls;
    std::vector<AlsoRejected> rejected;
    std::vector<Explored> explored;
  };
  void look(Chunk &chunk, mlir::ModuleOp module, bool isFinal,
            const trace::Trace &trace);

  /// A chunk that is run again starts anew.
  std::map<trace::Id, Chunk> chunks;
};

} // namespace memreflens

#endif // MEMREFLENS_REDUCE_SEEN_H
