//===- core/source/IrLister.h - walks a module into a trace ---------------===//
//
// The one walk that gives ids, in program order, to ops, values, blocks and
// functions. What differs by where the IR came from (names, ranges, ids to
// keep) is asked of an IrOrigin.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_SOURCE_IRLISTER_H
#define MEMREFLENS_SOURCE_IRLISTER_H

#include "core/source/TypeTexts.h"
#include "core/trace/Model.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/DenseMap.h"

#include <string>
#include <vector>

namespace memreflens {

class LocationMover;

/// Where IR came from. `none` from a `kept…` function means a new entry, which
/// the `describe…` function of the same kind then fills.
class IrOrigin {
public:
  virtual ~IrOrigin() = default;
  virtual trace::Id keptOp(mlir::Operation *) { return trace::none; }
  virtual trace::Id keptBlock(mlir::Block *) { return trace::none; }
  virtual trace::Id keptValue(mlir::Value) { return trace::none; }
  virtual void describeOp(mlir::Operation *, trace::Op &) {}
  virtual void describeBlock(mlir::Block *, trace::Block &) {}
  virtual void describeValue(mlir::Value, trace::Value &) {}
  /// Wish for a value that `describeValue` left without a name; the lister
  /// makes it unique in the function. Empty for a number.
  virtual std::string roleName(mlir::Value, const trace::Value &) { return {}; }
};

class IrLister {
public:
  IrLister(trace::Trace &trace, trace::Id chunk, IrOrigin &origin);

  /// Ops, values, blocks and (bare) functions. Looks at nothing that an op's
  /// verifier guards, so it may run before verification.
  void listStructure(mlir::ModuleOp module);
  /// Puts the ids into the locations, which `mover` moves first, if given.
  void tagAll(LocationMover *mover);
  /// Names, visibility and status of the functions, on verified IR.
  void describeFunctions();

private:
  trace::Id addOp(mlir::Operation *op, trace::Id block, trace::Id function);
  trace::Id addBlock(mlir::Block *block, trace::Id parentOp, unsigned region,
                     trace::Id function);
  trace::Id addValue(mlir::Value value, trace::Id op, trace::Id block);
  trace::Id addFunction(mlir::Operation *op, trace::Id id);
  void setBlockRange(trace::Block &block) const;
  void describeFunction(mlir::Operation *op, trace::Function &entry);
  void linkCalls();
  void linkOps();
  void linkBlocks();
  void nameBlocks(const std::vector<trace::Id> &region);
  void nameValues();

  trace::Trace &trace;
  trace::Id chunk;
  IrOrigin &origin;
  /// Where the values begin whose names are to be kept apart from new ones.
  size_t firstValue;
  std::vector<std::pair<mlir::Operation *, trace::Id>> ops;
  std::vector<std::pair<mlir::Block *, trace::Id>> blocks;
  std::vector<std::pair<mlir::Operation *, trace::Id>> functions;
  std::vector<std::pair<mlir::Value, trace::Id>> unnamed;
  llvm::DenseMap<mlir::Value, trace::Id> valueIds;
  llvm::DenseMap<mlir::Block *, trace::Id> blockIds;
  llvm::DenseMap<trace::Id, trace::Id> functionOfOp;
  TypeTexts typeTexts;
};

/// `a` for `a#1`.
inline std::string_view baseName(std::string_view name) {
  return name.substr(0, name.find('#'));
}

} // namespace memreflens

#endif // MEMREFLENS_SOURCE_IRLISTER_H
