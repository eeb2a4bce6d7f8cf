//===- core/pipeline/bufferize/Decisions.cpp ------------------------------===//

#include "core/pipeline/bufferize/Decisions.h"
#include "core/pipeline/bufferize/Amounts.h"
#include "core/pipeline/bufferize/Calls.h"
#include "core/pipeline/bufferize/Conflicts.h"
#include "core/pipeline/bufferize/FalseConflicts.h"
#include "core/pipeline/bufferize/Sharing.h"
#include "core/source/Identity.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/Transforms/FuncBufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::bufferization;
using func_ext::FuncAnalysisState;

namespace memreflens::bufferize {

using trace::Id;
using trace::none;
using trace::TensorOperand;
using trace::TensorPlacement;
using trace::TensorReadOnly;
using trace::TensorReason;
using trace::TensorReasonKind;

static bool isTensor(Value value) { return isa<TensorType>(value.getType()); }

namespace {
/// Of one function, or of a whole module where boundaries stay tensors.
class DecisionRecorder {
public:
  DecisionRecorder(Operation *root, OneShotAnalysisState &state,
                   Sources &sources, const trace::Trace &trace,
                   trace::Bufferization &record)
      : root(root), state(state), sources(sources), trace(trace),
        record(record), conflicts(state, root), falseConflicts(state) {}

  void recordOperands();
  void recordBuffers();
  void recordOverwrites();
  void recordShared();
  void recordLoops();

private:
  void findBecomes();
  void recordOperand(OpOperand &operand);
  void explain(OpOperand &operand, TensorOperand &entry);
  Id idOf(Value value) const { return taggedValue(value, trace); }
  Id idOf(Operation *op) const { return taggedOp(op->getLoc()); }
  TensorReason reasonOf(const Conflict &conflict);
  TensorReason reasonOf(const Shared &shared) const;
  void setWrite(TensorReason &reason, OpOperand *write) const;

  Operation *root;
  OneShotAnalysisState &state;
  Sources &sources;
  const trace::Trace &trace;
  trace::Bufferization &record;
  Conflicts conflicts;
  FalseConflicts falseConflicts;
  /// The tensors that have an operand's buffer where it is in place.
  llvm::DenseMap<OpOperand *, std::vector<Id>> becomes;
};
} // namespace

//===--- Operands ---------------------------------------------------------===//

static TensorReadOnly whyReadOnly(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op) {
    Operation *parent = value.getParentBlock()->getParentOp();
    return isa<func::FuncOp>(parent) ? TensorReadOnly::argument
                                     : TensorReadOnly::other;
  }
  if (isa<arith::ConstantOp>(op))
    return TensorReadOnly::constant;
  return isa<ToTensorOp>(op) ? TensorReadOnly::toTensor : TensorReadOnly::other;
}

void DecisionRecorder::setWrite(TensorReason &reason, OpOperand *write) const {
  reason.write = idOf(write->getOwner());
  reason.writeOperand = int32_t(write->getOperandNumber());
}

TensorReason DecisionRecorder::reasonOf(const Conflict &conflict) {
  TensorReason reason;
  reason.kind = TensorReasonKind::readAfterWrite;
  setWrite(reason, conflict.write);
  reason.read = idOf(conflict.read->getOwner());
  reason.readOperand = int32_t(conflict.read->getOperandNumber());
  reason.definition = idOf(conflict.definition);
  reason.isAcrossIterations = conflict.isAcrossIterations;
  if (Value joined = falseConflicts.joinOf(conflict))
    reason.joined = idOf(joined);
  reason.isDisjoint = falseConflicts.isDisjoint(conflict);
  return reason;
}

TensorReason DecisionRecorder::reasonOf(const Shared &shared) const {
  TensorReason reason;
  reason.kind = TensorReasonKind::parallel;
  setWrite(reason, shared.write);
  reason.definition = idOf(shared.definition);
  return reason;
}

