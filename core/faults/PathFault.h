//===- core/faults/PathFault.h - what trying a function's paths found --- -===//
//
// Plain data: the faults of a function's memory handling, each with the path
// that leads there, and how far the exploration went.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_FAULTS_PATHFAULT_H
#define MEMREFLENS_FAULTS_PATHFAULT_H

#include "core/faults/FaultKind.h"
#include "core/trace/Model.h"

#include <string>
#include <vector>

namespace memreflens {

/// One step of a path.
struct PathStep {
  /// Op of the trace; `none` where the location says nothing.
  trace::Id op = trace::none;
  /// Byte offset in the user's text; -1 if unknown.
  int64_t offset = -1;
  /// "%c is true, to ^bb1"; plain text.
  std::string text;
};

struct MemoryFault {
  FaultKind kind = FaultKind::leak;
  /// Name of the memory: `%a`, or the op that made it.
  std::string memory;
  /// Trace value that made the memory; `none` if it has none.
  trace::Id value = trace::none;
  /// Where the fault happens; for a leak, where the function ends.
  PathStep at;
  PathStep allocation;
  /// Of a leak: on another path, the memory is freed.
  bool isFreedElsewhere = false;
  /// From the function's start to `at`, in order.
  std::vector<PathStep> path;
  /// Of a lost write: what wrote to the one of the two that is not read, and
  /// what made two of one.
  PathStep write, copy;
  /// It is the copy that is read, and both accesses are of one place.
  bool isOfCopy = false, isSure = true;
};

struct ExploreResult {
  std::vector<MemoryFault> faults;
  uint64_t paths = 0;
  /// Paths that reached a state which another had been in.
  uint64_t merged = 0;
  uint64_t steps = 0;
  /// Times that a loop on a path would have gone on.
  unsigned bound = 0;
  /// A loop or a recursion was cut at the bound somewhere.
  bool cutAtBound = false;
  /// Why the exploration ended early; empty if all paths were tried.
  std::string stopped;
  /// Calls were taken to keep to the boundary ABI, and not run.
  bool callsByBoundary = false;
  /// What it took for granted of ops that it knows too little about: "a result
  /// of foo.op is a view of its first buffer".
  std::vector<std::string> assumed;
  /// Ways by which memory may be used after it was freed, and which are not
  /// followed: "%a by way of bufferization.to_tensor".
  std::vector<std::string> unfollowed;
  /// The pointer of `ub.poison` is compared with that of a buffer: any answer
  /// is possible, and it may decide what is deallocated.
  bool comparesPoison = false;
  /// Not all paths were tried for writes that clones do not see.
  bool stoppedWatching = false;
};

/// A call, as far as findings go by it.
struct CallSite {
  /// Function of the trace that is called, and the op that calls it.
  trace::Id callee = trace::none, op = trace::none;
  /// It has no body, gives memrefs, and nothing says whose these are.
  bool isOpen = false;
};

} // namespace memreflens

#endif // MEMREFLENS_FAULTS_PATHFAULT_H
