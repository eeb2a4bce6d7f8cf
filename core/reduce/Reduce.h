//===- core/reduce/Reduce.h - the smallest program that shows it ----------===//
//
// Makes a program smaller, step by step, as long as it shows the same thing.
// Each step is verified by MLIR and run through the whole pipeline before it
// counts, in a process of its own.
//
//   Target target = ...;   // Target.h, `choose`
//   Reduced small = reduce(chunkText, target, {registry, analysis}, {});
//   std::string file = withHeader(small, ...);   // Header.h
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_REDUCE_REDUCE_H
#define MEMREFLENS_REDUCE_REDUCE_H

#include "core/reduce/Probe.h"

namespace memreflens {

struct ReduceProgress {
  /// What is being tried: "ops".
  const char *step = "";
  uint64_t tried = 0;
  uint64_t ops = 0, opsAtFirst = 0;
};

struct ReduceLimits {
  /// For all of it; 0 for no limit.
  double seconds = 120;
  /// Asked between two tries; false ends the reduction.
  std::function<bool()> goesOn;
  std::function<void(const ReduceProgress &)> onProgress;
};

struct Reduced {
  /// Of one chunk, without a header. Empty if the target is not in the program.
  std::string text;
  Target target;
  uint64_t tried = 0, kept = 0;
  uint64_t opsAtFirst = 0, ops = 0;
  /// Why it ended before nothing could be left out any more; else empty.
  std::string stopped;
  /// Programs that were given up, because the pipeline takes too long on them.
  uint64_t tooSlow = 0;
};

/// `text` is one chunk; `target` is of its trace. The same for the same input,
/// unless time or the user ends it. Starts processes: the caller must have no
/// other threads.
Reduced reduce(const std::string &text, const Target &target,
               const ProbeOptions &options, const ReduceLimits &limits);

} // namespace memreflens

#endif // MEMREFLENS_REDUCE_REDUCE_H
