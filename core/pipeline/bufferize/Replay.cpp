//===- core/pipeline/bufferize/Replay.cpp ---------------------------------===//

#include "core/pipeline/bufferize/Replay.h"
#include "core/pipeline/bufferize/Calls.h"
#include "core/pipeline/bufferize/Conflicts.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/Transforms/FuncBufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Interfaces/SubsetOpInterface.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::bufferization;
using func_ext::FuncAnalysisState;

namespace memreflens::bufferize {

using Heuristic = OneShotBufferizationOptions::AnalysisHeuristic;

namespace {
/// Values that may be in one buffer.
struct Buffer {
  std::vector<Value> values;
  std::vector<OpOperand *> reads;
  /// Those in place.
  std::vector<OpOperand *> writes;
  bool isReadOnly = false;
  /// A write in it is in another parallel region than what it writes over.
  bool isShared = false;
};

/// Of one function.
class Replay {
public:
  Replay(Operation *root, OneShotAnalysisState &state)
      : root(root), state(state), conflicts(state, root) {}
  LogicalResult run();

private:
  bool isKnownKind(Operation *op) const;
  void addBuffer(Value value);
  bool isConsistent();
  void decide(Operation *op);
  bool mayBeInPlace(OpOperand &operand, ArrayRef<Buffer *> together);
  bool areApart(ArrayRef<OpOperand *> reads, ArrayRef<OpOperand *> writes);
  void join(OpOperand &operand, ArrayRef<Buffer *> together);
  void findEquivalent(OpResult result);

  Operation *root;
  OneShotAnalysisState &state;
  Conflicts conflicts;
  std::vector<std::unique_ptr<Buffer>> buffers;
  llvm::DenseMap<Value, Buffer *> bufferOf;
};
} // namespace

static bool isOfTensor(Value value) { return isa<TensorType>(value.getType()); }

//===--- Buffers ----------------------------------------------------------===//

/// The one that holds `value` before anything is decided.
void Replay::addBuffer(Value value) {
  if (!isOfTensor(value) || bufferOf.contains(value))
    return;
  Buffer &buffer = *buffers.emplace_back(std::make_unique<Buffer>());
  state.applyOnAliases(value, [&](Value member) {
    buffer.values.push_back(member);
    bufferOf[member] = &buffer;
    buffer.isReadOnly |= !state.isWritable(member);
    for (OpOperand &use : member.getUses()) {
      if (conflicts.isRead(use))
        buffer.reads.push_back(&use);
      if (!state.isInPlace(use) || !state.bufferizesToMemoryWrite(use))
        continue;
      buffer.writes.push_back(&use);
      buffer.isShared |= conflicts.isShared(&use);
    }
  });
}

/// Ops that the analysis rejects at once are left to it.
bool Replay::isKnownKind(Operation *op) const {
  BufferizableOpInterface known = state.getOptions().dynCastBufferizableOp(op);
  if (!known)
    return true;
  if (auto tensor = dyn_cast<ToTensorOp>(op);
      tensor && !tensor.getRestrict() && !tensor->use_empty())
    return false;
  return known.supportsUnstructuredControlFlow() ||
         llvm::all_of(op->getRegions(), [](Region &region) {
           return region.empty() || region.hasOneBlock();
         });
}

/// What has to be in place may be in conflict.
bool Replay::isConsistent() {
  return llvm::all_of(buffers, [&](const std::unique_ptr<Buffer> &buffer) {
    return areApart(buffer->reads, buffer->writes);
  });
}

//===--- Decisions --------------------------------------------------------===//

bool Replay::areApart(ArrayRef<OpOperand *> reads,
                      ArrayRef<OpOperand *> writes) {
  return llvm::none_of(writes, [&](OpOperand *write) {
    return llvm::any_of(reads, [&](OpOperand *read) {
      return conflicts.areInConflict(read, write);
    });
  });
}

/// Whether these buffers can be one. No pair within one of them is in conflict.
bool Replay::mayBeInPlace(OpOperand &operand, ArrayRef<Buffer *> together) {
  const bool writes = state.bufferizesToMemoryWrite(operand);
  auto any = [&](auto holds) { return llvm::any_of(together, holds); };
  const bool isWritten =
      writes || any([](Buffer *one) { return !one->writes.empty(); });
  if (isWritten && any([](Buffer *one) { return one->isReadOnly; }))
    return false;
  if (state.getOptions().checkParallelRegions &&
      any([](Buffer *one) { return !one->reads.empty(); }) &&
      (any([](Buffer *one) { return one->isShared; }) ||
       (writes && conflicts.isShared(&operand))))
    return false;
  OpOperand *own = &operand;
  for (Buffer *read : together) {
    if (writes && !areApart(read->reads, own))
      return false;
    for (Buffer *written : together)
      if (read != written && !areApart(read->reads, written->writes))
        return false;
  }
  return true;
}

void Replay::join(OpOperand &operand, ArrayRef<Buffer *> together) {
  // The largest takes in the others.
  Buffer *all = *llvm::max_element(together, [](Buffer *one, Buffer *other) {
    return one->values.size() < other->values.size();
  });
  for (Buffer *one : together) {
    if (one == all)
      continue;
    for (Value value : one->values)
      bufferOf[value] = all;
    llvm::append_range(all->values, one->values);
    llvm::append_range(all->reads, one->reads);
    llvm::append_range(all->writes, one->writes);
    all->isReadOnly |= one->isReadOnly;
    all->isShared |= one->isShared;
    *one = Buffer();
  }
  if (!state.bufferizesToMemoryWrite(operand) ||
      llvm::is_contained(all->writes, &operand))
    return;
  all->writes.push_back(&operand);
  all->isShared |= conflicts.isShared(&operand);
}

void Replay::decide(Operation *op) {
  if (!state.getOptions().dynCastBufferizableOp(op))
    return;
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isOfTensor(operand.get()))
      continue;
    llvm::SmallSetVector<Buffer *, 4> together;
    together.insert(bufferOf.lookup(operand.get()));
    for (const AliasingValue &result : state.getAliasingValues(operand))
      together.insert(bufferOf.lookup(result.value));
    if (!mayBeInPlace(operand, together.getArrayRef())) {
      state.bufferizeOutOfPlace(operand);
      continue;
    }
    state.bufferizeInPlace(operand);
    join(operand, together.getArrayRef());
  }
}

