//===- core/trials/Counting.cpp -------------------------------------------===//

#include "core/trials/Counting.h"
#include "core/check/Rules.h"
#include "core/pipeline/costs/CostSites.h"
#include "core/pipeline/lifetimes/UseSpans.h"
#include "core/source/Contracts.h"
#include "core/source/Document.h"
#include "core/source/Escapes.h"
#include "core/symexec/BoundedExploration.h"
#include "core/symexec/HeapPeak.h"
#include "core/symexec/SideBySide.h"
#include "core/text/LineIndex.h"
#include "core/trace/Sizes.h"
#include "core/trace/Steps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

#include "llvm/ADT/StringSet.h"
#include "llvm/Support/xxhash.h"

#include <map>
#include <set>
#include <tuple>

using namespace mlir;

namespace memreflens {

static constexpr llvm::StringLiteral helperName = "dealloc_helper";

/// What can be said of where the function's buffers are used last.
static void countBuffers(FunctionOpInterface function,
                         const trace::Trace &trace, const trace::Function &ours,
                         SymbolTableCollection &symbols, Measure &target) {
  EscapeFinder escapes(function, symbols);
  for (const lifetimes::LocalBuffer &buffer :
       lifetimes::localBuffers(function, trace, ours, symbols)) {
    target.lateFrees += buffer.isDeallocatedLate && !buffer.escape.op;
    if (!buffer.escape.op)
      continue;
    ++target.escapedBuffers;
    for (Operation *op = buffer.value.getDefiningOp(); op;
         op = op->getParentOp())
      ++target.escapedDepth;
    if (buffer.lastDealloc)
      target.unseenUses +=
          escapes.unseenUsesBehind(buffer.lastDealloc, buffer.escape);
  }
}

//===--- One function -----------------------------------------------------===//

static bool isPointer(Value value) {
  return value.getDefiningOp<memref::ExtractAlignedPointerAsIndexOp>() !=
         nullptr;
}

static bool isInLoop(Operation *op) {
  return op->getParentOfType<LoopLikeOpInterface>() != nullptr;
}

/// Of pointers and of i1s, as many as there are memrefs.
static uint64_t bytesOfList(Type type) {
  auto list = cast<MemRefType>(type);
  const uint64_t bytes = list.getElementType().isIndex() ? 8 : 1;
  return list.hasStaticShape() ? bytes * uint64_t(list.getNumElements()) : 0;
}

static void countOps(Operation *function, const trace::Trace &trace,
                     const LineIndex &lines, Measure &target) {
  auto addSite = [&](std::map<uint64_t, uint64_t> &sites, Operation *op) {
    const int64_t offset = offsetOf(op->getLoc(), trace);
    if (offset < 0)
      return;
    const LineColumn place = lines.lineColumn(uint32_t(offset));
    ++sites[siteOf(place.line, place.column)];
  };
  function->walk([&](Operation *op) {
    bool costs = false;
    if (isa<memref::AllocOp>(op)) {
      const bool isList = isListForHelper(op->getResult(0));
      ++(isList ? target.helperLists : target.allocations);
      if (isList) {
        target.helperListBytes += bytesOfList(op->getResult(0).getType());
        return;
      }
      const costs::LoopNest nest = costs::loopsAround(op, function, trace);
      target.executedAllocations += nest.times;
      if (nest.isInLoop) {
        ++target.loopAllocations;
        addSite(target.loopAllocationsAt, op);
      }
    } else if (isa<memref::CopyOp>(op)) {
      ++target.copies;
      addSite(target.copiesAt, op);
    } else if (isa<bufferization::CloneOp>(op)) {
      ++target.clones;
      target.unconditionalClones += !isa<scf::IfOp>(op->getParentOp());
      addSite(target.clonesAt, op);
      costs = true;
    } else if (auto compare = dyn_cast<arith::CmpIOp>(op)) {
      costs = isPointer(compare.getLhs()) && isPointer(compare.getRhs());
      target.runTimeChecks += costs;
      if (costs)
        addSite(target.checksAt, op);
    } else if (isa<CallOpInterface>(op)) {
      costs = isHelperCall(op);
      target.helperCalls += costs;
      if (costs)
        addSite(target.helpersAt, op);
    }
    target.inLoops += costs && isInLoop(op);
  });
}

uint64_t errorsIn(const ExploreResult &result) {
  return llvm::count_if(result.faults, [](const MemoryFault &fault) {
    return fault.isSure &&
           findRule(ruleOf(fault.kind))->severity == trace::Severity::error;
  });
}

/// Two results that are one buffer are an error where they were tensors:
/// bufferization lets callers write one of them and read the other.
static bool isWorse(FaultKind kind) {
  return kind == FaultKind::returnedTwice ||
         (kind != FaultKind::lostWrite &&
          findRule(ruleOf(kind))->severity == trace::Severity::error);
}

std::set<std::string> faultKeysIn(const ExploreResult &result) {
  std::set<std::string> keys;
  for (const MemoryFault &fault : result.faults)
    if (isWorse(fault.kind))
      keys.insert(std::string(ruleOf(fault.kind).text()) + " of " +
                  fault.memory);
  return keys;
}

uint64_t lostWritesIn(const ExploreResult &result) {
  return llvm::count_if(result.faults, [](const MemoryFault &fault) {
    return fault.kind == FaultKind::lostWrite;
  });
}

static uint64_t digestOf(Operation *function) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  // In its own scope: else the whole module is looked through for each.
  function->print(stream, OpPrintingFlags().useLocalScope().assumeVerified());
  return llvm::xxh3_64bits(text);
}

