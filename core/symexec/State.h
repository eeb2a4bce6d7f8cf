//===- core/symexec/State.h - where a path stands -------------------------===//
//
// Everything that a path knows: its memory objects, the values that are still
// needed, the stack of calls and regions, and what it has decided. Copied where
// a path forks; two paths in equal states go on alike.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_SYMEXEC_STATE_H
#define MEMREFLENS_SYMEXEC_STATE_H

#include "core/symexec/HeapWatch.h"
#include "core/symexec/SymbolicExpr.h"

#include "mlir/IR/Operation.h"

#include <optional>

namespace memreflens::symexec {

class LiveContents;
class IrFacts;

enum class ValueClass : uint8_t { none, scalar, memref, pointer };

/// What an SSA value is on a path.
struct PathValue {
  ValueClass kind = ValueClass::none;
  /// Starts where its object does, with its shape: cells can be told apart.
  bool plain = false;
  int32_t object = -1;
  /// The scalar; for a memref or pointer, bytes from the object's start
  /// (`noExpr`: none).
  SymbolicExpr expr = noExpr;

  static PathValue scalar(SymbolicExpr expr) {
    return {ValueClass::scalar, false, -1, expr};
  }
  static PathValue memref(int32_t object, bool plain = true) {
    return {ValueClass::memref, plain, object, noExpr};
  }
  bool isMemref() const { return kind == ValueClass::memref; }
};

enum class ObjectKind : uint8_t {
  heap,     ///< allocated on this path
  external, ///< came from a function without a body, owned
  stack,
  argument,
  global,
  foreign, ///< read from memory, or of unknown origin: not ours
  unclear  ///< may be freed, need not be
};

using CellKey = llvm::SmallVector<int64_t, 2>;

/// A piece of memory.
struct Object {
  ObjectKind kind = ObjectKind::heap;
  bool freed = false;
  bool escaped = false;
  mlir::Operation *site = nullptr;
  /// What tells it apart from others in the same state: its site, or null where
  /// the site says nothing of what comes next.
  mlir::Operation *origin = nullptr;
  mlir::Value value;
  /// Unlike any other of the exploration.
  unsigned serial = 0;
  /// Who freed it.
  mlir::Operation *freedBy = nullptr;
  /// Call (number of the frame) at whose end stack memory goes.
  unsigned frame = 0;
  llvm::SmallVector<SymbolicExpr, 2> shape;
  /// Whether a realloc that is being run needs new memory.
  SymbolicExpr grows = noExpr;
  /// What is known of its content, by place.
  std::vector<std::pair<CellKey, PathValue>> cells;

  bool isOwned() const {
    return kind == ObjectKind::heap || kind == ObjectKind::external;
  }
  /// May be the same memory as another such object.
  bool mayBeShared() const {
    return kind == ObjectKind::argument || kind == ObjectKind::foreign;
  }
};

/// Where in an object: for each index a number, or else the expression that it
/// is; empty for all of it.
struct AccessIndex {
  bool isNumber = true;
  int64_t value = 0;
  bool operator==(const AccessIndex &) const = default;
};
using AccessPlace = llvm::SmallVector<AccessIndex, 2>;

/// A write that an object does not see, though the program as written has one
/// memory for it and the object that was written.
struct LostWrite {
  mlir::Operation *write = nullptr;
  /// By which the two came to be.
  mlir::Operation *copy = nullptr;
  /// None: not known.
  std::optional<AccessPlace> place;
  /// It is the copy that does not see it.
  bool isOfCopy = false;
  /// What is not seen may be there all the same: it was written to both, or
  /// something of unknown place was written since.
  bool isMaybe = false;
  /// What was written, where that is a constant.
  mlir::Attribute stored;

  bool operator==(const LostWrite &) const = default;
};

/// An object that is copied by what stands for its source, or such a copy.
struct Twin {
  /// Of the object, and of the one that all of these are as written.
  unsigned serial = 0, memory = 0;
  /// That made it, or the first one that was made of it.
  mlir::Operation *copy = nullptr;
  /// What the program calls it.
  mlir::Value value;
  /// Its indices are those of the others: it is no copy of a view.
  bool isAligned = true;
  llvm::SmallVector<LostWrite, 1> lost;
};

/// A region that is being run.
struct Scope {
  /// Op of the region; the function for the outermost.
  mlir::Operation *parent = nullptr;
  mlir::Region *region = nullptr;
  mlir::Operation *next = nullptr;
  unsigned iteration = 0;
  /// Of the path, when it came to the op.
  unsigned forksBefore = 0;
  /// The number of iterations is known: which one it is tells what follows.
  bool isCounted = false;
  /// Induction variable, where it is known how it moves.
  SymbolicExpr induction = noExpr;
  /// Times each block was gone back to.
  llvm::SmallVector<std::pair<mlir::Block *, unsigned>, 1> visits;
};

/// A call that is being run.
struct Frame {
  mlir::Operation *function = nullptr;
  mlir::Operation *call = nullptr;
  /// Bytes on the heap when it began; only where a `HeapWatch` is told.
  int64_t liveBefore = 0;
  /// By number of the value, sorted.
  std::vector<std::pair<unsigned, PathValue>> values;
  std::vector<Scope> scopes;
};

struct State {
  std::vector<Object> objects;
  std::vector<Frame> frames;
  Decisions decisions;
  /// How often the path forked, and when it came to the op that is next; or, of
  /// an op that ends, to that one.
  unsigned forks = 0, forksBefore = 0;
  /// Last step in the log; -1 at the start.
  int32_t log = -1;
  /// Bytes on the heap, and what the pipeline made of them; only where a
  /// `HeapWatch` is told.
  int64_t live = 0;
  std::vector<LiveMade> made;
  /// Few; only where copies are watched.
  std::vector<Twin> twins;

  Frame &frame() { return frames.back(); }
  Scope &scope() { return frames.back().scopes.back(); }
};

/// The twin that the object is; null if it is none.
const Twin *twinOf(const State &state, const Object &object);

/// Words of 64 bits that a copy takes, about.
uint64_t sizeOf(const State &state);

/// What is known to lie there; null if nothing is.
const PathValue *contentOf(const Object &object, const CellKey &key);
void writeCell(Object &object, const CellKey &key, PathValue value);

PathValue lookUp(const Frame &frame, unsigned value);
void bind(Frame &frame, unsigned number, PathValue value);
void unbind(Frame &frame, unsigned number);
/// Unbinds those of the values numbered `first` and above that are gone.
void unbindFrom(Frame &frame, unsigned first,
                llvm::function_ref<bool(unsigned)> isGone);

struct Normalised {
  /// Equal for states that go on alike (up to collisions).
  Hash key;
  /// Words that the key was made of: what it cost.
  uint64_t size = 0;
  /// Of loops around that go on as long as they may: at most as many as of an
  /// equal state means that it goes on in all of that one's ways.
  llvm::SmallVector<unsigned, 4> iterations;
};

/// Drops objects that nothing needs, and what no op to come asks for of the
/// others, and numbers these anew. Where clones are measured, they ask.
Normalised normalise(State &state, SymbolicExprs &exprs, const IrFacts &ir,
                     const LiveContents &liveContents, bool measures);

} // namespace memreflens::symexec

#endif // MEMREFLENS_SYMEXEC_STATE_H
