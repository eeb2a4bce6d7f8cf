//===- core/pipeline/costs/CostSites.cpp ----------------------------------===//

#include "core/pipeline/costs/CostSites.h"
#include "core/pipeline/costs/Amounts.h"
#include "core/pipeline/costs/LoopBounds.h"
#include "core/source/Escapes.h"
#include "core/source/Identity.h"
#include "core/source/MemorySpace.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include <set>

using namespace mlir;

namespace memreflens::costs {

using trace::CostKind;
using trace::CostSite;
using trace::none;

namespace {
/// Of one function.
class SiteFinder {
public:
  SiteFinder(FunctionOpInterface root, const trace::Trace &trace,
             const llvm::StringMap<trace::Id> &functions)
      : root(root), trace(trace), functions(functions) {}
  void find(trace::Function &into);

private:
  void visit(Operation *op);
  void visitAllocation(Operation *op);
  void add(Operation *op, CostKind kind, trace::Amount bytes = {},
           Type memory = {});
  void addSurroundings(Operation *op, CostSite &site);

  FunctionOpInterface root;
  const trace::Trace &trace;
  /// By the name of their symbol.
  const llvm::StringMap<trace::Id> &functions;
  std::vector<CostSite> sites;
  std::vector<trace::LoopRounds> loops;
  std::set<Operation *> known;
};
} // namespace

//===--- Where it comes from ----------------------------------------------===//

static void addSources(Location location, const trace::Trace &trace, int depth,
                       std::vector<std::string> &sources) {
  constexpr int deepest = 32;
  if (depth > deepest)
    return;
  auto below = [&](Location inner) {
    addSources(inner, trace, depth + 1, sources);
  };
  if (auto name = dyn_cast<NameLoc>(location)) {
    // Ours, inside of one that a pass has fused.
    const llvm::StringRef text = name.getName().getValue();
    if (!text.starts_with(opTag) && !text.starts_with(argumentTag))
      sources.push_back(text.str());
    return below(name.getChildLoc());
  }
  if (auto call = dyn_cast<CallSiteLoc>(location)) {
    below(call.getCaller());
    return below(call.getCallee());
  }
  if (auto fused = dyn_cast<FusedLoc>(location)) {
    for (Location inner : fused.getLocations()) {
      std::vector<std::string> found;
      addSources(inner, trace, depth + 1, found);
      if (found.empty())
        continue;
      sources.insert(sources.end(), found.begin(), found.end());
      return;
    }
    return;
  }
  auto file = dyn_cast<FileLineColLoc>(location);
  if (!file || file.getFilename() == trace.source.path)
    return;
  sources.push_back(file.getFilename().str() + ":" +
                    std::to_string(file.getLine()) + ":" +
                    std::to_string(file.getColumn()));
}

//===--- Around it --------------------------------------------------------===//

/// Its body runs once whenever it does.
static bool isAlwaysRun(Operation *op) {
  return isa<memref::AllocaScopeOp>(op) ||
         op->getName().getStringRef() == "scf.execute_region";
}

void SiteFinder::addSurroundings(Operation *op, CostSite &site) {
  for (Operation *inner = op; inner && inner != root;
       inner = inner->getParentOp()) {
    Block *block = inner->getBlock();
    if (!block->getParent()->hasOneBlock()) {
      if (block->isReachable(block))
        site.loops.push_back(none);
      site.isConditional |= !block->isEntryBlock();
    }
    Operation *around = inner->getParentOp();
    if (!around || around == root)
      continue;
    if (auto loop = dyn_cast<LoopLikeOpInterface>(around)) {
      site.loops.push_back(taggedOp(around->getLoc()));
      if (known.insert(around).second)
        loops.push_back(roundsOf(loop, trace));
    } else if (isAlwaysRun(around)) {
      continue;
    } else if (around->getNumRegions() > 1 ||
               !around->hasTrait<OpTrait::SingleBlock>() ||
               isa<RegionBranchOpInterface>(around)) {
      // One arm of several, or one that may be passed by.
      site.isConditional = true;
    }
  }
}

void SiteFinder::add(Operation *op, CostKind kind, trace::Amount bytes,
                     Type memory) {
  CostSite site;
  site.kind = kind;
  site.op = taggedOp(op->getLoc());
  site.bytes = std::move(bytes);
  site.space = memorySpaceOf(memory);
  addSurroundings(op, site);
  addSources(stripTag(op->getLoc()), trace, 0, site.sources);
  sites.push_back(std::move(site));
}

//===--- What costs -------------------------------------------------------===//

static bool isPointer(Value value) {
  return value.getDefiningOp<memref::ExtractAlignedPointerAsIndexOp>() !=
         nullptr;
}

void SiteFinder::visitAllocation(Operation *op) {
  auto effects = dyn_cast<MemoryEffectOpInterface>(op);
  if (!effects)
    return;
  for (OpResult result : op->getResults()) {
    auto type = dyn_cast<MemRefType>(result.getType());
    if (!isa<BaseMemRefType>(result.getType()))
      continue;
    const auto effect =
        effects.getEffectOnValue<MemoryEffects::Allocate>(result);
    if (!effect)
      continue;
    const bool isStack = isa<SideEffects::AutomaticAllocationScopeResource>(
        effect->getResource());
    ValueRange sizes;
    if (auto alloc = dyn_cast<memref::AllocOp>(op))
      sizes = alloc.getDynamicSizes();
    else if (auto alloca = dyn_cast<memref::AllocaOp>(op))
      sizes = alloca.getDynamicSizes();
    Value shaped = result;
    CostKind kind = isStack                   ? CostKind::stack
                    : isListForHelper(result) ? CostKind::list
                                              : CostKind::allocation;
    if (auto clone = dyn_cast<bufferization::CloneOp>(op)) {
      kind = CostKind::clone;
      shaped = clone.getInput();
    }
    add(op, kind,
        type ? bytesOf(op, type, sizes, shaped, trace) : trace::Amount(),
        result.getType());
  }
}

void SiteFinder::visit(Operation *op) {
  if (auto copy = dyn_cast<memref::CopyOp>(op)) {
    auto type = dyn_cast<MemRefType>(copy.getSource().getType());
    // A dimension that one side leaves open, the other one may state.
    auto target = dyn_cast<MemRefType>(copy.getTarget().getType());
    const bool isTarget =
        target &&
        (!type || (!type.hasStaticShape() && target.hasStaticShape()));
    if (isTarget)
      type = target;
    return add(op, CostKind::copy,
               type ? bytesOf(op, type, {},
                              isTarget ? copy.getTarget() : copy.getSource(),
                              trace)
                    : trace::Amount(),
               copy.getTarget().getType());
  }
  if (auto compare = dyn_cast<arith::CmpIOp>(op)) {
    if (isPointer(compare.getLhs()) && isPointer(compare.getRhs()))
      add(op, CostKind::check);
    return;
  }
  if (isHelperCall(op))
    return add(op, CostKind::helper);
  if (auto call = dyn_cast<CallOpInterface>(op)) {
    auto symbol =
        dyn_cast_if_present<SymbolRefAttr>(call.getCallableForCallee());
    auto callee = symbol ? functions.find(symbol.getLeafReference().getValue())
                         : functions.end();
    if (callee == functions.end())
      return;
    add(op, CostKind::call);
    sites.back().callee = callee->second;
    sites.back().passed = passedBy(call, trace);
    return;
  }
  visitAllocation(op);
}

static void addSymbols(const trace::Amount &amount, std::set<trace::Id> &to) {
  for (const trace::Symbol &symbol : amount.factors)
    if (symbol.dimension < 0)
      to.insert(symbol.value);
}

void SiteFinder::find(trace::Function &into) {
  root->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op != root)
      visit(op);
  });
  std::set<trace::Id> symbols;
  for (const CostSite &site : sites) {
    addSymbols(site.bytes, symbols);
    for (const trace::PassedNumber &one : site.passed)
      addSymbols(one.amount, symbols);
  }
  for (const trace::LoopRounds &loop : loops)
    for (const trace::LoopRange &range : loop.ranges)
      for (const trace::Amount *amount : {&range.low, &range.high, &range.step})
        addSymbols(*amount, symbols);
  into.computed = computedIn(root, std::move(symbols), trace);
  into.costs = std::move(sites);
  into.loops = std::move(loops);
}