/// Adds those of one kind; no more than are kept of any.
template <class Elements, class Make>
static void addReasons(const Elements &elements, TensorOperand &entry,
                       Make make) {
  for (const auto &element :
       llvm::ArrayRef(elements).take_front(Conflicts::kept))
    entry.reasons.push_back(make(element));
  entry.reasonCount += uint32_t(elements.size());
}

void DecisionRecorder::explain(OpOperand &operand, TensorOperand &entry) {
  const Conflicts::Reasons found = conflicts.of(operand);
  auto asReason = [&](const auto &one) { return reasonOf(one); };
  addReasons(found.notWritable, entry, [&](Value value) {
    TensorReason reason;
    reason.kind = TensorReasonKind::notWritable;
    reason.definition = idOf(value);
    reason.readOnly = whyReadOnly(value);
    return reason;
  });
  addReasons(found.conflicts, entry, asReason);
  entry.reasonCount +=
      found.count -
      uint32_t(std::min<size_t>(found.count, found.conflicts.size()));
  addReasons(found.shared, entry, asReason);
  entry.readCount = found.reads;
  entry.writeCount = found.writes;
  entry.isBounded = found.isBounded;
}

void DecisionRecorder::recordOperand(OpOperand &operand) {
  Operation *op = operand.getOwner();
  TensorOperand entry;
  entry.op = idOf(op);
  entry.operand = int32_t(operand.getOperandNumber());
  entry.value = idOf(operand.get());
  entry.reads = state.bufferizesToMemoryRead(operand);
  entry.writes = state.bufferizesToMemoryWrite(operand);
  if (auto found = becomes.find(&operand); found != becomes.end())
    entry.becomes = found->second;
  const bool inPlace = state.isInPlace(operand);
  entry.placement =
      inPlace ? TensorPlacement::inPlace : TensorPlacement::outOfPlace;
  const bool isKnown = bool(state.getOptions().dynCastBufferizableOp(op));
  if (!isKnown) {
    entry.reasons.push_back({.kind = TensorReasonKind::unknownOp});
    entry.reasonCount = 1;
  } else if (!inPlace ||
             (entry.writes && !state.getOptions().checkParallelRegions)) {
    explain(operand, entry);
    if (!inPlace && entry.reasons.empty())
      entry.reasons.push_back({});
  }
  record.operands.push_back(std::move(entry));
}

/// As the ops with the operands say, and those with the results.
void DecisionRecorder::findBecomes() {
  // Of calls they say it by what is known of functions.
  const bool knowsCalls = state.getExtension<FuncAnalysisState>() != nullptr;
  auto says = [&](Operation *op) {
    return (knowsCalls || !isa<func::CallOp>(op)) &&
           state.getOptions().dynCastBufferizableOp(op);
  };
  for (Value value : tensorsOf(root)) {
    Operation *by = value.getDefiningOp();
    if (says(by ? by : value.getParentBlock()->getParentOp()))
      for (const AliasingOpOperand &from : state.getAliasingOpOperands(value))
        becomes[from.opOperand].push_back(idOf(value));
    for (OpOperand &use : value.getUses()) {
      if (!says(use.getOwner()))
        continue;
      for (const AliasingValue &to : state.getAliasingValues(use))
        becomes[&use].push_back(idOf(to.value));
      // A loop says it of its results only.
      if (auto loop = dyn_cast<LoopLikeOpInterface>(use.getOwner()))
        if (BlockArgument carried = loop.getTiedLoopRegionIterArg(&use))
          becomes[&use].push_back(idOf(carried));
    }
  }
  for (auto &[operand, values] : becomes) {
    llvm::sort(values);
    values.erase(std::unique(values.begin(), values.end()), values.end());
  }
}

void DecisionRecorder::recordOperands() {
  findBecomes();
  root->walk<WalkOrder::PreOrder>([&](Operation *op) {
    for (OpOperand &operand : op->getOpOperands())
      if (isTensor(operand.get()))
        recordOperand(operand);
  });
}