/// Calls `visit` for each of the user's functions.
static void eachFunction(ModuleOp module, const trace::Trace &trace,
                         const auto &visit) {
  module->walk<WalkOrder::PreOrder>([&](FunctionOpInterface function) {
    const trace::Function *known = tracedFunction(function, trace);
    if (known && !function.isExternal())
      visit(function, *known);
  });
}

static void addHeap(Measure &target, const trace::HeapUse &heap,
                    const trace::Trace &trace) {
  target.peakBytes = uint64_t(heap.peakBytes);
  target.peakGaps.clear();
  for (const trace::PeakGap &gap : heap.gaps)
    target.peakGaps.insert(uint64_t(gap.kind) << 32 |
                           trace::shownRangeOf(trace, gap.op).begin);
}

/// Which memory space the peaks of a part of the file are those of.
static std::optional<std::string> weighedSpace(const Measures &before,
                                               trace::Id chunk) {
  for (const auto &[key, one] : before.functions)
    if (key.first == chunk && one.hasSpaces)
      return one.peakSpace;
  return std::nullopt;
}

using Peaks = std::map<std::string, trace::HeapUse>;

static Peaks peaksIn(const trace::Trace &trace, trace::Id chunk,
                     const std::string &space) {
  Peaks peaks;
  for (const trace::Function &function : trace.functions)
    for (const trace::SpaceUse &use : function.spaces)
      if (function.chunk == chunk && use.space == space)
        peaks[function.title()] = use.heap;
  return peaks;
}

static Peaks measuredPeaks(ModuleOp module, const trace::Trace &trace,
                           const std::string &space) {
  Peaks peaks;
  symexec::measureHeap(
      module, trace,
      [&](FunctionOpInterface function, const trace::HeapUse &heap) {
        if (const trace::Function *known = tracedFunction(function, trace))
          peaks[known->title()] = heap;
      },
      /*limits=*/{}, space);
  return peaks;
}