LoopNest loopsAround(Operation *op, Operation *function,
                     const trace::Trace &trace) {
  LoopNest nest;
  for (Operation *inner = op; inner && inner != function;
       inner = inner->getParentOp()) {
    Block *block = inner->getBlock();
    nest.isInLoop |=
        !block->getParent()->hasOneBlock() && block->isReachable(block);
    auto loop = dyn_cast_if_present<LoopLikeOpInterface>(inner->getParentOp());
    if (!loop)
      continue;
    nest.isInLoop = true;
    const int64_t rounds = roundsOf(loop, trace).rounds;
    if (rounds < 0 ||
        __builtin_mul_overflow(nest.times, uint64_t(rounds), &nest.times))
      nest.times = std::max<uint64_t>(nest.times, 1);
  }
  return nest;
}

//===--- A module ---------------------------------------------------------===//

void addCostSites(ModuleOp module, trace::Trace &trace) {
  // Names of a module's own functions; of those in modules inside, which may
  // bear the same, none is taken for another one.
  std::map<Operation *, llvm::StringMap<trace::Id>> names;
  SmallVector<std::pair<FunctionOpInterface, trace::Id>> functions;
  module->walk<WalkOrder::PreOrder>([&](FunctionOpInterface function) {
    const trace::Function *ours = tracedFunction(function, trace);
    if (!ours)
      return;
    names[function->getParentOp()][function.getName()] = ours->id;
    const bool isWhole = ours->status == trace::FunctionStatus::traced ||
                         ours->status == trace::FunctionStatus::notProcessed;
    if (isWhole && !function.isExternal())
      functions.push_back({function, ours->id});
  });
  for (auto [function, id] : functions)
    SiteFinder(function, trace, names[function->getParentOp()])
        .find(trace.functions[size_t(id)]);
}

} // namespace memreflens::costs