//===--- After them -------------------------------------------------------===//

/// Where a result is surely in the buffer of an operand.
void Replay::findEquivalent(OpResult result) {
  auto known = state.getOptions().dynCastBufferizableOp(result.getOwner());
  if (!known || !isOfTensor(result))
    return;
  const AliasingOpOperandList from = state.getAliasingOpOperands(result);
  if (from.getNumAliases() == 0)
    return;
  auto isSame = [&](const AliasingOpOperand &one) {
    return one.relation == BufferRelation::Equivalent &&
           state.isInPlace(*one.opOperand);
  };
  auto definite = llvm::find_if(from, [&](const AliasingOpOperand &one) {
    return one.isDefinite && isSame(one);
  });
  if (definite != from.end())
    return state.unionEquivalenceClasses(result, definite->opOperand->get());
  // It is one of several, which are all in one buffer.
  const Value first = from.begin()->opOperand->get();
  auto isFirst = [&](const AliasingOpOperand &one) {
    return isSame(one) &&
           state.areEquivalentBufferizedValues(one.opOperand->get(), first);
  };
  if (llvm::all_of(from, isFirst) && !known.bufferizesToAllocation(result))
    state.unionEquivalenceClasses(result, first);
}

LogicalResult Replay::run() {
  std::vector<Operation *> ops;
  bool isKnown = true;
  root->walk([&](Operation *op) {
    isKnown &= isKnownKind(op);
    ops.push_back(op);
    llvm::for_each(op->getResults(), [&](Value value) { addBuffer(value); });
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (Value argument : block.getArguments())
          addBuffer(argument);
  });
  if (!isKnown || !isConsistent())
    return failure();
  if (state.getOptions().analysisHeuristic == Heuristic::BottomUp)
    std::reverse(ops.begin(), ops.end());
  for (Operation *op : ops)
    decide(op);
  root->walk<WalkOrder::PreOrder>([&](Operation *op) {
    for (OpResult result : op->getResults())
      findEquivalent(result);
  });
  state.gatherUndefinedTensorUses(root);
  const WalkResult verified = root->walk([&](Operation *op) {
    auto known = state.getOptions().dynCastBufferizableOp(op);
    return known && failed(known.verifyAnalysis(state))
               ? WalkResult::interrupt()
               : WalkResult::advance();
  });
  return success(!verified.wasInterrupted());
}

//===--- Functions --------------------------------------------------------===//

/// What callers know of the arguments.
static void describeArguments(func::FuncOp function,
                              const OneShotAnalysisState &state,
                              FuncAnalysisState &known) {
  for (auto [number, type] : llvm::enumerate(function.getArgumentTypes())) {
    if (!isa<TensorType>(type))
      continue;
    bool isRead = true, isWritten = true;
    if (auto stated = function.getArgAttrOfType<StringAttr>(
            unsigned(number), BufferizationDialect::kBufferAccessAttrName)) {
      isRead = stated.getValue().starts_with("read");
      isWritten = stated.getValue().ends_with("write");
    } else if (!function.isExternal()) {
      const Value argument = function.getArgument(unsigned(number));
      isRead = state.isValueRead(argument);
      isWritten = state.isValueWritten(argument);
    }
    if (isRead)
      known.readBbArgs[function].insert(int64_t(number));
    if (isWritten)
      known.writtenBbArgs[function].insert(int64_t(number));
  }
}

