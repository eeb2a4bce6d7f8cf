//===- core/pipeline/lifetimes/UseSpans.cpp -------------------------------===//
//
// Each memref value has the steps at which it is alive by itself, from its
// definition to its uses; a buffer has those of all values that it flows to.
// Values that flow into each other are one group, so that each is looked at
// once.
//
//===----------------------------------------------------------------------===//

#include "core/pipeline/lifetimes/UseSpans.h"
#include "core/pipeline/lifetimes/BufferFlow.h"
#include "core/source/Escapes.h"
#include "core/source/Identity.h"
#include "core/source/IrSteps.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include <map>

using namespace mlir;

namespace memreflens::lifetimes {

namespace {
/// From a first to a last number; empty at the beginning.
struct Interval {
  uint32_t first = UINT32_MAX, last = 0;
  bool empty() const { return first > last; }
  void add(uint32_t one) {
    first = std::min(first, one);
    last = std::max(last, one);
  }
  void add(Interval more) {
    if (more.empty())
      return;
    add(more.first);
    add(more.last);
  }
};

/// In steps of the program, and in positions in this IR.
struct Extent {
  Interval steps, places;
  void add(const Extent &more) {
    steps.add(more.steps);
    places.add(more.places);
  }
};

struct Facts {
  /// Where it is alive, from its definition on.
  Extent alive;
  /// Where it is used; a loop around a use counts as a whole.
  Interval used;
  std::optional<uint32_t> usedBy;
  EscapeAt escape;
  uint32_t escapeAt = UINT32_MAX;
  bool isUsed = false;
  /// A loop hands it from round to round: which of its buffers a dealloc
  /// frees, the rounds decide.
  bool isCarried = false;
  /// The deallocs that may free it, by their places.
  Interval deallocs;

  void add(const Facts &more) {
    alive.add(more.alive);
    used.add(more.used);
    deallocs.add(more.deallocs);
    usedBy = std::max(usedBy, more.usedBy);
    isUsed |= more.isUsed;
    isCarried |= more.isCarried;
    addEscape(more.escape, more.escapeAt);
  }
  /// The first one stays.
  void addEscape(const EscapeAt &more, uint32_t place) {
    if (place >= escapeAt)
      return;
    escape = more;
    escapeAt = place;
  }
};

struct Use {
  Operation *user = nullptr;
  /// The op may read or write the buffer, or hides who does.
  bool isUsed = false;
  /// Numbers of the values that may be the buffer behind it.
  SmallVector<unsigned, 2> targets;
};

class SpanFinder {
public:
  SpanFinder(FunctionOpInterface function, const trace::Trace &trace,
             const trace::Function &ours, SymbolTableCollection &symbols)
      : function(function), trace(trace), escapes(function, symbols),
        flow(symbols,
             [&trace](CallOpInterface) {
               return trace.options.privateFunctionDynamicOwnership;
             }),
        steps(function, trace, trace::programSteps(trace, ours.id)) {}

  std::vector<trace::UseSpan> find();
  std::vector<LocalBuffer> buffers();

private:
  void follow();
  void number(Region &region);
  void collect();
  void addOf(Value value);
  void addUse(unsigned node, OpOperand &operand);
  void group();
  void close(unsigned node);
  void addOwn(unsigned node);
  Extent pointOf(Operation *op) const;
  Extent definitionOf(Value value) const;
  void addAlive(Value value, Operation *user, bool isAccess, Facts &facts,
                llvm::SmallPtrSetImpl<Block *> &through);
  void addBlocksBefore(Operation *op, Block *definition, Extent point,
                       Extent &alive,
                       llvm::SmallPtrSetImpl<Block *> &through) const;
  bool isAccess(OpOperand &use, const BufferFlow::Values &targets) const;
  bool isSeveral(Value made);
  bool isInCycle(Block *block);
  bool isReused(unsigned node, uint32_t place);
  trace::UseSpan spanOf(unsigned node, trace::Id id);
  void merge(trace::UseSpan &both, const trace::UseSpan &more) const;

  Operation *function;
  const trace::Trace &trace;
  EscapeFinder escapes;
  BufferFlow flow;
  IrSteps steps;

  uint32_t places = 0;
  /// By place.
  std::vector<Operation *> ops;
  /// With the regions.
  llvm::DenseMap<Operation *, Extent> extents;
  llvm::DenseMap<Operation *, Extent> points;
  llvm::DenseMap<Block *, Extent> blocks;
  /// Whether control may come to a block again.
  llvm::DenseMap<Block *, bool> cycles;

