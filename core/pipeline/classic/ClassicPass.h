//===- core/pipeline/classic/ClassicPass.h - clones and static frees ------===//
//
// The placement that MLIR had up to LLVM 20 (`buffer-deallocation`): every
// allocation is freed at one place, and where control flow makes that
// impossible, the buffer is copied instead of being passed with an i1. Our own
// implementation; each step is told to an observer.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_PIPELINE_CLASSIC_CLASSICPASS_H
#define MEMREFLENS_PIPELINE_CLASSIC_CLASSICPASS_H

#include "core/pipeline/classic/AliasSets.h"

#include "mlir/Interfaces/FunctionInterfaces.h"

#include <string>

namespace memreflens::classic {

/// An allocation that the pass frees; one that it can't is not in its list.
struct Allocation {
  mlir::Value value;
  /// The one op that frees it already, if any: it is moved, none is added.
  mlir::Operation *dealloc = nullptr;
};

using trace::CriticalReason;

/// An alias that cannot share the fate of where it comes from: what flows into
/// it is copied, and it is freed by itself.
struct Critical {
  mlir::Value value;
  /// The value whose alias it is, and the block from which that is followed.
  mlir::Value source;
  mlir::Block *from = nullptr;
  CriticalReason reason = CriticalReason::notDominated;
};

/// `operand` of `user` flows into a critical alias.
struct Copy {
  mlir::Value critical;
  mlir::Value operand;
  /// The clone; `operand` itself where that is a clone already.
  mlir::Value clone;
  mlir::Operation *user = nullptr;
};

/// Where one buffer is freed, and what put the place there.
struct Placement {
  mlir::Value value;
  /// The nearest block that every use of it and of its aliases leads through.
  mlir::Block *block = nullptr;
  /// The last use in that block, of `lastAlias`; the dealloc stands after it.
  /// Where nothing uses it there, the op that makes it or the first one.
  mlir::Operation *after = nullptr;
  mlir::Value lastAlias;
  /// Null where the last use is the block's terminator: the value escapes.
  mlir::Operation *dealloc = nullptr;
  /// The dealloc was in the input, and was moved here.
  bool moved = false;
};

/// Told of each step, in order.
/// Why the pass rejects a function, where there is a word for it.
enum class Rejection { loopOfBranches, regionsNotKnown, other };

class Observer {
public:
  virtual ~Observer() = default;
  virtual void foundAlias(const Alias &) {}
  virtual void foundAllocation(const Allocation &) {}
  virtual void foundCritical(const Critical &) {}
  virtual void copied(const Copy &) {}
  virtual void placed(const Placement &) {}
  /// The function is rejected because of `op`.
  virtual void rejected(mlir::Operation *op, const std::string &message,
                        Rejection kind) {}
};

/// Runs the pass on a function with a body. On failure the observer was told
/// why; the IR may be half done and is to be thrown away.
mlir::LogicalResult runClassicPass(mlir::FunctionOpInterface function,
                                   Observer &observer);

//===----------------------------------------------------------------------===//
// The parts, for ClassicPass.cpp
//===----------------------------------------------------------------------===//

/// What the pass cannot handle, told to the observer: loops of branches, ops
/// with regions whose control flow is not known.
mlir::LogicalResult checkControlFlow(mlir::FunctionOpInterface function,
                                     Observer &observer);

/// Allocations with at most one dealloc, inner ones first.
std::vector<Allocation> findAllocations(mlir::Operation *root);

} // namespace memreflens::classic

#endif // MEMREFLENS_PIPELINE_CLASSIC_CLASSICPASS_H
