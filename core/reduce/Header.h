//===- core/reduce/Header.h - a reduced program, ready to be filed --------===//
//
// Puts comments in front of a reduced program: what it shows, in the words that
// its own trace gives, how to see that, with which versions, and the issue of
// MLIR's where one is known.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_REDUCE_HEADER_H
#define MEMREFLENS_REDUCE_HEADER_H

#include "core/reduce/Reduce.h"

namespace memreflens {

struct HeaderFacts {
  /// Name of the file that it will be, for the commands: no folder.
  std::string fileName = "small.mlir";
  /// The other things at the place that could have been chosen.
  size_t others = 0;
};

/// Text of the file. Nothing if the target is not shown any more with the
/// comments in front.
std::string withHeader(const Reduced &reduced, const HeaderFacts &facts,
                       const ProbeOptions &options);

/// "llvm/llvm-project#119863 (...)"; empty if none is known.
std::string knownIssue(const Target &target, const std::string &words,
                       const std::string &program);

/// Options of `memref-lens` that make the same run, each after a blank; files
/// by their names only.
std::string lensOptions(trace::RunOptions run);
/// The pipeline as mlir-opt takes it; empty if it cannot.
std::string mlirOptPipeline(const trace::RunOptions &run);

} // namespace memreflens

#endif // MEMREFLENS_REDUCE_HEADER_H
