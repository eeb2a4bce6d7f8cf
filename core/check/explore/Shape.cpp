//===- core/check/explore/Shape.cpp ---------------------------------------===//

#include "core/check/explore/Shape.h"
#include "core/source/Escapes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace memreflens::explorer {

bool isBuffer(Type type) { return isa<BaseMemRefType, TensorType>(type); }

bool isFollowed(Type element) {
  return element.isIntOrIndex() || isa<BaseMemRefType>(element);
}

static std::optional<int64_t> constantIn(Value value) {
  IntegerAttr number;
  if (!value.getType().isIntOrIndex() ||
      !matchPattern(value, m_Constant(&number)))
    return std::nullopt;
  return number.getValue().getSExtValue();
}

unsigned Shape::numberOf(Value value) {
  auto [entry, isNew] = numbers.try_emplace(value, values.size());
  if (isNew) {
    values.push_back(value);
    constants.push_back(constantIn(value));
    firstOfRegion.try_emplace(value.getParentRegion(), entry->second);
  }
  return entry->second;
}

const LivenessBlockInfo *Shape::liveness(Block *block) {
  Operation *top = block->getParentOp();
  while (top && !isa<FunctionOpInterface>(top))
    top = top->getParentOp();
  if (!top)
    return nullptr;
  std::unique_ptr<Liveness> &analysis = analyses[top];
  if (!analysis)
    analysis = std::make_unique<Liveness>(top);
  return analysis->getLiveness(block);
}

/// Ops of which memory, or who frees it, is all that matters.
static std::optional<Action> actionOnMemory(Operation *op) {
  return llvm::TypeSwitch<Operation *, std::optional<Action>>(op)
      .Case([](memref::LoadOp) { return Action::load; })
      .Case([](memref::StoreOp) { return Action::store; })
      .Case([](bufferization::DeallocOp) { return Action::dealloc; })
      .Case([](memref::ReallocOp) { return Action::realloc; })
      .Case([](bufferization::CloneOp) { return Action::clone; })
      .Case([](memref::DimOp) { return Action::dim; })
      .Case([](cf::AssertOp) { return Action::assertion; })
      .Case<ub::UnreachableOp, LLVM::UnreachableOp>(
          [](Operation *) { return Action::end; })
      .Default([](Operation *) { return std::nullopt; });
}

static bool isView(Operation *op) {
  if (isa<memref::DistinctObjectsOp, bufferization::ToTensorOp,
          bufferization::ToBufferOp>(op))
    return true;
  auto view = dyn_cast<ViewLikeOpInterface>(op);
  return view && isBuffer(view.getViewSource().getType());
}

/// An op without regions that no memory is behind.
static Action actionOnValues(Operation *op) {
  const bool isFree = isMemoryEffectFree(op);
  if (op->getNumResults() != 1 || op->getNumRegions() > 0 ||
      !op->getResult(0).getType().isIntOrIndex())
    return isFree && llvm::none_of(op->getResultTypes(), isBuffer)
               ? Action::nothing
               : Action::effects;
  if (constantIn(op->getResult(0)))
    return Action::nothing;
  const bool isPointer = isa<memref::ExtractAlignedPointerAsIndexOp>(op);
  return isPointer || (isFree && llvm::none_of(op->getOperandTypes(), isBuffer))
             ? Action::scalar
             : Action::effects;
}

Action Shape::actionOf(Operation *op) {
  if (std::optional<Action> onMemory = actionOnMemory(op))
    return *onMemory;
  if (isa<BranchOpInterface>(op) || op->getNumSuccessors() > 0)
    return Action::branch;
  if (op->hasTrait<OpTrait::IsTerminator>() || !op->getNextNode())
    return Action::terminate;
  if (isa<CallOpInterface>(op))
    return Action::call;
  if (op->getNumRegions() > 0 && touchesMemory(op) &&
      !op->hasTrait<OpTrait::IsIsolatedFromAbove>())
    return Action::region;
  // The one scalar op that may need a decision.
  if (isa<arith::SelectOp>(op) && isBuffer(op->getResult(0).getType()))
    return Action::choice;
  return isView(op) ? Action::view : actionOnValues(op);
}

