//===- core/pipeline/upstream/Compare.h - our trace held against upstream -===//
//
// Runs upstream's pipeline beside ours on one file and says, for each function,
// whether the IR after every stage is the same, whether a rejection is the
// same, or in what way upstream itself failed.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_PIPELINE_UPSTREAM_COMPARE_H
#define MEMREFLENS_PIPELINE_UPSTREAM_COMPARE_H

#include "core/pipeline/upstream/UpstreamRun.h"

namespace memreflens {

enum class Verdict {
  identical,
  rejectedAlike,
  upstreamCrashed,
  upstreamTimedOut,
  upstreamReadsFreedMemory,
  /// Upstream's own result changes from run to run, shown by running it with
  /// its objects at other addresses; it is no reference there.
  upstreamOrderVaries,
  different,
};

/// `identical`, `rejected alike`, ...
llvm::StringRef verdictText(Verdict verdict);

struct FunctionVerdict {
  trace::Id chunk = trace::none;
  /// Its title.
  std::string function;
  Verdict verdict = Verdict::identical;
  /// First stage in question; the last if all are identical.
  int stage = 0;
  /// What upstream died of: the name of a signal, or an exit status.
  std::string signal;
  /// Why, or the first differing lines; where, if upstream died.
  std::string detail;
};

struct FileComparison {
  /// The chunks that did not parse are problems of the trace.
  trace::Trace trace;
  std::vector<FunctionVerdict> functions;
  bool isDifferent() const;
};

struct CompareOptions {
  AnalysisOptions analysis;
  /// Limit in seconds for each run of upstream.
  double seconds = 600;
};

FileComparison compareFile(const trace::Source &source,
                           const mlir::DialectRegistry &registry,
                           const CompareOptions &options);

} // namespace memreflens

#endif // MEMREFLENS_PIPELINE_UPSTREAM_COMPARE_H