  /// Memref values of the function, their uses, and where each goes.
  llvm::DenseMap<Value, unsigned> numbers;
  std::vector<Value> values;
  std::vector<std::vector<Use>> uses;
  std::vector<SmallVector<unsigned, 2>> next;
  /// Of the value alone, and of all that it flows to, by its group.
  std::vector<Facts> own;
  std::vector<unsigned> groupOf;
  std::vector<std::vector<unsigned>> groups;
  std::vector<Facts> ofGroup;
};
} // namespace

//===--- Steps ------------------------------------------------------------===//

void SpanFinder::number(Region &region) {
  for (Block &block : region) {
    Extent whole;
    for (Operation &op : block) {
      Extent point;
      point.places.add(places++);
      ops.push_back(&op);
      if (std::optional<uint32_t> step = steps.of(&op))
        point.steps.add(*step);
      points[&op] = point;
      Extent extent = point;
      for (Region &inner : op.getRegions()) {
        number(inner);
        for (Block &inside : inner)
          extent.add(blocks.lookup(&inside));
      }
      extents[&op] = extent;
      whole.add(extent);
    }
    blocks[&block] = whole;
  }
}

Extent SpanFinder::pointOf(Operation *op) const { return points.lookup(op); }

/// What an op with regions gives is there behind them.
Extent SpanFinder::definitionOf(Value value) const {
  Operation *op = value.getDefiningOp();
  if (!op) {
    Block *block = cast<BlockArgument>(value).getOwner();
    return block->empty() ? Extent() : pointOf(&block->front());
  }
  if (op->getNumRegions() == 0)
    return pointOf(op);
  const Extent whole = extents.lookup(op);
  Extent end;
  if (!whole.steps.empty())
    end.steps.add(whole.steps.last);
  end.places.add(whole.places.last);
  return end;
}

//===--- Uses -------------------------------------------------------------===//

static bool frees(OpOperand &use) {
  Operation *op = use.getOwner();
  return isa<memref::DeallocOp, bufferization::DeallocOp>(op) ||
         hasEffect<MemoryEffects::Free>(op, use.get());
}

/// Whether the op may read or write the buffer itself; what only makes a view
/// of it, asks for its size, hands it on or deallocates it does not. Who calls
/// the function may use what it returns.
bool SpanFinder::isAccess(OpOperand &use,
                          const BufferFlow::Values &targets) const {
  Operation *op = use.getOwner();
  if (frees(use) || isHelperCall(op))
    return false;
  if (op->hasTrait<OpTrait::IsTerminator>()) {
    if (op->getParentOp() == function)
      return !isa<BranchOpInterface>(op);
    return targets.empty() && !isa<BranchOpInterface>(op) &&
           !isa<RegionBranchOpInterface>(op->getParentOp());
  }
  if (isa<memref::ExtractAlignedPointerAsIndexOp>(op))
    return false;
  if (isa<RegionBranchOpInterface>(op) && !targets.empty())
    return false;
  return op->getNumRegions() != 0 || !isMemoryEffectFree(op);
}

void SpanFinder::addOf(Value value) {
  if (isa<BaseMemRefType>(value.getType()) &&
      numbers.try_emplace(value, values.size()).second)
    values.push_back(value);
}

void SpanFinder::collect() {
  function->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op != function)
      for (Value result : op->getResults())
        addOf(result);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (BlockArgument argument : block.getArguments())
          addOf(argument);
  });
  uses.resize(values.size());
  next.resize(values.size());
  own.resize(values.size());
  for (auto [i, value] : llvm::enumerate(values))
    for (OpOperand &operand : value.getUses())
      addUse(unsigned(i), operand);
}

/// The loop that hands the value from one round to the next; null for none.
static Operation *loopOf(Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  if (!argument || !argument.getOwner()->isEntryBlock())
    return nullptr;
  Operation *around = argument.getOwner()->getParentOp();
  return around && !isa<FunctionOpInterface>(around) &&
                 mayRunAgain(around, *argument.getParentRegion())
             ? around
             : nullptr;
}

void SpanFinder::addUse(unsigned node, OpOperand &operand) {
  const BufferFlow::Values targets = flow.targetsOf(operand);
  Use use;
  use.user = operand.getOwner();
  for (Value target : targets)
    if (auto known = numbers.find(target); known != numbers.end())
      use.targets.push_back(known->second);
  const EscapeAt escape = escapes.at(operand);
  use.isUsed = escape.op || isAccess(operand, targets);
  Facts &facts = own[node];
  facts.isUsed |= use.isUsed;
  facts.isCarried |= llvm::any_of(targets, loopOf);
  if (frees(operand))
    facts.deallocs.add(pointOf(use.user).places);
  if (escape.op)
    facts.addEscape(escape, pointOf(escape.op).places.first);
  llvm::append_range(next[node], use.targets);
  uses[node].push_back(std::move(use));
}