void Shape::lookAt(Block *block) {
  Region *region = block->getParent();
  // Nothing of a region leaves its only block.
  const LivenessBlockInfo *info =
      region->hasOneBlock() ? nullptr : liveness(block);
  // In their order: what is made last is added at the end of a frame's list.
  for (Operation &op : *block)
    for (Value result : op.getResults())
      numberOf(result);
  llvm::DenseSet<Value> later;
  for (Operation &op : llvm::reverse(*block)) {
    Known &entry = allKnown.emplace_back();
    entry.action = actionOf(&op);
    known[&op] = &entry;
    auto look = [&](Value value) {
      if (value.getParentRegion() != region || !later.insert(value).second)
        return;
      const unsigned number = numberOf(value);
      if (!constants[number] && (!info || !info->isLiveOut(value)))
        entry.dead.push_back(number);
    };
    for (Value result : op.getResults())
      look(result);
    op.walk([&](Operation *nested) {
      for (Value operand : nested->getOperands())
        look(operand);
    });
  }
}

const Shape::Known &Shape::of(Operation *op) {
  if (auto entry = known.find(op); entry != known.end())
    return *entry->second;
  lookAt(op->getBlock());
  return *known.lookup(op);
}

bool Shape::isLiveInto(Value value, Block *block) {
  if (auto argument = dyn_cast<BlockArgument>(value))
    if (argument.getOwner() == block)
      return true;
  const LivenessBlockInfo *info = liveness(block);
  return !info || info->isLiveIn(value);
}

bool Shape::touchesMemory(Operation *op) {
  auto [entry, isNew] = touches.try_emplace(op, false);
  if (!isNew)
    return entry->second;
  bool found = false;
  op->walk([&](Operation *nested) {
    if (nested == op)
      return WalkResult::advance();
    found = llvm::any_of(nested->getOperandTypes(), isBuffer) ||
            llvm::any_of(nested->getResultTypes(), isBuffer) ||
            isa<CallOpInterface>(nested);
    return found ? WalkResult::interrupt() : WalkResult::advance();
  });
  return touches[op] = found;
}

//===--- What memory tells of buffers -------------------------------------===//

/// Whether code behind it can read it back to tell who owns what.
static bool decidesOwnership(Type stored) {
  return isa<BaseMemRefType>(stored) || stored.isInteger(1);
}

static Value throughViews(Value buffer) {
  while (auto view = buffer.getDefiningOp<ViewLikeOpInterface>())
    buffer = view.getViewSource();
  return buffer;
}

namespace {
class MarkFinder {
public:
  explicit MarkFinder(Value memory) : memory(memory) {}
  bool holdsMarks();

private:
  bool isMark(Value value);
  bool decidesNumbersOnly(Operation *op);

  Value memory;
  llvm::SmallDenseSet<Value, 8> seen;
};
} // namespace

/// Whichever way is taken through the op: loads and stores of numbers, and
/// marks.
bool MarkFinder::decidesNumbersOnly(Operation *op) {
  if (!llvm::all_of(op->getResults(), [&](Value result) {
        return result.getType().isIntOrIndexOrFloat() && isMark(result);
      }))
    return false;
  return !op->walk([&](Operation *nested) {
              if (auto store = dyn_cast<memref::StoreOp>(nested)) {
                Value stored = store.getValueToStore();
                return !decidesOwnership(stored.getType()) ||
                               (throughViews(store.getMemRef()) == memory &&
                                isMark(stored))
                           ? WalkResult::advance()
                           : WalkResult::interrupt();
              }
              const bool isHarmless =
                  isa<memref::LoadOp, scf::IfOp, scf::ForOp, scf::YieldOp>(
                      nested) ||
                  (nested->getNumRegions() == 0 && isMemoryEffectFree(nested));
              return isHarmless && llvm::none_of(nested->getResultTypes(),
                                                 llvm::IsaPred<TensorType>)
                         ? WalkResult::advance()
                         : WalkResult::interrupt();
            }).wasInterrupted();
}

