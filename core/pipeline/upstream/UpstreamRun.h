//===- core/pipeline/upstream/UpstreamRun.h - what stock MLIR does --------===//
//
// Runs MLIR's own buffer-deallocation-pipeline on one chunk in a child process,
// since it can crash or run for hours, and returns the IR after each stage, or
// the error, or how it died.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_PIPELINE_UPSTREAM_UPSTREAMRUN_H
#define MEMREFLENS_PIPELINE_UPSTREAM_UPSTREAMRUN_H

#include "core/pipeline/run/Analysis.h"
#include "core/process/Child.h"
#include "core/trace/Plan.h"

#include <set>
#include <string>
#include <vector>

namespace memreflens {

/// Stages of upstream's pipeline.
inline const int stageCount = trace::lastStage({});

enum class UpstreamEnding { finished, rejected, crashed, timedOut };

struct UpstreamResult {
  UpstreamEnding ending = UpstreamEnding::finished;
  /// Text of the input and after each stage that ended.
  std::vector<std::string> texts;
  /// Between the steps of each one-shot-bufferize in front of the pipeline.
  std::vector<std::string> copies;
  /// Stage that reported an error or died.
  int stage = 0;
  std::string message;
  /// Byte offset in the user's text that the error points at; -1 if none.
  int64_t offset = -1;
  /// How its process ended, if it crashed.
  ChildEnd end;
};

struct UpstreamRequest {
  trace::Id chunk = trace::none;
  /// Titles of the functions whose bodies are replaced by a stand-in first.
  std::set<std::string> standIns;
  /// Not zero: objects come to lie at other addresses, which changes nothing in
  /// a program that does not depend on them.
  unsigned perturbation = 0;
  /// Limit in seconds for the whole run; 0 for none.
  double seconds = 0;
};

UpstreamResult runUpstream(const trace::Source &source,
                           const mlir::DialectRegistry &registry,
                           const AnalysisRequest &analysis,
                           const UpstreamRequest &request);

} // namespace memreflens

#endif // MEMREFLENS_PIPELINE_UPSTREAM_UPSTREAMRUN_H