//===--- Where a value is alive -------------------------------------------===//

/// The blocks on ways to `op`, from `definition` or, without one, from the
/// entry of the region.
void SpanFinder::addBlocksBefore(
    Operation *op, Block *definition, Extent point, Extent &alive,
    llvm::SmallPtrSetImpl<Block *> &through) const {
  Block *home = op->getBlock();
  if (home == definition)
    return;
  if (!home->empty())
    alive.add(pointOf(&home->front()));
  SmallVector<Block *> pending(home->getPredecessors());
  while (!pending.empty()) {
    Block *block = pending.pop_back_val();
    if (block == definition) {
      alive.add(point);
      alive.add(extents.lookup(&block->back()));
      continue;
    }
    if (!through.insert(block).second)
      continue;
    alive.add(blocks.lookup(block));
    llvm::append_range(pending, block->getPredecessors());
  }
}

void SpanFinder::addAlive(Value value, Operation *user, bool isAccess,
                          Facts &facts,
                          llvm::SmallPtrSetImpl<Block *> &through) {
  const Extent definition = definitionOf(value);
  Extent used = isAccess ? extents.lookup(user) : pointOf(user), loops;
  // Where no step is behind the op, it is behind all of them.
  if (isAccess && used.steps.empty() && !steps.program().ops.empty())
    used.steps.add(uint32_t(steps.program().ops.size() - 1));
  if (isAccess && !used.steps.empty())
    facts.usedBy =
        std::max(facts.usedBy, std::optional(pointOf(user).steps.empty()
                                                 ? used.steps.last
                                                 : pointOf(user).steps.last));
  Operation *op = user;
  while (op->getParentRegion() != value.getParentRegion()) {
    Operation *around = op->getParentOp();
    if (!around || around == function)
      break;
    if (mayRunAgain(around, *op->getParentRegion())) {
      loops.add(extents.lookup(around));
    } else {
      addBlocksBefore(op, nullptr, {}, facts.alive, through);
      facts.alive.add(pointOf(around));
    }
    op = around;
  }
  facts.alive.add(definition);
  facts.alive.add(used);
  facts.alive.add(loops);
  addBlocksBefore(op, value.getParentBlock(), definition, facts.alive, through);
  if (isAccess)
    facts.used.add(used.steps);
  // The next round may use it in front of that.
  facts.used.add(loops.steps);
  if (Operation *loop = loopOf(value))
    facts.used.add(pointOf(loop).steps);
  if (op->getBlock() != value.getParentBlock() && isInCycle(op->getBlock()))
    facts.used.add(facts.alive.steps);
}

void SpanFinder::addOwn(unsigned node) {
  Value value = values[node];
  Facts &facts = own[node];
  llvm::SmallPtrSet<Block *, 8> through;
  // What a clone is a copy of is written to it at once, and what a call gives
  // has been written by the callee, beside what that was passed.
  if (isa_and_nonnull<bufferization::CloneOp, CallOpInterface>(
          value.getDefiningOp())) {
    facts.alive.add(definitionOf(value));
    facts.used.add(definitionOf(value).steps);
  }
  for (const Use &use : uses[node]) {
    const bool goesOn = llvm::any_of(use.targets, [&](unsigned target) {
      return ofGroup[groupOf[target]].isUsed;
    });
    if (use.isUsed || goesOn)
      addAlive(value, use.user, use.isUsed, facts, through);
  }
}

//===--- Groups of values that flow into each other -----------------------===//

/// Tarjan's, without recursion: groups come in an order in which what a group
/// flows to is before it.
void SpanFinder::group() {
  constexpr unsigned unseen = UINT32_MAX;
  const unsigned count = unsigned(values.size());
  groupOf.assign(count, unseen);
  std::vector<unsigned> order(count, unseen), low(count, 0), at(count, 0);
  std::vector<unsigned> open, path;
  unsigned seen = 0;
  for (unsigned root = 0; root < count; ++root) {
    if (order[root] != unseen)
      continue;
    path.push_back(root);
    while (!path.empty()) {
      const unsigned node = path.back();
      if (order[node] == unseen) {
        order[node] = low[node] = seen++;
        open.push_back(node);
      }
      if (at[node] < next[node].size()) {
        const unsigned target = next[node][at[node]++];
        if (order[target] == unseen)
          path.push_back(target);
        else if (groupOf[target] == unseen)
          low[node] = std::min(low[node], order[target]);
        continue;
      }
      path.pop_back();
      if (!path.empty())
        low[path.back()] = std::min(low[path.back()], low[node]);
      if (low[node] != order[node])
        continue;
      std::vector<unsigned> members;
      do {
        members.push_back(open.back());
        groupOf[open.back()] = unsigned(groups.size());
        open.pop_back();
      } while (members.back() != node);
      groups.push_back(std::move(members));
    }
  }
}

