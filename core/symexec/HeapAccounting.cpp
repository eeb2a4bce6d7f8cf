//===- core/symexec/HeapAccounting.cpp - bytes that a path holds ----------===//

#include "core/symexec/HeapAccounting.h"
#include "core/source/ElementSize.h"
#include "core/source/Escapes.h"
#include "core/source/Identity.h"
#include "core/symexec/CallGraph.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;

namespace memreflens::symexec {

/// The op that runs in the function that is explored, whoever it calls.
static Operation *ownOp(State &state, Operation *op) {
  return state.frames.size() > 1 ? state.frames[1].call : op;
}

void HeapAccounting::see(State &state, Operation *op, int64_t more,
                         Operation *callee) {
  InCallee inCallee = {callee, more};
  if (state.frames.size() > 1)
    inCallee = {state.frames[1].function,
                state.live + more - state.frames[1].liveBefore};
  watch.see(ownOp(state, op), state.live + more, inCallee);
  if (state.live + more <= watch.most)
    return;
  constexpr size_t many = 1000;
  watch.most = state.live + more;
  watch.mostAt = ownOp(state, op);
  watch.made.assign(state.made.begin(),
                    state.made.begin() + std::min(state.made.size(), many));
}

/// What the caller gets of a call by the function itself.
void HeapAccounting::returned(State &state, Value result,
                              const PathValue &value) {
  if (state.frames.size() > 1 || !value.isMemref() ||
      !watch.counts(result.getType()))
    return;
  const Object &object = state.objects[value.object];
  if (!object.isOwned() || object.frame == 1)
    return;
  watch.returnedBy[object.serial] = result.getDefiningOp();
  auto known = watch.bytes.find(object.serial);
  HeapWatch::size(watch.sizes, result,
                  known == watch.bytes.end() ? -1 : known->second);
}

void HeapAccounting::passedOver(State &state, Operation *op) {
  if (state.frames.size() == 1)
    op->walk([&](Operation *nested) { see(state, nested); });
}

void HeapAccounting::fault(State &state, FaultKind kind, Operation *op,
                           const Object &object) {
  // Of these the path ends.
  if (kind == FaultKind::useAfterFree || kind == FaultKind::doubleFree ||
      kind == FaultKind::freeOfUnowned)
    gap(trace::PeakGapKind::fault, op);
}

//===--- Sizes ------------------------------------------------------------===//

namespace {
/// Whether a number of a path is the same in each run that takes the path. One
/// that a loop carries is not, where nobody knows how often the loop goes
/// round: an array that doubles while it is too small would pass any bound.
class RunsAlike {
public:
  explicit RunsAlike(const State &state) : state(state) {}

  bool holds(Value value, size_t frame);

private:
  bool holdsOfArgument(BlockArgument argument, size_t frame);
  bool holdsOfResult(OpResult result, size_t frame);

