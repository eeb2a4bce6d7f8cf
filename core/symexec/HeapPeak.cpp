//===- core/symexec/HeapPeak.cpp ------------------------------------------===//

#include "core/symexec/HeapPeak.h"
#include "core/source/ElementSize.h"
#include "core/source/Identity.h"
#include "core/source/IrSteps.h"
#include "core/source/MemorySpace.h"
#include "core/symexec/BoundedExploration.h"
#include "core/symexec/CallGraph.h"
#include "core/symexec/Explore.h"
#include "core/symexec/HeapWatch.h"
#include "core/symexec/SharedFacts.h"
#include "core/symexec/SideBySide.h"
#include "core/symexec/StatedSizes.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include <map>
#include <set>

using namespace mlir;

namespace memreflens::symexec {

using trace::PeakGapKind;

//===--- A module ---------------------------------------------------------===//

namespace {
/// Of a callee that is not run.
using CalleeHeap = std::function<std::optional<trace::HeapUse>(Operation *)>;

class HeapMeasurer {
public:
  HeapMeasurer(const trace::Trace &trace, const HeapLimits &limits,
               const std::optional<std::string> &space)
      : trace(trace), limits(limits), space(space) {}
  /// Side by side, as far as they do not wait for each other.
  void measure(ArrayRef<FunctionOpInterface> functions);
  trace::HeapUse heapOf(FunctionOpInterface function);

private:
  /// Its exploration, with what it calls.
  struct Try {
    HeapWatch watch;
    /// Where it is not whole.
    std::unique_ptr<SharedFacts> facts = nullptr;
    bool isWhole = false;
    /// Functions with a body that it calls, where it is not whole.
    llvm::SetVector<FunctionOpInterface> callees = {};
  };

  bool explore(FunctionOpInterface function, HeapWatch &watch,
               SharedFacts &facts, bool callsByBoundary,
               SymbolTableCollection &symbols) const;
  Try tryWhole(FunctionOpInterface function,
               SymbolTableCollection &symbols) const;
  trace::HeapUse tryByBoundary(FunctionOpInterface function, Try whole,
                               SymbolTableCollection &symbols,
                               const CalleeHeap &calleeHeap) const;
  llvm::SetVector<FunctionOpInterface> calleesOf(FunctionOpInterface function);
  void begin(ArrayRef<FunctionOpInterface> functions);
  void addParts(FunctionOpInterface function, const HeapWatch &watch,
                const IrSteps &steps, trace::HeapUse &heap) const;
  trace::Id calledBy(Operation *op) const;
  trace::HeapUse toTrace(FunctionOpInterface function,
                         const HeapWatch &watch) const;
  /// The op of the program for which a pass made this one; `none` if that is
  /// not known.
  trace::Id madeFor(Operation *op) const;