/// Of a group of which all that it flows to is known.
void SpanFinder::close(unsigned number) {
  Facts &whole = ofGroup[number];
  for (unsigned member : groups[number]) {
    whole.isUsed |= own[member].isUsed;
    for (unsigned target : next[member])
      whole.isUsed |= ofGroup[groupOf[target]].isUsed;
  }
  for (unsigned member : groups[number]) {
    addOwn(member);
    whole.add(own[member]);
    for (unsigned target : next[member])
      if (groupOf[target] != number)
        whole.add(ofGroup[groupOf[target]]);
  }
}

//===--- Several at once --------------------------------------------------===//

/// Whether control may come to the block again from its end.
bool SpanFinder::isInCycle(Block *block) {
  if (block->getParent()->hasOneBlock())
    return false;
  auto [known, isNew] = cycles.try_emplace(block, false);
  if (!isNew)
    return known->second;
  SmallVector<Block *> pending(block->getSuccessors());
  llvm::SmallPtrSet<Block *, 16> seen;
  while (!pending.empty()) {
    Block *next = pending.pop_back_val();
    if (next == block)
      return cycles[block] = true;
    if (seen.insert(next).second)
      llvm::append_range(pending, next->getSuccessors());
  }
  return false;
}

/// Whether an earlier buffer is in use at `place`, where another one is made.
bool SpanFinder::isReused(unsigned node, uint32_t place) {
  SmallVector<unsigned> pending(next[node].begin(), next[node].end());
  llvm::SmallDenseSet<unsigned> seen = {node};
  while (!pending.empty()) {
    const unsigned other = pending.pop_back_val();
    if (!seen.insert(other).second)
      continue;
    const Interval alive = own[other].alive.places;
    const bool isArgument = !values[other].getDefiningOp();
    // A call may read an earlier one while it makes the next.
    if (!alive.empty() && alive.last >= place &&
        (alive.first < place || (isArgument && alive.first == place)))
      return true;
    llvm::append_range(pending, next[other]);
  }
  return false;
}

bool SpanFinder::isSeveral(Value made) {
  Operation *op = made.getDefiningOp();
  if (!op)
    return false;
  bool isInLoop = false;
  for (Operation *inner = op; inner != function; inner = inner->getParentOp()) {
    isInLoop |= isInCycle(inner->getBlock());
    Operation *around = inner->getParentOp();
    if (around == function)
      break;
    if (runsConcurrently(around))
      return true;
    isInLoop |= mayRunAgain(around, *inner->getParentRegion());
  }
  if (!isInLoop)
    return false;
  const unsigned node = numbers.lookup(made);
  // Who keeps what is hidden is not known: where it is not deallocated before
  // the next one is made, several may be in use.
  if (ofGroup[groupOf[node]].escape.op &&
      llvm::none_of(made.getUses(), [&](OpOperand &use) {
        return frees(use) && use.getOwner()->getBlock() == op->getBlock();
      }))
    return true;
  return isReused(node, pointOf(op).places.first);
}

//===--- All --------------------------------------------------------------===//

/// Not a view of something else.
static bool isOfItsOwn(Value value) {
  Operation *op = value.getDefiningOp();
  return !op || op->getNumRegions() != 0 || isa<CallOpInterface>(op) ||
         hasEffect<MemoryEffects::Allocate>(op, value) ||
         llvm::none_of(op->getOperands(), [](Value operand) {
           return isa<BaseMemRefType>(operand.getType());
         });
}

trace::UseSpan SpanFinder::spanOf(unsigned node, trace::Id id) {
  const std::vector<trace::Id> &ops = steps.program().ops;
  const Facts &facts = ofGroup[groupOf[node]];
  trace::UseSpan span;
  span.value = id;
  if (!facts.used.empty()) {
    span.first = ops[facts.used.first];
    span.last = ops[std::max(facts.alive.steps.last, facts.used.last)];
  }
  if (facts.usedBy)
    span.usedBy = ops[*facts.usedBy];
  if (facts.escape.op) {
    span.hiddenBy = steps.opOf(facts.escape.op);
    span.escape = facts.escape.kind;
  }
  span.isSeveral = isSeveral(values[node]);
  return span;
}