/// What callers know of the results of a function with a body.
static void describeResults(func::FuncOp function,
                            const OneShotAnalysisState &state,
                            FuncAnalysisState &known) {
  const SmallVector<func::ReturnOp> returns = getReturnOps(function);
  const auto isTensorNumber = [&](unsigned result) {
    return isa<RankedTensorType>(function.getResultTypes()[result]);
  };
  for (BlockArgument argument : function.getArguments()) {
    if (!isa<RankedTensorType>(argument.getType()))
      continue;
    const int64_t number = argument.getArgNumber();
    for (unsigned result = 0; result < function.getNumResults(); ++result) {
      if (!isTensorNumber(result))
        continue;
      auto isIn = [&](func::ReturnOp op) {
        return state.areAliasingBufferizedValues(op.getOperand(result),
                                                 argument);
      };
      auto isSame = [&](func::ReturnOp op) {
        return state.areEquivalentBufferizedValues(op.getOperand(result),
                                                   argument);
      };
      if (llvm::any_of(returns, isIn))
        known.aliasingReturnVals[function][number].push_back(result);
      if (llvm::all_of(returns, isSame))
        known.equivalentFuncArgs[function].try_emplace(result, number);
    }
  }
}

/// Any result may be any argument.
static void describeExternal(func::FuncOp function, FuncAnalysisState &known) {
  for (auto [number, type] : llvm::enumerate(function.getArgumentTypes()))
    for (auto [result, made] : llvm::enumerate(function.getResultTypes()))
      if (isa<TensorType>(type) && isa<TensorType>(made))
        known.aliasingReturnVals[function][int64_t(number)].push_back(
            int64_t(result));
}

uint64_t comparisonsIn(ModuleOp module, const OneShotAnalysisState &state,
                       Decided decided) {
  struct Uses {
    uint64_t reads = 0, writes = 0, writesOfParts = 0;
  };
  llvm::EquivalenceClasses<Value> buffers;
  llvm::SmallVector<std::pair<Value, Uses>> uses;
  module->walk([&](Operation *op) {
    if (!state.getOptions().dynCastBufferizableOp(op))
      return;
    for (OpOperand &operand : op->getOpOperands()) {
      if (!isOfTensor(operand.get()))
        continue;
      buffers.insert(operand.get());
      const bool isInPlace = decided == Decided::no || state.isInPlace(operand);
      const bool isWrite = isInPlace && state.bufferizesToMemoryWrite(operand);
      uses.push_back({operand.get(),
                      {state.bufferizesToMemoryRead(operand), isWrite,
                       isWrite && isa<SubsetInsertionOpInterface>(op)}});
      if (!isInPlace)
        continue;
      for (const AliasingValue &result : state.getAliasingValues(operand))
        buffers.unionSets(operand.get(), result.value);
    }
  });
  llvm::DenseMap<Value, Uses> sums;
  for (const auto &[value, one] : uses) {
    Uses &sum = sums[buffers.getLeaderValue(value)];
    sum.reads += one.reads;
    sum.writes += one.writes;
    sum.writesOfParts += one.writesOfParts;
  }
  // The fourth power of a large program's writes is no number of 64 bits.
  constexpr double most = 1e15;
  double comparisons = 0;
  for (const auto &[buffer, sum] : sums)
    comparisons += double(sum.writes) * double(sum.writes) * double(sum.reads) /
                   3 * double(1 + sum.writesOfParts / 2);
  return uint64_t(std::min(comparisons, most));
}

LogicalResult replay(ModuleOp module,
                     const OneShotBufferizationOptions &options,
                     OneShotAnalysisState &state) {
  const bool isKnown = options.analysisHeuristic == Heuristic::BottomUp ||
                       options.analysisHeuristic == Heuristic::TopDown;
  if (!isKnown || !options.bufferizeFunctionBoundaries ||
      options.testAnalysisOnly || options.dumpAliasSets)
    return failure();
  const bool allAllowed = !module
                               ->walk([&](BufferizableOpInterface op) {
                                 return options.isOpAllowed(op)
                                            ? WalkResult::advance()
                                            : WalkResult::interrupt();
                               })
                               .wasInterrupted();
  if (!allAllowed)
    return failure();
  ScopedDiagnosticHandler silence(module.getContext(),
                                  [](Diagnostic &) { return success(); });
  const Calls calls = callsIn(module);
  const Functions order = calleesFirst(module, calls);
  if (llvm::any_of(order, [&](Operation *function) {
        return isRecursive(function, calls);
      }))
    return failure();
  FuncAnalysisState &known = state.addExtension<FuncAnalysisState>();
  for (Operation *op : order) {
    auto function = dyn_cast<func::FuncOp>(op);
    if (!function || function->getParentOp() != module)
      continue;
    known.startFunctionAnalysis(function);
    if (function.isExternal())
      describeExternal(function, known);
    else if (failed(Replay(function, state).run()))
      return failure();
    else
      describeResults(function, state, known);
    describeArguments(function, state, known);
    known.analyzedFuncOps[function] = func_ext::FuncOpAnalysisState::Analyzed;
  }
  return success();
}

} // namespace memreflens::bufferize