  const State &state;
  llvm::SmallDenseSet<std::pair<Value, size_t>, 16> seen;
};
} // namespace

bool RunsAlike::holds(Value value, size_t frame) {
  constexpr size_t most = 256;
  if (seen.size() > most)
    return false;
  if (!seen.insert({value, frame}).second)
    return true;
  if (auto argument = dyn_cast<BlockArgument>(value))
    return holdsOfArgument(argument, frame);
  return holdsOfResult(cast<OpResult>(value), frame);
}

bool RunsAlike::holdsOfArgument(BlockArgument argument, size_t frame) {
  Block *block = argument.getOwner();
  Operation *parent = block->getParentOp();
  const unsigned number = argument.getArgNumber();
  if (!block->isEntryBlock()) {
    for (Block *before : block->getPredecessors()) {
      auto branch = dyn_cast<BranchOpInterface>(before->getTerminator());
      if (!branch || block->isReachable(before))
        return false;
      for (auto [i, successor] : llvm::enumerate(before->getSuccessors())) {
        Value passed = successor == block
                           ? branch.getSuccessorOperands(i)[number]
                           : Value();
        if (successor == block && (!passed || !holds(passed, frame)))
          return false;
      }
    }
    return true;
  }
  if (isa<FunctionOpInterface>(parent)) {
    // Of the function that is tried nothing is passed that is known.
    Operation *call = state.frames[frame].call;
    return frame == 0 || !call || number >= call->getNumOperands() ||
           holds(call->getOperand(number), frame - 1);
  }
  auto loop = dyn_cast<LoopLikeOpInterface>(parent);
  if (!loop)
    return false;
  std::optional<SmallVector<Value>> inductions = loop.getLoopInductionVars();
  return inductions && llvm::is_contained(*inductions, Value(argument));
}

bool RunsAlike::holdsOfResult(OpResult result, size_t frame) {
  Operation *op = result.getOwner();
  if (isa<LoopLikeOpInterface, CallOpInterface>(op))
    return false;
  for (Region &region : op->getRegions())
    for (Block &block : region) {
      Operation *end = block.getTerminator();
      const unsigned number = result.getResultNumber();
      if (end->getNumSuccessors() == 0 &&
          (number >= end->getNumOperands() ||
           !holds(end->getOperand(number), frame)))
        return false;
    }
  return llvm::all_of(op->getOperands(),
                      [&](Value operand) { return holds(operand, frame); });
}

static bool isStatic(const Object &object) {
  auto type = dyn_cast<MemRefType>(object.value.getType());
  return type && type.hasStaticShape();
}

/// From the start to behind the last element, as normalize-memrefs lays it out;
/// -1 where that is not known.
static int64_t extentOf(MemRefType type, ArrayRef<int64_t> sizes) {
  int64_t count = 1;
  if (type.getLayout().isIdentity()) {
    for (int64_t size : sizes)
      if (__builtin_mul_overflow(count, size, &count))
        return -1;
    return count;
  }
  SmallVector<int64_t> strides;
  int64_t offset = 0;
  if (failed(type.getStridesAndOffset(strides, offset)) || offset < 0)
    return -1;
  for (auto [size, stride] : llvm::zip(sizes, strides)) {
    int64_t way = 0;
    if (size == 0)
      return 0;
    if (stride < 0 || __builtin_mul_overflow(size - 1, stride, &way) ||
        __builtin_add_overflow(count, way, &count))
      return -1;
  }
  return __builtin_add_overflow(count, offset, &count) ? -1 : count;
}

int64_t bytesOf(MemRefType type, ArrayRef<int64_t> sizes, int64_t bytes) {
  // Of nothing, whatever its elements are.
  if (llvm::is_contained(sizes, 0) && type.getLayout().isIdentity())
    return 0;
  const int64_t elements =
      llvm::any_of(sizes, [](int64_t size) { return size < 0; })
          ? -1
          : extentOf(type, sizes);
  if (bytes < 0 || elements < 0 ||
      __builtin_mul_overflow(bytes, elements, &bytes))
    return -1;
  return bytes;
}

/// -1 where a size is not known.
int64_t HeapAccounting::bytesOf(const Object &object, Operation *op) {
  auto type = dyn_cast<MemRefType>(object.value.getType());
  if (!type)
    return -1;
  // The lowering lays a clone out without gaps.
  if (isa_and_nonnull<bufferization::CloneOp>(object.site))
    type = MemRefType::get(type.getShape(), type.getElementType(),
                           MemRefLayoutAttrInterface(), type.getMemorySpace());
  SmallVector<int64_t> sizes(type.getShape());
  for (auto [i, size] : llvm::enumerate(sizes))
    if (ShapedType::isDynamic(size))
      size = i < object.shape.size()
                 ? exprs.constantOf(object.shape[i]).value_or(-1)
                 : -1;
  auto [element, isNew] = facts.elementBytes.try_emplace(object.value, 0);
  if (isNew)
    element->second = bytesOfElement(trace.options, op, type.getElementType());
  return symexec::bytesOf(type, sizes, element->second);
}

/// New memory of the function or of a callee.
void HeapAccounting::allocated(State &state, int32_t number, Operation *op) {
  const Object &object = state.objects[number];
  if (object.value && !watch.counts(object.value.getType()))
    return;
  for (const Frame &frame : state.frames)
    for (const Scope &scope : frame.scopes)
      if (runsConcurrently(scope.parent))
        gap(trace::PeakGapKind::concurrent, op);
  const int64_t bytes = bytesOf(object, op);
  RunsAlike alike(state);
  const bool isKnown =
      bytes >= 0 &&
      (isStatic(object) || llvm::all_of(op->getOperands(), [&](Value operand) {
         return (!values.stated.empty() &&
                 values.stated.sizeOf(operand) >= 0) ||
                alike.holds(operand, state.frames.size() - 1);
       }));
  if (object.frame == 1 && object.value)
    HeapWatch::size(watch.sizes, object.value, isKnown ? bytes : -1);
  if (!isKnown)
    return gap(trace::PeakGapKind::unknownSize, op);
  watch.bytes[object.serial] = bytes;
  state.live += bytes;
  const bool isClone = isa<bufferization::CloneOp>(op);
  if (object.frame == 1 &&
      (isClone || (object.value && isListForHelper(object.value))))
    state.made.push_back({object.serial, isClone ? op : nullptr, bytes});
  see(state, op);
}

void HeapAccounting::allocatedOnStack(State &state, int32_t number,
                                      Operation *op) {
  const Object &object = state.objects[number];
  if (object.frame == 1 && watch.counts(object.value.getType()))
    HeapWatch::size(watch.stack, object.value, bytesOf(object, op));
}

/// In its place stands a body that does nothing.
bool HeapAccounting::isStandIn(FunctionOpInterface callee) {
  auto [known, isNew] = standIns.insert({callee, false});
  if (!isNew)
    return known->second;
  auto isSetAside = [](const trace::Function &function) {
    return function.status == trace::FunctionStatus::rejected ||
           function.status == trace::FunctionStatus::crashedStage ||
           function.status == trace::FunctionStatus::skipped;
  };
  if (const trace::Function *traced = tracedFunction(callee, trace))
    return known->second = isSetAside(*traced);
  return known->second = llvm::any_of(
             trace.functions, [&](const trace::Function &function) {
               return function.name == callee.getName() && isSetAside(function);
             });
}

void HeapAccounting::deallocated(State &state, int32_t number, Operation *op) {
  const Object &object = state.objects[number];
  state.live -= watch.bytes.lookup(object.serial);
  llvm::erase_if(state.made, [&](const LiveMade &one) {
    return one.serial == object.serial;
  });
  Operation *site =
      object.frame == 1 ? object.site : watch.returnedBy.lookup(object.serial);
  if (site && (!object.value || watch.counts(object.value.getType())))
    watch.freed.insert({site, ownOp(state, op)});
}

/// What a callee holds that is not run here.
void HeapAccounting::calledUnrun(State &state, Operation *op,
                                 FunctionOpInterface callee) {
  if (!callee || callee.getFunctionBody().empty() || isStandIn(callee))
    return gap(trace::PeakGapKind::unknownCallee, op);
  std::optional<trace::HeapUse> heap = watch.heapOf(callee);
  if (!heap)
    return gap(trace::PeakGapKind::recursion, op);
  see(state, op, heap->peakBytes, callee);
  for (const trace::PeakGap &one : heap->gaps)
    gap(one.kind, op);
}

} // namespace memreflens::symexec