/// All that is made of an i1 is put back into the memory, or decides about
/// numbers; of other numbers nobody knows what they are.
bool MarkFinder::isMark(Value value) {
  if (!value.getType().isInteger(1) || !seen.insert(value).second)
    return true;
  return llvm::all_of(value.getUsers(), [&](Operation *user) {
    if (auto store = dyn_cast<memref::StoreOp>(user))
      return throughViews(store.getMemRef()) == memory;
    if (isa<scf::IfOp>(user))
      return decidesNumbersOnly(user);
    return user->getNumRegions() == 0 && user->getNumSuccessors() == 0 &&
           !user->hasTrait<OpTrait::IsTerminator>() &&
           isMemoryEffectFree(user) &&
           llvm::all_of(user->getResults(), [&](Value result) {
             return result.getType().isIntOrIndexOrFloat() && isMark(result);
           });
  });
}

bool MarkFinder::holdsMarks() {
  Operation *site = memory.getDefiningOp();
  auto type = dyn_cast<MemRefType>(memory.getType());
  if (!type || !type.getElementType().isInteger(1) || !site ||
      !hasEffect<MemoryEffects::Allocate>(site))
    return false;
  SmallVector<Value> open = {memory};
  while (!open.empty())
    for (OpOperand &use : open.pop_back_val().getUses()) {
      Operation *user = use.getOwner();
      if (auto load = dyn_cast<memref::LoadOp>(user)) {
        if (!isMark(load.getResult()))
          return false;
      } else if (isa<ViewLikeOpInterface>(user)) {
        open.append(user->result_begin(), user->result_end());
      } else if (auto store = dyn_cast<memref::StoreOp>(user)) {
        if (store.getValueToStore() == use.get())
          return false;
      } else if (user->getNumResults() > 0 ||
                 !isa<MemoryEffectOpInterface>(user) ||
                 hasEffect<MemoryEffects::Read>(user, use.get())) {
        // Elsewhere it may be read in any way.
        return false;
      }
    }
  return true;
}

bool Shape::holdsMarks(Value memory) {
  memory = throughViews(memory);
  auto [entry, isNew] = marks.try_emplace(memory, false);
  if (isNew)
    entry->second = MarkFinder(memory).holdsMarks();
  return entry->second;
}

/// An i1, index or memref put into memory is read back by the code that the
/// lowering makes.
static bool storesWhatMatters(Operation *op) {
  auto store = dyn_cast<memref::StoreOp>(op);
  if (!store)
    return false;
  Type type = store.getMemRefType().getElementType();
  return isa<BaseMemRefType, IndexType>(type) || type.isInteger(1);
}

/// The op puts a buffer or an i1 that tells of one into memory, or takes one
/// out of it, at a place that is no constant; or a callee may.
static bool keepsByNumber(Operation *op, Shape &shape) {
  Type kept;
  Value memory;
  ValueRange indices;
  if (auto load = dyn_cast<memref::LoadOp>(op)) {
    kept = load.getType();
    memory = load.getMemRef();
    indices = load.getIndices();
  } else if (auto store = dyn_cast<memref::StoreOp>(op)) {
    kept = store.getValueToStore().getType();
    memory = store.getMemRef();
    indices = store.getIndices();
  } else if (auto call = dyn_cast<CallOpInterface>(op)) {
    // Lists for the helper are read in one step.
    return !isHelperCall(op) &&
           llvm::any_of(call.getArgOperands().getTypes(), [](Type type) {
             auto memref = dyn_cast<BaseMemRefType>(type);
             return memref && decidesOwnership(memref.getElementType());
           });
  }
  return kept && decidesOwnership(kept) &&
         !llvm::all_of(
             indices,
             [](Value index) { return matchPattern(index, m_Constant()); }) &&
         !shape.holdsMarks(memory);
}

