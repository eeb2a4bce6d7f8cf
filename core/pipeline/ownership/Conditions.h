//===- core/pipeline/ownership/Conditions.h - what the pass asks of an op -===//
//
// The pass's conditions on a single op, and by which interfaces it handles one,
// as one table. The pass asks it of the op at hand; `explain --op` asks it of
// an op's name, where some answers are open.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_PIPELINE_OWNERSHIP_CONDITIONS_H
#define MEMREFLENS_PIPELINE_OWNERSHIP_CONDITIONS_H

#include "core/pipeline/ownership/Preflight.h"
#include "core/trace/OpFacts.h"

#include "mlir/IR/Dialect.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

namespace memreflens {

/// What the conditions are about.
struct OpFeatures {
  // Facts of the registry.
  bool isDealloc = false;
  bool hasEffects = false, hasRecursiveEffects = false, isCall = false;
  bool isRegionBranch = false, isBranch = false, isRegionTerminator = false;
  bool isTerminator = false, hasNoTerminator = false;
  trace::OpModel model = trace::OpModel::none;
  // Facts of the op; open for a name, as far as its definition does not say.
  trace::OpCount operands, results, regions, successors;
  trace::Answer passedOver = trace::Answer::depends;
  trace::Answer freesOperand = trace::Answer::depends;
  trace::Answer producesOperands = trace::Answer::depends;
  /// Of the terminators with a model of their own.
  trace::Answer hasMemrefOperand = trace::Answer::depends;
  trace::Answer hasBody = trace::Answer::depends;
};

OpFeatures featuresOf(mlir::OperationName name);
OpFeatures featuresOf(mlir::Operation *op);

struct Condition {
  trace::RejectionCause cause;
  /// Upstream's text, exact.
  const char *message;
  trace::Answer (*fails)(const OpFeatures &features);
  bool wantsSuccessor = false;
};

/// Those on every op without a deallocation model, unless it is passed over.
llvm::ArrayRef<Condition> preconditions();
/// Those of one way to handle an op; they hold also where it is passed over.
llvm::ArrayRef<Condition> conditionsOf(trace::OpHandling handling);
/// The first of them that `op` does not meet.
std::optional<Rejection> rejectionOf(mlir::Operation *op,
                                     trace::OpHandling handling);

/// How the pass handles an op of that name, in order.
llvm::SmallVector<trace::OpHandling, 4> handlingsOf(mlir::OperationName name);
/// The deallocation model, `none` for an op without that interface.
trace::OpModel modelOf(mlir::OperationName name);

/// Whether the pass passes `op` over: no memrefs, no allocation, no free.
bool isPassedOver(mlir::Operation *op);
/// The first memref operand that `op` frees, by its effects; null if none.
mlir::Value freedMemref(mlir::Operation *op);

/// As `isa` of an op, with what the dialect offers for ops of others.
template <class Interface> bool hasInterface(mlir::OperationName name) {
  if (name.hasInterface<Interface>())
    return true;
  mlir::Dialect *dialect = name.getDialect();
  return dialect && dialect->getRegisteredInterfaceForOp(
                        mlir::TypeID::get<Interface>(), name);
}

} // namespace memreflens

#endif // MEMREFLENS_PIPELINE_OWNERSHIP_CONDITIONS_H