/// Of each function, the peak of the space that is over its size by most, or
/// else has the largest one.
/// `isKnown`: they are in the trace.
static void addPeaksBySpace(Measures &measures, trace::Id chunk,
                            ModuleOp module, const trace::Trace &trace,
                            bool isKnown) {
  const std::vector<std::string> spaces = symexec::memorySpacesIn(module);
  std::optional<std::string> weighed;
  std::pair<uint64_t, uint64_t> most;
  Peaks best;
  for (const std::string &space : spaces) {
    Peaks peaks = isKnown ? peaksIn(trace, chunk, space)
                          : measuredPeaks(module, trace, space);
    const auto stated = trace::statedOf(trace.options.spaces, space);
    std::pair<uint64_t, uint64_t> weight;
    for (const auto &[name, heap] : peaks) {
      uint64_t bytes = uint64_t(heap.peakBytes);
      weight.second = std::max(weight.second, bytes);
      for (const trace::GlobalBytes &global : heap.globals)
        bytes += uint64_t(std::max<int64_t>(global.bytes, 0));
      if (stated && stated->bytes >= 0 && bytes > uint64_t(stated->bytes))
        weight.first = std::max(weight.first, bytes - uint64_t(stated->bytes));
    }
    if (weighed && weight <= most)
      continue;
    weighed = space;
    most = weight;
    best = std::move(peaks);
  }
  if (!weighed)
    return;
  for (auto &[key, target] : measures.functions) {
    if (key.first != chunk)
      continue;
    // One that has nothing there has no peak.
    addHeap(target, best[key.second], trace);
    target.hasSpaces = true;
    target.peakSpace = *weighed;
    const auto stated = trace::statedOf(trace.options.spaces, *weighed);
    target.peakSpaceName = stated ? stated->name : std::string();
  }
}

/// From the trace, where it was measured for it.
static void addPeaks(Measures &measures, trace::Id chunk, ModuleOp module,
                     const trace::Trace &trace) {
  bool isKnown = true;
  for (const trace::Function &function : trace.functions)
    if (auto entry = measures.functions.find({chunk, function.title()});
        function.chunk == chunk && entry != measures.functions.end()) {
      isKnown &= function.heap.measured;
      addHeap(entry->second, function.heap, trace);
    }
  const bool hasSpaces =
      llvm::any_of(trace.functions, [](const trace::Function &function) {
        return !function.spaces.empty();
      });
  if (hasSpaces || !symexec::memorySpacesIn(module).empty())
    return addPeaksBySpace(measures, chunk, module, trace,
                           /*isKnown=*/isKnown && hasSpaces);
  if (isKnown)
    return;
  symexec::measureHeap(
      module, trace,
      [&](FunctionOpInterface function, const trace::HeapUse &heap) {
        if (const trace::Function *known = tracedFunction(function, trace))
          addHeap(measures.functions[{chunk, known->title()}], heap, trace);
      });
}

/// Those that changed, and all that call one of them.
static std::set<std::string> changedFunctions(const Measures &measures,
                                              const Measures &before,
                                              trace::Id chunk, ModuleOp module,
                                              const trace::Trace &trace) {
  std::set<std::string> changed;
  std::multimap<std::string, std::string> callers;
  const LineIndex lines(trace.source.text);
  eachFunction(module, trace,
               [&](FunctionOpInterface function, const trace::Function &ours) {
                 const std::string name = ours.title();
                 Measures::Key key(chunk, name);
                 auto old = before.functions.find(key);
                 if (old == before.functions.end() ||
                     old->second.digest != measures.functions.at(key).digest)
                   changed.insert(name);
                 function->walk([&](CallOpInterface call) {
                   auto callee = llvm::dyn_cast_if_present<SymbolRefAttr>(
                       call.getCallableForCallee());
                   if (callee)
                     callers.emplace(callee.getLeafReference().str(), name);
                 });
               });
  std::vector<std::string> pending(changed.begin(), changed.end());
  while (!pending.empty()) {
    std::string name = std::move(pending.back());
    pending.pop_back();
    // A call names its callee as the module around it does.
    auto [begin, end] = callers.equal_range(
        llvm::StringRef(name).rsplit("::@").second.empty()
            ? name
            : llvm::StringRef(name).rsplit("::@").second.str());
    for (; begin != end; ++begin)
      if (changed.insert(begin->second).second)
        pending.push_back(begin->second);
  }
  return changed;
}

