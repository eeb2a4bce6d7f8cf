//===- core/upstream/Defects.h - known faults of the release --------------===//
//
// What users can run into that is no fault of theirs, with upstream's thread.
// Each sentence about one takes its thread and its change from here.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_UPSTREAM_DEFECTS_H
#define MEMREFLENS_UPSTREAM_DEFECTS_H

#include <string>
#include <string_view>

namespace memreflens::upstream {

enum class DefectId {
  staleLiveness,     ///< the ownership pass reads freed memory
  staleOrigins,      ///< the simplification reads freed memory
  parallelHoist,     ///< buffer-loop-hoisting shares a buffer of iterations
  allocatorMismatch, ///< gpu.alloc is deallocated by memref.dealloc
  branchLoop,        ///< loops of branches are rejected
  unknownEffects     ///< ops of unknown effects are rejected
};

struct Defect {
  DefectId id;
  /// "llvm/llvm-project#119863"; where several belong to it, all of them.
  std::string_view thread;
  /// The change that ends it: "#184118"; empty where there is none.
  std::string_view fix;
  /// How it stands: "is open".
  std::string_view state;
};

const Defect &defectOf(DefectId id);

/// "llvm/llvm-project#119863, mended by #184118 after LLVM 22".
std::string statusText(DefectId id);

/// "llvm/llvm-project#119863, mended after LLVM 22 by #184118".
std::string mendedText(DefectId id);

/// "llvm/llvm-project#184118".
std::string fixText(DefectId id);

} // namespace memreflens::upstream

#endif // MEMREFLENS_UPSTREAM_DEFECTS_H