  const trace::Trace &trace;
  const HeapLimits &limits;
  const std::optional<std::string> &space;
  SymbolTableCollection symbols;
  llvm::DenseMap<Operation *, trace::HeapUse> known;
  /// Of those that are not known.
  std::map<Operation *, Try> tries;
  llvm::DenseSet<Operation *> running;
};
} // namespace

static constexpr unsigned iterationsCounted = 16;
/// Of a loop whose rounds are all alike, unless bytes grow with each.
static constexpr unsigned iterationsAlike = 2;

/// Of the try that runs its calls, where the other one knows each callee's
/// peak.
static constexpr uint64_t shareOfFirstTry = 5;

bool HeapMeasurer::explore(FunctionOpInterface function, HeapWatch &watch,
                           SharedFacts &facts, bool callsByBoundary,
                           SymbolTableCollection &symbols) const {
  ExploreOptions options;
  options.loopBound = iterationsTried;
  options.exactIterations = iterationsCounted;
  options.countedIterations = iterationsAlike;
  options.maxSteps =
      std::max(limits.leastSteps, limits.stepsAnOp * opsIn(function));
  if (!callsByBoundary && callsBodies(function, symbols))
    options.maxSteps /= shareOfFirstTry;
  options.maxWords = options.maxSteps * limits.wordsAStep;
  options.maxPaths = options.maxSteps;
  options.seconds = std::numeric_limits<double>::infinity();
  options.callsByBoundary = callsByBoundary;
  options.dynamicCalls = trace.options.privateFunctionDynamicOwnership;
  if (const trace::Function *ours = tracedFunction(function, trace))
    options.dynamicOwnership = ours->dynamicOwnership;
  options.heap = &watch;
  options.symbols = &symbols;
  options.facts = &facts;
  const CalleeHeap heapOf = watch.heapOf;
  ExploreResult result = symexec::explore(function, trace, options);
  watch.addGrowth();
  if (watch.passesRounds && watch.grows()) {
    options.countedIterations = iterationsCounted;
    watch = HeapWatch();
    watch.space = space;
    watch.heapOf = heapOf;
    result = symexec::explore(function, trace, options);
    watch.addGrowth();
  }
  return result.stopped.empty();
}

HeapMeasurer::Try HeapMeasurer::tryWhole(FunctionOpInterface function,
                                         SymbolTableCollection &symbols) const {
  Try whole;
  whole.watch.space = space;
  // All callees are run.
  whole.watch.heapOf = [](Operation *) { return std::nullopt; };
  whole.facts = std::make_unique<SharedFacts>();
  whole.isWhole = explore(function, whole.watch, *whole.facts,
                          /*callsByBoundary=*/false, symbols);
  if (whole.isWhole)
    whole.facts.reset();
  return whole;
}

/// Each callee once by itself, in place of all its paths at each call.
trace::HeapUse HeapMeasurer::tryByBoundary(FunctionOpInterface function,
                                           Try whole,
                                           SymbolTableCollection &symbols,
                                           const CalleeHeap &calleeHeap) const {
  HeapWatch &watch = whole.watch, simpler;
  if (!callsBodies(function, symbols)) {
    watch.gaps.insert({PeakGapKind::notAllPaths, nullptr});
    return toTrace(function, watch);
  }
  simpler.space = space;
  simpler.heapOf = calleeHeap;
  if (!explore(function, simpler, *whole.facts, /*callsByBoundary=*/true,
               symbols))
    simpler.gaps.insert({PeakGapKind::notAllPaths, nullptr});
  // Callees of which only a part is known may hold more where they are run.
  for (auto &[op, bytes] : watch.live)
    simpler.see(op, bytes);
  if (watch.most > simpler.most) {
    simpler.most = watch.most;
    simpler.mostAt = watch.mostAt;
    simpler.made = std::move(watch.made);
  }
  return toTrace(function, simpler);
}

trace::HeapUse HeapMeasurer::heapOf(FunctionOpInterface function) {
  if (auto entry = known.find(function); entry != known.end())
    return entry->second;
  running.insert(function);
  auto begun = tries.find(function);
  Try whole = begun != tries.end() ? std::move(begun->second)
                                   : tryWhole(function, symbols);
  auto ofCallee = [&](Operation *callee) -> std::optional<trace::HeapUse> {
    auto body = dyn_cast<FunctionOpInterface>(callee);
    if (!body || running.contains(callee))
      return std::nullopt;
    return heapOf(body);
  };
  trace::HeapUse heap =
      whole.isWhole
          ? toTrace(function, whole.watch)
          : tryByBoundary(function, std::move(whole), symbols, ofCallee);
  running.erase(function);
  return known[function] = std::move(heap);
}

llvm::SetVector<FunctionOpInterface>
HeapMeasurer::calleesOf(FunctionOpInterface function) {
  llvm::SetVector<FunctionOpInterface> callees;
  function->walk([&](CallOpInterface call) {
    FunctionOpInterface callee = symexec::calleeOf(call, symbols);
    if (callee && !callee.getFunctionBody().empty())
      callees.insert(callee);
  });
  return callees;
}

/// All paths of each, with what it calls.
void HeapMeasurer::begin(ArrayRef<FunctionOpInterface> functions) {
  std::vector<Try> whole(functions.size());
  std::vector<std::optional<trace::HeapUse>> heaps(functions.size());
  exploreSideBySide(functions, limits.workers,
                    [&](size_t i, SymbolTableCollection &own) {
                      whole[i] = tryWhole(functions[i], own);
                      if (whole[i].isWhole)
                        heaps[i] = toTrace(functions[i], whole[i].watch);
                    });
  for (auto [i, function] : llvm::enumerate(functions))
    if (heaps[i]) {
      known[function] = std::move(*heaps[i]);
    } else {
      whole[i].callees = calleesOf(function);
      // What it holds when it calls itself is not known either way.
      whole[i].callees.remove(function);
      tries[function] = std::move(whole[i]);
    }
}

/// Callees first. Several that call each other are left, and who calls them.
void HeapMeasurer::measure(ArrayRef<FunctionOpInterface> functions) {
  SmallVector<FunctionOpInterface> next(functions);
  while (true) {
    begin(next);
    llvm::SetVector<FunctionOpInterface> ready, missing;
    for (const auto &[op, whole] : tries) {
      bool isReady = true;
      for (FunctionOpInterface callee : whole.callees) {
        isReady &= known.contains(callee);
        if (!known.contains(callee) && !tries.count(callee))
          missing.insert(callee);
      }
      if (isReady)
        ready.insert(cast<FunctionOpInterface>(op));
    }
    std::vector<trace::HeapUse> found(ready.size());
    exploreSideBySide(
        ready.getArrayRef(), limits.workers,
        [&](size_t i, SymbolTableCollection &own) {
          found[i] = tryByBoundary(
              ready[i], std::move(tries.find(ready[i])->second), own,
              [&](Operation *callee) -> std::optional<trace::HeapUse> {
                auto before = known.find(callee);
                return before == known.end() ? std::nullopt
                                             : std::optional(before->second);
              });
        });
    for (auto [function, heap] : llvm::zip(ready, found)) {
      known[function] = std::move(heap);
      tries.erase(function);
    }
    if (ready.empty() && missing.empty())
      return;
    next = missing.takeVector();
  }
}

//===--- In expressions of the program ------------------------------------===//

/// Null for an op that the trace does not know.
static const trace::Op *tracedOp(const trace::Trace &trace, trace::Id id) {
  return id >= 0 && size_t(id) < trace.ops.size() ? &trace.ops[size_t(id)]
                                                  : nullptr;
}

trace::Id HeapMeasurer::madeFor(Operation *op) const {
  const trace::Op *known = tracedOp(trace, taggedOp(op->getLoc()));
  for (int depth = 0; known && known->generated && depth < 100; ++depth)
    known = tracedOp(trace, known->origin);
  return known && !known->generated ? known->id : trace::none;
}

static std::vector<trace::BufferBytes>
buffersIn(const llvm::MapVector<Value, int64_t> &sizes,
          const trace::Trace &trace) {
  std::vector<trace::BufferBytes> buffers;
  for (auto [value, bytes] : sizes) {
    auto result = dyn_cast<OpResult>(value);
    const trace::Id op =
        result ? taggedOp(result.getOwner()->getLoc()) : trace::none;
    if (op == trace::none)
      continue;
    int64_t alignment = 0;
    if (auto attribute =
            result.getOwner()->getAttrOfType<IntegerAttr>("alignment"))
      alignment = std::max<int64_t>(attribute.getInt(), 0);
    auto type = dyn_cast<BaseMemRefType>(value.getType());
    const int64_t element =
        type
            ? std::max<int64_t>(bytesOfElement(trace.options, result.getOwner(),
                                               type.getElementType()),
                                0)
            : 0;
    buffers.push_back(
        {op, result.getResultNumber(), bytes, alignment, element});
  }
  llvm::sort(buffers, [](const auto &left, const auto &right) {
    return std::pair(left.op, left.index) < std::pair(right.op, right.index);
  });
  // Of what a pass made two of, both have the op's number.
  std::vector<trace::BufferBytes> each;
  for (const trace::BufferBytes &one : buffers) {
    if (each.empty() || each.back().op != one.op ||
        each.back().index != one.index) {
      each.push_back(one);
      continue;
    }
    trace::BufferBytes &known = each.back();
    known.bytes = known.bytes < 0 || one.bytes < 0
                      ? -1
                      : std::max(known.bytes, one.bytes);
    known.alignment = std::max(known.alignment, one.alignment);
  }
  return each;
}

/// What the pipeline made; all of one clone together, and all lists.
static void addMade(const std::vector<LiveMade> &made,
                    const trace::Trace &trace, trace::HeapUse &heap) {
  std::map<trace::Id, trace::CloneBytes> clones;
  for (const LiveMade &one : made) {
    if (!one.op) {
      heap.listBytes += one.bytes;
      continue;
    }
    const trace::Op *op = tracedOp(trace, taggedOp(one.op->getLoc()));
    if (!op || !op->generated)
      continue;
    trace::CloneBytes &clone = clones[op->id];
    clone.op = op->id;
    ++clone.count;
    clone.bytes += one.bytes;
  }
  for (const auto &[op, clone] : clones)
    heap.clones.push_back(clone);
}

/// What the bytes are made of, and what is not on the heap.
void HeapMeasurer::addParts(FunctionOpInterface function,
                            const HeapWatch &watch, const IrSteps &steps,
                            trace::HeapUse &heap) const {
  heap.buffers = buffersIn(watch.sizes, trace);
  heap.stack = buffersIn(watch.stack, trace);
  for (const auto &[op, inCallee] : watch.callees) {
    const trace::Id call = steps.stepOp(op);
    auto callee = dyn_cast_or_null<FunctionOpInterface>(inCallee.callee);
    const trace::Function *known =
        callee ? tracedFunction(callee, trace) : nullptr;
    if (call != trace::none && known && inCallee.bytes > 0)
      heap.callees.push_back({call, known->id, inCallee.bytes});
  }
  std::set<std::string> names;
  function->walk([&](memref::GetGlobalOp global) {
    auto type = dyn_cast<MemRefType>(global.getType());
    const trace::Id op = taggedOp(global->getLoc());
    if (type && op != trace::none && watch.counts(type) &&
        names.insert(global.getName().str()).second)
      heap.globals.push_back(
          {op, global.getName().str(),
           symexec::bytesOf(
               type, type.getShape(),
               bytesOfElement(trace.options, global, type.getElementType()))});
  });
}

/// The trace's function that the op calls by its name, whatever became of it.
trace::Id HeapMeasurer::calledBy(Operation *op) const {
  auto call = dyn_cast_if_present<CallOpInterface>(op);
  auto callee =
      call ? dyn_cast_if_present<SymbolRefAttr>(call.getCallableForCallee())
           : SymbolRefAttr();
  if (!callee)
    return trace::none;
  const trace::Function *caller =
      tracedFunction(op->getParentOfType<FunctionOpInterface>(), trace);
  for (const trace::Function &function : trace.functions)
    if (function.name == callee.getLeafReference().getValue() &&
        (!caller || caller->chunk == function.chunk))
      return function.id;
  return trace::none;
}

trace::HeapUse HeapMeasurer::toTrace(FunctionOpInterface function,
                                     const HeapWatch &watch) const {
  trace::HeapUse heap;
  heap.measured = true;
  const trace::Function *ours = tracedFunction(function, trace);
  const IrSteps steps(function, trace,
                      ours ? trace::programSteps(trace, ours->id)
                           : trace::ProgramSteps());
  std::map<trace::Id, int64_t> byStep;
  for (auto &[op, bytes] : watch.live) {
    heap.peakBytes = std::max(heap.peakBytes, bytes);
    // Constants are moved to the function's beginning, and a reader sees them
    // where they were.
    if (op->hasTrait<OpTrait::ConstantLike>())
      continue;
    if (trace::Id step = steps.opOf(op); step != trace::none)
      byStep[step] = std::max(byStep[step], bytes);
  }
  addParts(function, watch, steps, heap);
  if (watch.mostAt)
    heap.peakOp = steps.opOf(watch.mostAt);
  addMade(watch.made, trace, heap);
  int64_t last = 0;
  for (auto [step, bytes] : byStep)
    if (bytes != last) {
      heap.live.push_back({step, bytes});
      last = bytes;
    }
  std::set<std::pair<PeakGapKind, trace::Id>> gaps;
  for (auto [kind, op] : watch.gaps)
    if (trace::Id step = op ? taggedOp(op->getLoc()) : trace::none;
        gaps.insert({kind, step}).second)
      heap.gaps.push_back(
          {kind, step,
           kind == PeakGapKind::unknownCallee ? calledBy(op) : trace::none});
  std::set<std::pair<trace::Id, trace::Id>> freed;
  for (auto [site, op] : watch.freed)
    if (trace::Id id = taggedOp(site->getLoc()); id != trace::none) {
      const trace::Id at = steps.isLast(op) ? madeFor(op) : trace::none;
      freed.insert({id, at == trace::none ? steps.opOf(op) : at});
    }
  for (auto [site, step] : freed)
    heap.freed.push_back({site, step});
  return heap;
}

void measureHeap(
    ModuleOp module, const trace::Trace &trace,
    const std::function<void(FunctionOpInterface, trace::HeapUse)> &take,
    const HeapLimits &limits, const std::optional<std::string> &space) {
  SmallVector<FunctionOpInterface> functions;
  module->walk<WalkOrder::PreOrder>([&](FunctionOpInterface function) {
    if (!function.isExternal() && !function.getFunctionBody().empty() &&
        (!limits.wants || limits.wants(function)))
      functions.push_back(function);
  });
  HeapMeasurer measurer(trace, limits, space);
  if (limits.workers)
    measurer.measure(functions);
  for (FunctionOpInterface function : functions)
    take(function, measurer.heapOf(function));
}

std::vector<std::string> memorySpacesIn(ModuleOp module) {
  // Few attributes, of very many types.
  llvm::SmallPtrSet<const void *, 4> seen;
  std::map<std::pair<uint64_t, std::string>, std::string> spaces;
  module->walk([&](Operation *op) {
    auto effects = dyn_cast<MemoryEffectOpInterface>(op);
    for (OpResult result : op->getResults()) {
      auto type = dyn_cast<BaseMemRefType>(result.getType());
      if (!type || !effects ||
          !effects.getEffectOnValue<MemoryEffects::Allocate>(result) ||
          !seen.insert(type.getMemorySpace().getAsOpaquePointer()).second)
        continue;
      std::string space = memorySpaceOf(type);
      uint64_t number = 0;
      const bool isNumber = !llvm::StringRef(space).getAsInteger(10, number);
      const uint64_t order = space.empty() ? 0 : isNumber ? number : UINT64_MAX;
      spaces.insert({{order, space}, space});
    }
  });
  std::vector<std::string> found;
  for (auto &[order, space] : spaces)
    found.push_back(space);
  if (found.size() == 1 && found.front().empty())
    found.clear();
  return found;
}

/// Functions that neither allocate there nor call one that does say nothing.
static bool holdsAny(const trace::HeapUse &heap) {
  return heap.peakBytes > 0 || !heap.buffers.empty() || !heap.stack.empty() ||
         !heap.globals.empty() ||
         llvm::any_of(heap.gaps, [](const trace::PeakGap &gap) {
           return gap.kind == trace::PeakGapKind::unknownSize;
         });
}

void addHeapUse(ModuleOp module, trace::Trace &trace,
                const trace::Workers &workers) {
  std::map<trace::Id, trace::HeapUse> found;
  HeapLimits limits;
  limits.workers = workers;
  auto measure = [&](const std::optional<std::string> &space) {
    found.clear();
    measureHeap(
        module, trace,
        [&](FunctionOpInterface function, trace::HeapUse heap) {
          const trace::Function *known = tracedFunction(function, trace);
          if (known && (known->status == trace::FunctionStatus::traced ||
                        known->status == trace::FunctionStatus::notProcessed))
            found[known->id] = std::move(heap);
        },
        limits, space);
  };
  std::vector<std::pair<trace::Id, trace::SpaceUse>> inSpaces;
  for (const std::string &space : memorySpacesIn(module)) {
    measure(space);
    for (auto &[id, heap] : found)
      if (holdsAny(heap))
        inSpaces.push_back({id, {space, std::move(heap)}});
  }
  measure(std::nullopt);
  for (auto &[id, heap] : found)
    trace.functions[size_t(id)].heap = std::move(heap);
  for (auto &[id, use] : inSpaces)
    trace.functions[size_t(id)].spaces.push_back(std::move(use));
}

} // namespace memreflens::symexec