static std::string declarationText(FunctionOpInterface function) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  function->print(stream, OpPrintingFlags().useLocalScope().assumeVerified());
  return text;
}

void addCalls(Measures &measures, ModuleOp module,
              SymbolTableCollection &symbols, const trace::RunOptions &run) {
  module->walk([&](func::CallOp call) {
    auto callee = dyn_cast_or_null<FunctionOpInterface>(
        symbols.lookupNearestSymbolFrom(call, call.getCalleeAttr()));
    if (!callee || call.getCallee() == helperName)
      return;
    measures.hasCalls |= !callee.isExternal();
    if (!callee.isExternal())
      return;
    const Contract contract = contractOf(callee, run);
    const bool isOthers = contract.keepsResults || contract.returned >= 0;
    if (!isOthers &&
        llvm::any_of(call.getResultTypes(), llvm::IsaPred<BaseMemRefType>))
      measures.externals.insert(call.getCallee().str());
    auto [text, isNew] =
        measures.declarations.try_emplace(call.getCallee().str());
    if (isNew)
      text->second = declarationText(callee);
  });
}

/// Of those that are counted in the IR.
static auto countsIn(const Measure &one) {
  return std::tie(one.allocations, one.helperLists, one.helperListBytes,
                  one.clones, one.unconditionalClones, one.copies,
                  one.runTimeChecks, one.helperCalls, one.inLoops,
                  one.lateFrees, one.escapedBuffers, one.escapedDepth,
                  one.unseenUses);
}

/// All but the peaks. Of a function that is not what it was, as the counts
/// tell, no digest is made.
static void countFinalIr(Measures &measures, const Measures &before,
                         trace::Id chunk, ModuleOp module,
                         const trace::Trace &trace) {
  std::erase_if(measures.functions,
                [&](const auto &entry) { return entry.first.first == chunk; });
  SymbolTableCollection symbols;
  addCalls(measures, module, symbols, trace.options);
  llvm::StringSet<> called;
  module->walk([&](CallOpInterface call) {
    if (auto callee = llvm::dyn_cast_if_present<SymbolRefAttr>(
            call.getCallableForCallee()))
      called.insert(callee.getLeafReference().getValue());
  });
  const LineIndex lines(trace.source.text);
  eachFunction(module, trace,
               [&](FunctionOpInterface function, const trace::Function &ours) {
                 const std::string name = ours.title();
                 Measure &target = measures.functions[{chunk, name}];
                 target.isEntryPoint =
                     function->hasAttr("llvm.emit_c_interface") ||
                     !called.contains(function.getName());
                 countOps(function, trace, lines, target);
                 countBuffers(function, trace, ours, symbols, target);
                 auto old = before.functions.find({chunk, name});
                 target.digest =
                     old != before.functions.end() &&
                             countsIn(old->second) != countsIn(target)
                         ? ~old->second.digest
                         : digestOf(function);
               });
}

void addFinalIr(Measures &measures, trace::Id chunk, ModuleOp module,
                const trace::Trace &trace) {
  countFinalIr(measures, {}, chunk, module, trace);
  addPeaks(measures, chunk, module, trace);
}

/// Whether the limits ended it.
static bool isCut(const trace::HeapUse &heap) {
  return llvm::any_of(heap.gaps, [](const trace::PeakGap &gap) {
    return gap.kind == trace::PeakGapKind::notAllPaths;
  });
}