//===--- Buffers ----------------------------------------------------------===//

void DecisionRecorder::recordBuffers() {
  llvm::DenseMap<Value, Value> same, mayShare;
  for (Value value : tensorsOf(root)) {
    if (!same.contains(value))
      state.applyOnEquivalenceClass(
          value, [&](Value member) { same.try_emplace(member, value); });
    if (!mayShare.contains(value))
      state.applyOnAliases(
          value, [&](Value member) { mayShare.try_emplace(member, value); });
    record.buffers.push_back(
        {idOf(value), idOf(same.lookup(value)), idOf(mayShare.lookup(value))});
  }
}

void DecisionRecorder::recordOverwrites() {
  if (llvm::all_of(root->getRegions(),
                   [](Region &region) { return region.hasOneBlock(); }))
    return;
  root->walk([&](Operation *op) {
    if (!state.getOptions().dynCastBufferizableOp(op))
      return;
    for (OpOperand &operand : op->getOpOperands()) {
      if (!isTensor(operand.get()) || !state.isInPlace(operand) ||
          !state.bufferizesToMemoryWrite(operand))
        continue;
      for (const Conflict &found : conflicts.overwritten(operand))
        record.overwrites.push_back({idOf(found.definition), idOf(op),
                                     int32_t(operand.getOperandNumber()),
                                     idOf(found.read->getOwner()),
                                     int32_t(found.read->getOperandNumber())});
    }
  });
}

void DecisionRecorder::recordShared() {
  const SharedWrites shared = sharedWrites(root, state, sources, conflicts);
  for (const SharedWrite &found : shared.all) {
    trace::TensorOverwrite entry;
    entry.argument = idOf(found.kept);
    entry.write = idOf(found.write->getOwner());
    entry.writeOperand = int32_t(found.write->getOperandNumber());
    if (found.read) {
      entry.read = idOf(found.read->getOwner());
      entry.readOperand = int32_t(found.read->getOperandNumber());
    }
    entry.by = idOf(found.by);
    entry.written = idOf(found.written);
    record.overwrites.push_back(entry);
  }
  record.isOverwriteSearchBounded |= shared.isBounded;
}

//===--- Loops ------------------------------------------------------------===//

/// Iterations of one run of the loop, if that is known.
static std::optional<int64_t> tripCount(LoopLikeOpInterface loop) {
  std::optional<SmallVector<OpFoldResult>> lower = loop.getLoopLowerBounds(),
                                           upper = loop.getLoopUpperBounds(),
                                           steps = loop.getLoopSteps();
  if (!lower || !upper || !steps || lower->empty())
    return std::nullopt;
  int64_t times = 1;
  for (auto [from, to, step] : llvm::zip_equal(*lower, *upper, *steps)) {
    const std::optional<int64_t> first = getConstantIntValue(from),
                                 end = getConstantIntValue(to),
                                 by = getConstantIntValue(step);
    int64_t length = 0;
    if (!first || !end || !by || *by <= 0 ||
        __builtin_sub_overflow(*end, *first, &length))
      return std::nullopt;
    const int64_t rounds =
        length <= 0 ? 0 : length / *by + (length % *by == 0 ? 0 : 1);
    if (__builtin_mul_overflow(times, rounds, &times))
      return std::nullopt;
  }
  return times;
}

void DecisionRecorder::recordLoops() {
  root->walk<WalkOrder::PreOrder>([&](LoopLikeOpInterface loop) {
    if (std::optional<int64_t> times = tripCount(loop))
      record.loops.push_back({idOf(loop.getOperation()), *times});
  });
}

//===--- Functions --------------------------------------------------------===//

/// What the program states of the argument in `bufferization.access`.
static StringAttr statedAccess(func::FuncOp function, unsigned argument) {
  return function.getArgAttrOfType<StringAttr>(
      argument, BufferizationDialect::kBufferAccessAttrName);
}