bool Shape::keepsBuffers(Operation *op) {
  auto [entry, isNew] = keeps.try_emplace(op, false);
  if (!isNew)
    return entry->second;
  const bool found = op->walk([&](Operation *nested) {
                         return keepsByNumber(nested, *this)
                                    ? WalkResult::interrupt()
                                    : WalkResult::advance();
                       }).wasInterrupted();
  return keeps[op] = found;
}

//===--- Rounds of a loop -------------------------------------------------===//

static bool isNumber(Type type) {
  return type.isIntOrIndex() && !type.isInteger(1);
}

/// What it goes into is compared, kept in memory, or gives a bound or a size;
/// to tell a place is no question.
static bool isAsked(OpOperand &use) {
  Operation *user = use.getOwner();
  if (auto store = dyn_cast<memref::StoreOp>(user))
    return store.getValueToStore() == use.get();
  // What a region gives back is looked at by itself.
  if (isa<memref::LoadOp, ViewLikeOpInterface, CallOpInterface,
          RegionBranchTerminatorOpInterface>(user))
    return false;
  return user->getNumRegions() > 0 || !isMemoryEffectFree(user) ||
         llvm::any_of(user->getResultTypes(),
                      [](Type type) { return type.isInteger(1); });
}

/// One of the numbers, or another that is made of them.
static bool isAskedForAny(SmallVector<Value> open) {
  llvm::SmallDenseSet<Value, 16> seen;
  while (!open.empty()) {
    const Value value = open.pop_back_val();
    if (!isNumber(value.getType()) || !seen.insert(value).second)
      continue;
    for (OpOperand &use : value.getUses()) {
      if (isAsked(use))
        return true;
      if (isMemoryEffectFree(use.getOwner()))
        llvm::append_range(open, use.getOwner()->getResults());
    }
  }
  return false;
}

/// An allocation whose size is no number of its type, or a number put into
/// memory but for a pointer.
static bool makesByNumber(Operation *op) {
  if (auto store = dyn_cast<memref::StoreOp>(op)) {
    Value stored = store.getValueToStore();
    return isNumber(stored.getType()) &&
           !stored.getDefiningOp<memref::ExtractAlignedPointerAsIndexOp>();
  }
  return hasEffect<MemoryEffects::Allocate>(op) &&
         llvm::any_of(op->getResultTypes(), [](Type type) {
           auto shaped = dyn_cast<ShapedType>(type);
           return !shaped || !shaped.hasStaticShape();
         });
}

bool Shape::countsRounds(Operation *loop, bool runsCalls) {
  auto [entry, isNew] = counts[runsCalls].try_emplace(loop, false);
  if (!isNew)
    return entry->second;
  SmallVector<Value> numbers(loop->getResults());
  for (Region &region : loop->getRegions())
    llvm::append_range(numbers, region.getArguments());
  const WalkResult all = loop->walk([&](Operation *nested) {
    if (isa<memref::LoadOp>(nested) || nested->getNumRegions() > 0)
      llvm::append_range(numbers, nested->getResults());
    return makesByNumber(nested) ||
                   (runsCalls && isa<CallOpInterface>(nested) &&
                    !isHelperCall(nested))
               ? WalkResult::interrupt()
               : WalkResult::advance();
  });
  const bool found = all.wasInterrupted() || isAskedForAny(std::move(numbers));
  return counts[runsCalls][loop] = found;
}

//===--- Passages ---------------------------------------------------------===//

namespace {
class PassageFinder {
public:
  PassageFinder(Operation *op, Shape &shape) : op(op), shape(shape) {}
  Passage find();

private:
  bool hasKnownWays(Operation *owner);
  bool isFlag(Value value);
  bool addSources(Value value, llvm::SmallVectorImpl<Value> &sources);
  bool isPassed(Operation *nested);
  bool lookAtBuffers(Operation *nested);
  void addBuffer(Value buffer, bool isWritten);