void addFinalIrOfCopy(Measures &measures, const Measures &before,
                      trace::Id chunk, ModuleOp module,
                      const trace::Trace &trace, symexec::HeapLimits limits) {
  countFinalIr(measures, before, chunk, module, trace);
  const std::set<std::string> changed =
      changedFunctions(measures, before, chunk, module, trace);
  auto nameOf = [&](FunctionOpInterface function) {
    const trace::Function *known = tracedFunction(function, trace);
    return known ? known->title() : std::string();
  };
  for (auto &[key, target] : measures.functions)
    if (auto old = before.functions.find(key);
        key.first == chunk && old != before.functions.end()) {
      target.peakBytes = old->second.peakBytes;
      target.peakGaps = old->second.peakGaps;
      target.peakSpace = old->second.peakSpace;
      target.peakSpaceName = old->second.peakSpaceName;
      target.hasSpaces = old->second.hasSpaces;
    }
  limits.wants = [&](FunctionOpInterface function) {
    return changed.count(nameOf(function)) > 0;
  };
  symexec::measureHeap(
      module, trace,
      [&](FunctionOpInterface function, const trace::HeapUse &heap) {
        Measure &target = measures.functions[{chunk, nameOf(function)}];
        const uint64_t was = target.peakBytes;
        addHeap(target, heap, trace);
        if (isCut(heap))
          target.peakBytes = std::max(target.peakBytes, was);
      },
      limits, weighedSpace(before, chunk));
}

//===--- Faults -----------------------------------------------------------===//

void addFaultsOfChanged(Measures &measures, const Measures &before,
                        trace::Id chunk, ModuleOp module,
                        const trace::Trace &trace,
                        const symexec::ExploreLimits &limits) {
  std::set<std::string> changed =
      changedFunctions(measures, before, chunk, module, trace);
  SmallVector<FunctionOpInterface> explored;
  std::vector<Measure *> targets;
  eachFunction(module, trace,
               [&](FunctionOpInterface function, const trace::Function &ours) {
                 Measures::Key key(chunk, ours.title());
                 Measure &target = measures.functions[key];
                 if (changed.count(ours.title())) {
                   explored.push_back(function);
                   targets.push_back(&target);
                   return;
                 }
                 target.faults = before.functions.at(key).faults;
                 target.faultKeys = before.functions.at(key).faultKeys;
                 target.lostWrites = before.functions.at(key).lostWrites;
                 target.allPaths = before.functions.at(key).allPaths;
                 target.unfollowed = before.functions.at(key).unfollowed;
                 target.comparesPoison =
                     before.functions.at(key).comparesPoison;
               });
  symexec::exploreSideBySide(
      explored, limits.workers, [&](size_t i, SymbolTableCollection &symbols) {
        symexec::ExploreLimits own = limits;
        own.symbols = &symbols;
        if (auto result = symexec::exploreOutput(explored[i], trace, own)) {
          targets[i]->faults = errorsIn(*result);
          targets[i]->faultKeys = faultKeysIn(*result);
          targets[i]->lostWrites = lostWritesIn(*result);
          targets[i]->allPaths =
              result->stopped.empty() && !result->stoppedWatching;
          targets[i]->unfollowed = !result->unfollowed.empty();
          targets[i]->comparesPoison = result->comparesPoison;
        }
      });
}

//===--- From the trace ---------------------------------------------------===//

static void addFunction(Measure &target, const trace::Trace &trace,
                        const trace::Function &function) {
  target.isAccepted = function.status == trace::FunctionStatus::traced ||
                      function.status == trace::FunctionStatus::notProcessed ||
                      function.status == trace::FunctionStatus::skipped;
  target.upstreamReadsFreed = function.upstreamReadsFreedMemory;
  target.isPublic = function.isPublic;
  auto moduleOf = [&](trace::Id op) {
    const trace::Id block = op == trace::none ? op : trace.ops[op].block;
    return block == trace::none ? block : trace.blocks[block].parentOp;
  };
  target.isNested = moduleOf(moduleOf(function.op)) != trace::none;
  target.blocks = function.blocks.size();
  for (trace::Id block : function.blocks)
    for (trace::Id id : trace.blocks[block].ops) {
      const trace::Op &op = trace.ops[id];
      if (op.generated || !op.isTerminator || !op.successors.empty())
        continue;
      uint64_t buffers = llvm::count_if(op.operands, [&](trace::Id operand) {
        return trace.values[operand].isMemref;
      });
      target.buffersReturned = std::max(target.buffersReturned, buffers);
      target.returnsOpenSize |=
          llvm::any_of(op.operands, [&](trace::Id operand) {
            const trace::Value &value = trace.values[operand];
            return value.isMemref && trace::hasOpenShape(value.type);
          });
    }
}