static trace::TensorArgument argumentOf(func::FuncOp function, unsigned number,
                                        OneShotAnalysisState &state,
                                        const trace::Trace &trace) {
  const auto *known = state.getExtension<FuncAnalysisState>();
  auto has = [&](const auto &sets) {
    auto set = sets.find(function);
    return set != sets.end() && set->second.contains(number);
  };
  trace::TensorArgument entry;
  if (known && !function.isExternal()) {
    entry.read = has(known->readBbArgs);
    entry.written = has(known->writtenBbArgs);
  }
  if (StringAttr stated = statedAccess(function, number)) {
    entry.isStated = true;
    entry.read = stated == "read" || stated == "read-write";
    entry.written = stated == "write" || stated == "read-write";
  }
  if (!function.isExternal()) {
    Value argument = function.getArgument(number);
    entry.value = taggedValue(argument, trace);
    entry.bodyReads = entry.isStated && state.isValueRead(argument);
    entry.bodyWrites = entry.isStated && state.isValueWritten(argument);
  }
  return entry;
}

static trace::TensorResult resultOf(func::FuncOp function, unsigned number,
                                    const FuncAnalysisState &known) {
  trace::TensorResult entry;
  entry.result = int32_t(number);
  auto equivalent = known.equivalentFuncArgs.find(function);
  if (equivalent != known.equivalentFuncArgs.end())
    if (auto found = equivalent->second.find(number);
        found != equivalent->second.end())
      entry.argument = int32_t(found->second);
  auto aliasing = known.aliasingReturnVals.find(function);
  if (aliasing != known.aliasingReturnVals.end())
    for (const auto &[argument, results] : aliasing->second)
      if (llvm::is_contained(results, int64_t(number)))
        entry.mayBe.push_back(int32_t(argument));
  llvm::sort(entry.mayBe);
  return entry;
}

/// Bytes of a tensor of static shape; -1 of another.
static int64_t bytesOf(Value value, const trace::Trace &trace) {
  auto tensor = dyn_cast<RankedTensorType>(value.getType());
  trace::TensorCost amount;
  if (tensor && tensor.hasStaticShape())
    setBytes(amount, value.getParentBlock()->getParentOp(), tensor, {}, trace);
  return amount.bytes;
}

/// Looks for a larger tensor, made in the function, that each return gives a
/// part of.
static void setPartOf(func::FuncOp function, unsigned number,
                      OneShotAnalysisState &state, const trace::Trace &trace,
                      trace::TensorResult &entry) {
  SetVector<Value> wholes;
  for (Block &block : function.getBody())
    if (auto end = dyn_cast<func::ReturnOp>(block.getTerminator())) {
      OpOperand &result = end->getOpOperand(number);
      entry.bytes = bytesOf(result.get(), trace);
      const SetVector<Value> from = state.findValueInReverseUseDefChain(
          &result, [](Value) { return false; });
      wholes.insert_range(from);
    }
  const int64_t whole = wholes.size() == 1 && wholes[0].getDefiningOp()
                            ? bytesOf(wholes[0], trace)
                            : -1;
  if (entry.bytes >= 0 && whole > entry.bytes)
    entry.partOf = taggedValue(wholes[0], trace);
  else
    entry.bytes = -1;
}