/// Of what a pass made two of, both have the op's number.
void SpanFinder::merge(trace::UseSpan &both, const trace::UseSpan &more) const {
  auto stepOf = [&](trace::Id op) { return steps.program().of(op); };
  if (both.first == trace::none ||
      (more.first != trace::none && stepOf(more.first) < stepOf(both.first)))
    both.first = more.first;
  // Without a step it is before all of them.
  auto isBefore = [&](trace::Id a, trace::Id b) {
    return stepOf(a) < stepOf(b);
  };
  both.last = std::max(both.last, more.last, isBefore);
  both.usedBy = std::max(both.usedBy, more.usedBy, isBefore);
  if (both.hiddenBy == trace::none) {
    both.hiddenBy = more.hiddenBy;
    both.escape = more.escape;
  }
  both.isSeveral = true;
}

void SpanFinder::follow() {
  number(cast<FunctionOpInterface>(function).getFunctionBody());
  collect();
  group();
  ofGroup.resize(groups.size());
  for (unsigned i = 0; i < groups.size(); ++i)
    close(i);
}

std::vector<LocalBuffer> SpanFinder::buffers() {
  follow();
  auto isAllocation = [](Operation *op) {
    return isa<memref::AllocOp>(op) && !isListForHelper(op->getResult(0));
  };
  // One under a condition may not be made.
  auto isClone = [](Operation *op) {
    return isa<bufferization::CloneOp>(op) &&
           !isa<scf::IfOp>(op->getParentOp());
  };
  std::vector<uint32_t> allocations;
  for (uint32_t place = 0; place < places; ++place)
    if (isAllocation(ops[place]) || isClone(ops[place]))
      allocations.push_back(place);
  std::vector<LocalBuffer> found;
  for (auto [i, value] : llvm::enumerate(values)) {
    Operation *op = value.getDefiningOp();
    if (!op ||
        !(isAllocation(op) || isa<bufferization::CloneOp, CallOpInterface>(op)))
      continue;
    const Facts &facts = ofGroup[groupOf[i]];
    LocalBuffer buffer;
    buffer.value = value;
    buffer.escape = facts.escape;
    if (!facts.deallocs.empty()) {
      buffer.lastDealloc = ops[facts.deallocs.last];
      const Interval alive = facts.alive.places;
      const uint32_t lastUse =
          alive.empty() ? definitionOf(value).places.last : alive.last;
      auto next =
          std::upper_bound(allocations.begin(), allocations.end(), lastUse);
      buffer.isDeallocatedLate = !facts.isCarried &&
                                 next != allocations.end() &&
                                 *next < facts.deallocs.last;
    }
    found.push_back(buffer);
  }
  return found;
}

std::vector<trace::UseSpan> SpanFinder::find() {
  follow();
  std::map<trace::Id, trace::UseSpan> found;
  for (auto [i, value] : llvm::enumerate(values)) {
    const trace::Id id = taggedValue(value, trace);
    if (id == trace::none || !isOfItsOwn(value))
      continue;
    const trace::UseSpan span = spanOf(unsigned(i), id);
    if (auto [known, isNew] = found.insert({id, span}); !isNew)
      merge(known->second, span);
  }
  std::vector<trace::UseSpan> spans;
  for (auto &[id, span] : found)
    spans.push_back(span);
  return spans;
}

void addUseSpans(ModuleOp module, trace::Trace &trace) {
  SymbolTableCollection symbols;
  SmallVector<std::pair<trace::Id, std::vector<trace::UseSpan>>> found;
  module->walk<WalkOrder::PreOrder>([&](FunctionOpInterface function) {
    const trace::Function *ours = tracedFunction(function, trace);
    if (!ours || function.isExternal() || function.getFunctionBody().empty() ||
        (ours->status != trace::FunctionStatus::traced &&
         ours->status != trace::FunctionStatus::notProcessed))
      return;
    found.push_back(
        {ours->id, SpanFinder(function, trace, *ours, symbols).find()});
  });
  for (auto &[id, spans] : found)
    trace.functions[size_t(id)].spans = std::move(spans);
}

std::vector<LocalBuffer> localBuffers(FunctionOpInterface function,
                                      const trace::Trace &trace,
                                      const trace::Function &ours,
                                      SymbolTableCollection &symbols) {
  return SpanFinder(function, trace, ours, symbols).buffers();
}

} // namespace memreflens::lifetimes