static void addEvent(Measure &target, const trace::Event &event) {
  if (auto *dealloc = std::get_if<trace::DeallocEvent>(&event.detail))
    target.largestDealloc =
        std::max<uint64_t>(target.largestDealloc, dealloc->memrefs.size());
  if (auto *signature = std::get_if<trace::SignatureEvent>(&event.detail))
    target.ownershipResults +=
        signature->part == trace::SignaturePart::functionResult;
}

static bool isParallelLoop(const trace::Op &op) {
  return op.name == "scf.parallel" || op.name == "scf.forall" ||
         op.name == "affine.parallel" || op.name.starts_with("omp.");
}

static bool isInnerAllocation(const trace::Op &op, const trace::Trace &trace) {
  if (op.name.find("alloc") == std::string::npos || op.block == trace::none)
    return false;
  const trace::Block &home = trace.blocks[size_t(op.block)];
  const bool isOfFunction =
      home.function != trace::none &&
      trace.functions[size_t(home.function)].op == home.parentOp;
  return !home.isEntry || !isOfFunction;
}

void addPlaced(PlacedFunctions &placed, trace::Id chunk, ModuleOp module,
               const trace::Trace &trace) {
  eachFunction(module, trace,
               [&](FunctionOpInterface function, const trace::Function &ours) {
                 Placed &target = placed[{chunk, ours.title()}];
                 target = {};
                 function->walk([&](bufferization::DeallocOp dealloc) {
                   target.largestDealloc = std::max<uint64_t>(
                       target.largestDealloc, dealloc.getMemrefs().size());
                 });
                 if (ours.dynamicOwnership)
                   target.ownershipResults =
                       llvm::count_if(function.getResultTypes(),
                                      llvm::IsaPred<BaseMemRefType>);
               });
}

static trace::Id functionOf(trace::Id op, const trace::Trace &trace) {
  const trace::Id block =
      op == trace::none ? trace::none : trace.ops[size_t(op)].block;
  return block == trace::none ? trace::none
                              : trace.blocks[size_t(block)].function;
}

void addTrace(Measures &measures, const trace::Trace &trace,
              const PlacedFunctions &placed) {
  std::map<trace::Id, Measure *> byFunction;
  for (const trace::Function &function : trace.functions) {
    // One that a pass in front took out is in no stage.
    bool isGone = function.status == trace::FunctionStatus::traced &&
                  !measures.functions.count({function.chunk, function.title()});
    if (function.status == trace::FunctionStatus::declaration || isGone)
      continue;
    Measure &target = measures.functions[{function.chunk, function.title()}];
    addFunction(target, trace, function);
    byFunction[function.id] = &target;
  }
  for (const trace::Event &event : trace.events)
    if (auto entry = byFunction.find(event.function);
        entry != byFunction.end() && entry->second->isAccepted)
      addEvent(*entry->second, event);
  if (trace.events.empty())
    for (const auto &[key, found] : placed)
      if (auto entry = measures.functions.find(key);
          entry != measures.functions.end()) {
        entry->second.largestDealloc = found.largestDealloc;
        entry->second.ownershipResults = found.ownershipResults;
      }
  for (const trace::Bufferization &run : trace.bufferizations) {
    (run.isReplayed ? measures.replayedComparisons
                    : measures.tensorComparisons) += run.comparisons;
    for (const trace::TensorOverwrite &one : run.overwrites)
      if (auto entry = byFunction.find(functionOf(one.write, trace));
          entry != byFunction.end())
        ++entry->second->overwrites;
  }
  for (const trace::Op &op : trace.ops) {
    measures.ops += !op.generated;
    measures.hasParallelLoop |= !op.generated && isParallelLoop(op);
    measures.hasInnerAllocations |=
        !op.generated && isInnerAllocation(op, trace);
  }
}

} // namespace memreflens