static void recordFunction(func::FuncOp function, OneShotAnalysisState &state,
                           const Calls &calls, const trace::Trace &trace,
                           trace::Bufferization &record) {
  trace::TensorFunction entry;
  const trace::Function *traced = tracedFunction(function, trace);
  entry.function = traced ? traced->id : none;
  entry.isRecursive = isRecursive(function, calls);
  const auto *known = state.getExtension<FuncAnalysisState>();
  for (auto [number, type] : llvm::enumerate(function.getArgumentTypes()))
    if (isa<TensorType>(type))
      entry.arguments.push_back(
          argumentOf(function, unsigned(number), state, trace));
  for (auto [number, type] : llvm::enumerate(function.getResultTypes()))
    if (isa<TensorType>(type) && known) {
      entry.results.push_back(resultOf(function, unsigned(number), *known));
      if (!function.isExternal())
        setPartOf(function, unsigned(number), state, trace,
                  entry.results.back());
    }
  if (!entry.arguments.empty() || !entry.results.empty())
    record.functions.push_back(std::move(entry));
}

//===--- What is not as it seems ------------------------------------------===//

/// By its namespace alone: the dialect need not be loaded.
static bool isSparse(Value value) {
  auto tensor = dyn_cast<RankedTensorType>(value.getType());
  return tensor && tensor.getEncoding() &&
         tensor.getEncoding().getDialect().getNamespace() == "sparse_tensor";
}

static void recordMadeDense(Operation *root, const trace::Trace &trace,
                            trace::Bufferization &record) {
  for (Value value : tensorsOf(root))
    if (isSparse(value))
      record.madeDense.push_back(taggedValue(value, trace));
}

/// The pass does not look into modules of the module that it runs on.
static void recordUntouched(Operation *module, const trace::Trace &trace,
                            trace::Bufferization &record) {
  module->walk([&](func::FuncOp function) {
    if (function->getParentOp() == module || tensorsOf(function).empty())
      return;
    if (const trace::Function *traced = tracedFunction(function, trace))
      record.untouched.push_back(traced->id);
  });
}

//===--- All --------------------------------------------------------------===//

void recordDecisions(ModuleOp module, OneShotAnalysisState &state,
                     const OneShotBufferizationOptions &options,
                     const trace::Trace &trace, trace::Bufferization &record) {
  Sources sources(state);
  auto recordIn = [&](Operation *root) {
    DecisionRecorder recorder(root, state, sources, trace, record);
    recorder.recordOperands();
    recorder.recordBuffers();
    recorder.recordOverwrites();
    recorder.recordShared();
    recordMadeDense(root, trace, record);
    recorder.recordLoops();
  };
  if (!state.getOptions().bufferizeFunctionBoundaries)
    return recordIn(module);
  const Calls calls = callsIn(module);
  for (auto function : module->getRegion(0).getOps<func::FuncOp>()) {
    if (!state.getOptions().isOpAllowed(function)) {
      recordCopiesBeforeWrite(function, options, trace, record);
      continue;
    }
    if (!function.isExternal())
      recordIn(function);
    recordFunction(function, state, calls, trace, record);
  }
  recordUntouched(module, trace, record);
}

void recordCopiesBeforeWrite(Operation *root,
                             const OneShotBufferizationOptions &options,
                             const trace::Trace &trace,
                             trace::Bufferization &record) {
  // Models of calls take any state for one of this kind.
  const OneShotAnalysisState state(root, options);
  root->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (!isa<BufferizableOpInterface>(op))
      return;
    for (OpOperand &operand : op->getOpOperands()) {
      if (!isTensor(operand.get()))
        continue;
      TensorOperand entry;
      entry.op = taggedOp(op->getLoc());
      entry.operand = int32_t(operand.getOperandNumber());
      entry.value = taggedValue(operand.get(), trace);
      entry.reads = state.bufferizesToMemoryRead(operand);
      entry.writes = state.bufferizesToMemoryWrite(operand);
      entry.placement = !entry.writes || isa<ToBufferOp>(op)
                            ? TensorPlacement::inPlace
                            : TensorPlacement::outOfPlace;
      if (entry.placement == TensorPlacement::outOfPlace) {
        entry.reasons.push_back({.kind = TensorReasonKind::copyBeforeWrite});
        entry.reasonCount = 1;
      }
      record.operands.push_back(std::move(entry));
    }
  });
}

} // namespace memreflens::bufferize
