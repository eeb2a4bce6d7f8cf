//===- core/pipeline/placement/DropResults.cpp ----------------------------===//

#include "core/pipeline/placement/DropResults.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/SymbolTable.h"

#include <map>
#include <optional>

using namespace mlir;

namespace memreflens::placement {

namespace {
class Dropper {
public:
  explicit Dropper(ModuleOp module) : module(module) {
    SymbolTableCollection tables;
    module.walk([&](func::CallOp call) {
      if (auto callee = tables.lookupNearestSymbolFrom<func::FuncOp>(
              call, call.getCalleeAttr()))
        calls[callee].push_back(call);
    });
  }
  std::vector<ResultDrop> run();

private:
  void look(func::FuncOp function);
  void drop(func::FuncOp function, MutableArrayRef<ResultDrop> entries);
  func::CallOp rewrite(func::CallOp call, func::FuncOp function,
                       MutableArrayRef<ResultDrop> entries);
  void findNextTime();

  ModuleOp module;
  llvm::DenseMap<func::FuncOp, std::vector<func::CallOp>> calls;
  std::vector<ResultDrop> found;
};
} // namespace

static SmallVector<func::ReturnOp> returnsOf(func::FuncOp function) {
  SmallVector<func::ReturnOp> returns;
  for (Block &block : function.getBody())
    if (auto op = dyn_cast<func::ReturnOp>(block.getTerminator()))
      returns.push_back(op);
  return returns;
}

/// Which argument of `function` a value is.
static std::optional<unsigned> argumentOf(func::FuncOp function, Value value) {
  while (auto cast = value.getDefiningOp<memref::CastOp>())
    value = cast.getSource();
  auto argument = dyn_cast<BlockArgument>(value);
  if (!argument || argument.getOwner() != &function.getBody().front())
    return std::nullopt;
  return argument.getArgNumber();
}

static void judge(func::FuncOp function, ArrayRef<func::ReturnOp> returns,
                  ResultDrop &entry) {
  std::optional<unsigned> common;
  for (func::ReturnOp op : returns) {
    const Value value = op.getOperand(entry.result);
    const std::optional<unsigned> argument = argumentOf(function, value);
    entry.at = op;
    entry.because = value;
    if (!argument) {
      entry.outcome = MoveOutcome::notArgument;
      return;
    }
    if (common && *common != *argument) {
      entry.outcome = MoveOutcome::differingArguments;
      return;
    }
    common = entry.argument = *argument;
  }
  entry.at = nullptr;
  entry.because = {};
  entry.outcome = MoveOutcome::dropped;
}

void Dropper::look(func::FuncOp function) {
  const SmallVector<func::ReturnOp> returns = returnsOf(function);
  std::vector<ResultDrop> entries(function.getNumResults());
  for (auto [result, entry] : llvm::enumerate(entries)) {
    entry.function = function;
    entry.result = result;
    entry.type = function.getResultTypes()[result];
    if (function.isExternal())
      entry.outcome = MoveOutcome::external;
    else if (function.isPublic())
      entry.outcome = MoveOutcome::publicFunction;
    else if (returns.empty())
      entry.outcome = MoveOutcome::noReturn;
    else
      judge(function, returns, entry);
  }
  if (!function.isExternal() && !function.isPublic() && !returns.empty())
    drop(function, entries);
  found.insert(found.end(), entries.begin(), entries.end());
}

void Dropper::drop(func::FuncOp function, MutableArrayRef<ResultDrop> entries) {
  llvm::BitVector gone(entries.size());
  for (const ResultDrop &entry : entries)
    if (entry.outcome == MoveOutcome::dropped)
      gone.set(entry.result);
  for (func::ReturnOp op : returnsOf(function)) {
    SmallVector<Value> kept;
    for (auto [number, value] : llvm::enumerate(op.getOperands()))
      if (!gone.test(number))
        kept.push_back(value);
    op.getOperandsMutable().assign(kept);
  }
  (void)function.eraseResults(gone);
  for (func::CallOp &call : calls[function])
    call = rewrite(call, function, entries);
}

/// The call without the results that are gone: what it passes stands for them.
func::CallOp Dropper::rewrite(func::CallOp call, func::FuncOp function,
                              MutableArrayRef<ResultDrop> entries) {
  OpBuilder builder(call);
  auto shorter = func::CallOp::create(builder, call.getLoc(), function,
                                      call.getOperands());
  unsigned next = 0;
  for (ResultDrop &entry : entries) {
    Value old = call.getResult(entry.result);
    if (entry.outcome != MoveOutcome::dropped) {
      old.replaceAllUsesWith(shorter.getResult(next++));
      continue;
    }
    ++entry.calls;
    Value passed = call.getOperand(entry.argument);
    if (passed.getType() != old.getType()) {
      passed =
          memref::CastOp::create(builder, call.getLoc(), old.getType(), passed);
      entry.casts.push_back(passed.getDefiningOp());
    }
    old.replaceAllUsesWith(passed);
  }
  call.erase();
  return shorter;
}

/// What the rewritten calls would let the pass drop now.
void Dropper::findNextTime() {
  std::map<Operation *, unsigned> position;
  for (ResultDrop &entry : found) {
    if (entry.outcome == MoveOutcome::dropped)
      continue;
    // Where the result is among those that stay.
    const unsigned now = position[entry.function]++;
    if (entry.outcome != MoveOutcome::notArgument &&
        entry.outcome != MoveOutcome::differingArguments)
      continue;
    ResultDrop again = entry;
    again.result = now;
    judge(entry.function, returnsOf(entry.function), again);
    if (again.outcome != MoveOutcome::dropped) {
      // A value that was replaced is not there any more.
      entry.because = again.because;
      entry.at = again.at;
      entry.outcome = again.outcome;
      continue;
    }
    entry.outcome = MoveOutcome::nextTime;
    entry.argument = again.argument;
    entry.at = nullptr;
    entry.because = {};
  }
}

std::vector<ResultDrop> Dropper::run() {
  for (func::FuncOp function : module.getOps<func::FuncOp>())
    look(function);
  findNextTime();
  return std::move(found);
}

std::vector<ResultDrop> dropEquivalentResults(ModuleOp module) {
  return Dropper(module).run();
}

} // namespace memreflens::placement
