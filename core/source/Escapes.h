//===- core/source/Escapes.h - buffers that leave what can be followed ----===//
//
// Asks trace/Escapes.h of ops, and of all that a buffer flows to.
//
//   EscapeFinder escapes(function);
//   escapes.find(alloc).op      // bufferization.to_tensor; null if none
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_SOURCE_ESCAPES_H
#define MEMREFLENS_SOURCE_ESCAPES_H

#include "core/trace/Escapes.h"

#include "mlir/Dialect/Bufferization/Transforms/BufferViewFlowAnalysis.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

#include <memory>

namespace memreflens {

struct EscapeAt {
  trace::Escape kind = trace::Escape::none;
  /// Null if the buffer can be followed everywhere.
  mlir::Operation *op = nullptr;
};

/// Of one op and the memref that is its operand.
trace::Escape escapeThrough(mlir::OpOperand &use);

/// Whether what is used inside of the op may be used after control has gone on.
bool isDeferred(mlir::Operation *op);

/// Whether bodies of the op may run at the same time.
bool runsConcurrently(mlir::Operation *op);

/// Whether the op may use memory that none of its operands names.
bool mayUseByOtherWays(mlir::Operation *op);

/// A call of dealloc_helper.
bool isHelperCall(mlir::Operation *op);

/// Whether `memory` is a list of addresses or conditions that a call of
/// dealloc_helper takes: bookkeeping of the lowering, no buffer of the program.
bool isListForHelper(mlir::Value memory);

/// Of a function as it stands; nothing may be erased while this is used.
class EscapeFinder {
public:
  /// `symbols` may know the module's already; to be kept.
  EscapeFinder(mlir::Operation *function, mlir::SymbolTableCollection &symbols);
  mlir::Operation *scope() const { return function; }
  /// Of one use, whose callee is looked into.
  EscapeAt at(mlir::OpOperand &use) { return escapeAt(use); }
  /// The first escape in the order of the text. Each buffer is looked at once.
  EscapeAt find(mlir::Value buffer);
  /// Ops behind `free`, in the order of the text, that may use the memory in a
  /// way that is not followed.
  uint64_t unseenUsesBehind(mlir::Operation *free, const EscapeAt &escape);

private:
  EscapeAt findAnew(mlir::Value buffer);
  EscapeAt escapeAt(mlir::OpOperand &use);
  EscapeAt escapeAnew(mlir::OpOperand &use);
  bool keepsAllInSight(mlir::FunctionOpInterface callee);
  bool isKnownToReturnNone(mlir::Operation *op);
  trace::Escape keptByCallee(mlir::OpOperand &use);
  trace::Escape keptArgument(mlir::BlockArgument argument);
  bool leavesFunction(mlir::Operation *escape);
  void number();

  mlir::Operation *function;
  mlir::SymbolTableCollection &symbols;
  /// Of ops that let anything escape; most functions have none.
  bool hasAny = false;
  std::unique_ptr<mlir::BufferViewFlowAnalysis> aliases;
  llvm::DenseMap<mlir::Operation *, unsigned> positions;
  llvm::DenseMap<mlir::Value, EscapeAt> found;
  llvm::DenseMap<mlir::OpOperand *, EscapeAt> uses;
  /// Of callees.
  llvm::DenseMap<mlir::Operation *, bool> inSight;
  /// Of ops that make a number of an address.
  llvm::DenseMap<mlir::Operation *, bool> leaving;
  /// Of arguments of callees: whether they are kept beyond the call.
  llvm::DenseMap<mlir::Value, trace::Escape> kept;
  /// In order: of ops that act at all, that may use what no operand of theirs
  /// names, and that load a buffer.
  std::vector<unsigned> acting, byOtherWays, loads;
};

} // namespace memreflens

#endif // MEMREFLENS_SOURCE_ESCAPES_H