  Operation *op;
  Shape &shape;
  Passage passage;
};
} // namespace

/// Its regions are single blocks that are run as its interface says, and no
/// buffer goes round in them.
bool PassageFinder::hasKnownWays(Operation *owner) {
  return isa<LoopLikeOpInterface, RegionBranchOpInterface>(owner) &&
         !owner->hasTrait<OpTrait::IsIsolatedFromAbove>() &&
         llvm::all_of(owner->getRegions(), [](Region &region) {
           return region.empty() ||
                  (region.hasOneBlock() &&
                   llvm::none_of(region.getArgumentTypes(), isBuffer));
         });
}

void PassageFinder::addBuffer(Value buffer, bool isWritten) {
  while (Operation *view = buffer.getDefiningOp()) {
    if (!op->isProperAncestor(view))
      break;
    buffer = cast<ViewLikeOpInterface>(view).getViewSource();
  }
  passage.used.push_back(buffer);
  if (isWritten)
    passage.written.push_back(buffer);
}

bool PassageFinder::lookAtBuffers(Operation *nested) {
  if (auto store = dyn_cast<memref::StoreOp>(nested)) {
    Value value = store.getValueToStore();
    if (decidesOwnership(value.getType()) &&
        !shape.holdsMarks(store.getMemRef()))
      return false;
    const bool isNumber = value.getType().isIntOrIndex();
    if (isNumber && !op->isAncestor(value.getParentBlock()->getParentOp()))
      passage.stored.push_back(value);
    addBuffer(store.getMemRef(), isNumber);
    return true;
  }
  for (Value operand : nested->getOperands()) {
    if (isa<TensorType>(operand.getType()))
      return false;
    if (isa<BaseMemRefType>(operand.getType()) && !isMemoryEffectFree(nested))
      addBuffer(operand, !isa<memref::LoadOp>(nested));
  }
  return true;
}

bool PassageFinder::isPassed(Operation *nested) {
  if (isa<cf::AssertOp, memref::ExtractAlignedPointerAsIndexOp>(nested) ||
      nested->getNumSuccessors() > 0 ||
      hasEffect<MemoryEffects::Allocate>(nested) ||
      hasEffect<MemoryEffects::Free>(nested))
    return false;
  if (nested->hasTrait<OpTrait::IsTerminator>())
    return isa<RegionBranchTerminatorOpInterface>(nested) ||
           isMemoryEffectFree(nested);
  if (auto call = dyn_cast<CallOpInterface>(nested)) {
    passage.calls.push_back(call);
    return llvm::none_of(call.getArgOperands().getTypes(), isBuffer) &&
           llvm::none_of(nested->getResultTypes(), isBuffer);
  }
  if (llvm::any_of(nested->getResultTypes(), isBuffer)) {
    // A view of a buffer that comes from outside, or is such a view.
    auto view = dyn_cast<ViewLikeOpInterface>(nested);
    return view && isa<BaseMemRefType>(view.getViewSource().getType());
  }
  return !shape.touchesMemory(nested) || hasKnownWays(nested);
}

