//===- core/symexec/StateMerging.h - where paths go on as one -------------===//
//
// A path that comes to a state in which another has been ends there. Where
// buffers are not told apart by what made them, its buffers go on as those of
// the other: what happens to these behind the state happens to them, too.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_SYMEXEC_STATEMERGING_H
#define MEMREFLENS_SYMEXEC_STATEMERGING_H

#include "core/symexec/Budget.h"
#include "core/symexec/Observer.h"

#include "llvm/ADT/DenseMap.h"

#include <unordered_map>

namespace memreflens::symexec {

/// Paths are gone through depth first, so that all that comes behind a state is
/// tried in one go: between two steps of the exploration.
class Meetings {
public:
  /// A path goes on from the state, while `waiting` others wait; gives the
  /// state a number.
  unsigned addState(const State &state, size_t waiting, uint64_t step);
  /// The last of the paths that waited goes on, and `waiting` are left.
  void takeNext(size_t waiting, uint64_t step);
  /// A path ends at a state that equals one of before.
  void meet(const State &state, unsigned before, uint64_t step);
  /// Something happens to an object.
  void happens(unsigned serial, uint64_t step) {
    times[serial].push_back(step);
  }
  /// Once all is tried: calls `found` for the value of each object to which it
  /// happens because it does to another. Ends the use of this.
  void spread(llvm::function_ref<void(mlir::Value)> found);

private:
  struct Met {
    /// Of its objects, in order.
    std::vector<unsigned> serials;
    size_t waiting = 0;
    /// Steps of the paths behind it.
    uint64_t begin = 0, end = UINT64_MAX;
  };
  /// An object goes on as another.
  struct Link {
    unsigned serial = 0;
    mlir::Value value;
    uint64_t step = 0;
    unsigned other = 0;
    unsigned state = 0;
  };
  std::vector<Met> states;
  /// Those whose paths are not tried to the end.
  std::vector<unsigned> open;
  std::vector<Link> links;
  /// Steps at which it happens, by serial.
  llvm::DenseMap<unsigned, std::vector<uint64_t>> times;
};

/// A state that a path was in.
struct Seen {
  /// Of the first path, or of one with fewer.
  llvm::SmallVector<unsigned, 4> iterations;
  /// For `Meetings`.
  unsigned number = 0;
};

/// Knows the states in which paths were.
class StateMerging : Part {
public:
  StateMerging(Context &context, Observer &observer, Budget &budget,
               Meetings &meetings)
      : Part(context), observer(observer), budget(budget), meetings(meetings) {}

  /// From now on there is more than one path.
  void noteFork() { hasForked = true; }
  /// Whether another path was in this state, and goes on in all of this one's
  /// ways; `waiting` paths go on later.
  bool wasHere(State &state, size_t waiting);

private:
  bool mayMeetAnother(const State &state) const;
  const LiveContents &liveContents();
  void noteRepeats(const State &state, llvm::ArrayRef<unsigned> before);

  Observer &observer;
  Budget &budget;
  /// Kept only where sites are not told apart.
  Meetings &meetings;
  std::unordered_map<Hash, Seen, HashOfHash> seen;
  bool hasForked = false;
};

} // namespace memreflens::symexec

#endif // MEMREFLENS_SYMEXEC_STATEMERGING_H