/// What an i1 of the op may be a copy of; false where that is not known.
bool PassageFinder::addSources(Value value, SmallVectorImpl<Value> &sources) {
  if (value.getDefiningOp() != op &&
      !op->isAncestor(value.getParentBlock()->getParentOp()))
    return false;
  auto addOperands = [&](Operation *from, unsigned number) {
    sources.push_back(from->getOperand(number));
  };
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    Operation *parent = argument.getOwner()->getParentOp();
    const unsigned number = argument.getArgNumber();
    if (auto loop = dyn_cast<scf::WhileOp>(parent)) {
      if (argument.getParentRegion() == &loop.getAfter())
        sources.push_back(loop.getConditionOp().getArgs()[number]);
      else
        sources.append(
            {loop.getInits()[number], loop.getYieldOp().getOperand(number)});
      return true;
    }
    auto loop = dyn_cast<scf::ForOp>(parent);
    if (!loop || number == 0)
      return false;
    addOperands(loop.getBody()->getTerminator(), number - 1);
    sources.push_back(loop.getInitArgs()[number - 1]);
    return true;
  }
  const unsigned number = cast<OpResult>(value).getResultNumber();
  Operation *maker = value.getDefiningOp();
  if (isa<arith::SelectOp>(maker)) {
    addOperands(maker, 1);
    addOperands(maker, 2);
  } else if (auto conditional = dyn_cast<scf::IfOp>(maker)) {
    for (Region &region : maker->getRegions())
      addOperands(region.front().getTerminator(), number);
  } else if (auto loop = dyn_cast<scf::WhileOp>(maker)) {
    sources.push_back(loop.getConditionOp().getArgs()[number]);
  } else if (auto loop = dyn_cast<scf::ForOp>(maker)) {
    addOperands(loop.getBody()->getTerminator(), number);
    sources.push_back(loop.getInitArgs()[number]);
  } else {
    return false;
  }
  return true;
}

/// An i1 that the op sets or leaves as it was, as constants: whether something
/// was met. No ownership indicator: of a buffer that does not change it stays
/// what it is.
bool PassageFinder::isFlag(Value value) {
  llvm::SmallDenseSet<Value, 8> seen;
  SmallVector<Value> open = {value};
  bool canBe[2] = {false, false};
  while (!open.empty()) {
    Value next = open.pop_back_val();
    if (!seen.insert(next).second)
      continue;
    if (matchPattern(next, m_One()) || matchPattern(next, m_Zero()))
      canBe[matchPattern(next, m_One())] = true;
    else if (!addSources(next, open))
      return false;
  }
  return canBe[false] && canBe[true];
}

Passage PassageFinder::find() {
  // What a loop makes of numbers nobody knows, and a choice of two is one.
  const bool givesNumbers = isa<LoopLikeOpInterface, scf::IfOp>(op);
  const bool givesBack = llvm::any_of(op->getResults(), [&](Value result) {
    Type type = result.getType();
    return isBuffer(type) || (type.isInteger(1) && !isFlag(result)) ||
           (!givesNumbers && type.isIntOrIndex() && !result.use_empty());
  });
  if (givesBack || !hasKnownWays(op))
    return {};
  const WalkResult all = op->walk([&](Operation *nested) {
    return nested == op || (isPassed(nested) && lookAtBuffers(nested))
               ? WalkResult::advance()
               : WalkResult::interrupt();
  });
  if (all.wasInterrupted())
    return {};
  passage.isPossible = true;
  return std::move(passage);
}

const Passage &Shape::passageOf(Operation *op) {
  std::unique_ptr<Passage> &passage = passages[op];
  if (!passage)
    passage = std::make_unique<Passage>(PassageFinder(op, *this).find());
  return *passage;
}

bool Shape::mattersBelow(Operation *op) {
  auto [entry, isNew] = matters.try_emplace(op, false);
  if (!isNew)
    return entry->second;
  auto isCarried = [](Type type) {
    return isBuffer(type) || type.isInteger(1);
  };
  bool found = llvm::any_of(op->getResultTypes(), isCarried);
  if (!found)
    op->walk([&](Operation *nested) {
      if (nested == op)
        return WalkResult::advance();
      bool isUnknown = !isa<MemoryEffectOpInterface>(nested) &&
                       !nested->hasTrait<OpTrait::HasRecursiveMemoryEffects>();
      found = isa<CallOpInterface>(nested) ||
              hasEffect<MemoryEffects::Allocate>(nested) ||
              hasEffect<MemoryEffects::Free>(nested) ||
              storesWhatMatters(nested) ||
              (isUnknown && !nested->hasTrait<OpTrait::IsTerminator>());
      return found ? WalkResult::interrupt() : WalkResult::advance();
    });
  return matters[op] = found;
}

} // namespace memreflens::explorer
