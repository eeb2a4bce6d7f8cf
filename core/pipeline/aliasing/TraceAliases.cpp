//===- core/pipeline/aliasing/TraceAliases.cpp ----------------------------===//

#include "core/pipeline/aliasing/TraceAliases.h"
#include "core/pipeline/aliasing/AccessSources.h"
#include "core/pipeline/aliasing/FactQuery.h"
#include "core/pipeline/simplify/AliasGroup.h"

#include "mlir/Analysis/AliasAnalysis/LocalAliasAnalysis.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace memreflens::aliasing {

using trace::none;

static trace::LocalAlias toTrace(AliasResult result) {
  if (result.isNo())
    return trace::LocalAlias::noAlias;
  if (result.isMust())
    return trace::LocalAlias::mustAlias;
  return result.isPartial() ? trace::LocalAlias::partialAlias
                            : trace::LocalAlias::mayAlias;
}

static trace::StatedFact toTrace(Fact fact) {
  switch (fact) {
  case Fact::distinctObjects:
    return trace::StatedFact::distinctObjects;
  case Fact::noneAre:
    return trace::StatedFact::noneAre;
  case Fact::none:
  case Fact::scopes:
    break;
  }
  return trace::StatedFact::scopes;
}

/// MLIR 22's LocalAliasAnalysis reads past an op's operands where a terminator
/// has regions that take memrefs (scf.reduce): then it is not asked.
static bool survivesLocal(FunctionOpInterface function) {
  return !function
              ->walk([](Operation *op) {
                bool takesMemrefs =
                    op->hasTrait<OpTrait::IsTerminator>() &&
                    llvm::any_of(op->getRegions(), [](Region &region) {
                      return llvm::any_of(
                          region.getArgumentTypes(),
                          [](Type type) { return isa<BaseMemRefType>(type); });
                    });
                return takesMemrefs ? WalkResult::interrupt()
                                    : WalkResult::advance();
              })
              .wasInterrupted();
}

namespace {
/// The view of one function.
class FunctionView {
public:
  FunctionView(FunctionOpInterface function, const OriginAnalysis &origins,
               Recorder &recorder)
      : function(function), origins(origins), oracle(origins, simplify),
        sources(function), facts(function), recorder(recorder) {
    view.localNotAsked = !survivesLocal(function);
  }
  trace::FunctionAliases take();

private:
  void collect();
  void addMemref(Value memref);
  void addPairs();
  void addAccesses(Operation *op);
  void addStated();

  FunctionOpInterface function;
  const OriginAnalysis &origins;
  /// Without an observer: questions only.
  SimplifyOptions simplify;
  AliasOracle oracle;
  AccessSources sources;
  FactQuery facts;
  LocalAliasAnalysis local;
  Recorder &recorder;
  SmallVector<Value> memrefs;
  SmallVector<Operation *> accesses;
  trace::FunctionAliases view;
};
} // namespace

void FunctionView::collect() {
  auto add = [&](Value value) {
    if (!isa<BaseMemRefType>(value.getType()))
      return;
    if (memrefs.size() < mostMemrefs)
      memrefs.push_back(value);
    else
      ++view.leftOut;
  };
  function->walk<WalkOrder::PreOrder>([&](Operation *op) {
    llvm::for_each(op->getResults(), add);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        llvm::for_each(block.getArguments(), add);
  });
}

void FunctionView::addMemref(Value memref) {
  trace::MemrefSources entry;
  entry.value = recorder.idOf(memref);
  entry.terminals = recorder.idsOf(origins.terminalsOf(memref));
  for (Value source : sources.sourcesOf(memref)) {
    entry.sources.push_back(recorder.idOf(source));
    entry.kinds.push_back(sources.kindOf(source));
  }
  view.memrefs.push_back(std::move(entry));
}

void FunctionView::addPairs() {
  for (uint32_t first = 0; first < memrefs.size(); ++first)
    for (uint32_t second = first + 1; second < memrefs.size(); ++second) {
      trace::AliasPair pair;
      pair.first = first;
      pair.second = second;
      Value one = memrefs[first], other = memrefs[second];
      OriginAnalysis::Verdict verdict = origins.verdict(one, other);
      pair.rule = verdict.rule;
      if (verdict.same)
        pair.answer = *verdict.same ? trace::SameAllocation::yes
                                    : trace::SameAllocation::no;
      else if (oracle.distinct(one, other)) {
        pair.answer = trace::SameAllocation::no;
        pair.rule = trace::AliasRule::argumentOutlives;
      }
      if (!view.localNotAsked)
        pair.local = toTrace(local.alias(one, other));
      pair.separation = sources.separate(one, other);
      view.pairs.push_back(pair);
    }
}

void FunctionView::addAccesses(Operation *op) {
  if (view.accesses.size() >= mostAccesses)
    return;
  auto add = [&](Value memref, bool reads, bool writes) {
    view.accesses.push_back({recorder.idOf(op),
                             memref ? recorder.idOf(memref) : none, reads,
                             writes});
    accesses.push_back(op);
  };
  SmallVector<Value, 2> touched = accessedMemrefs(op);
  if (isa<CallOpInterface>(op))
    return add({}, true, true);
  auto effects = dyn_cast<MemoryEffectOpInterface>(op);
  for (Value memref : touched) {
    SmallVector<MemoryEffects::EffectInstance> on;
    effects.getEffectsOnValue(memref, on);
    bool reads = false, writes = false;
    for (const MemoryEffects::EffectInstance &effect : on) {
      reads |= isa<MemoryEffects::Read>(effect.getEffect());
      writes |= isa<MemoryEffects::Write>(effect.getEffect());
    }
    add(memref, reads, writes);
  }
}

void FunctionView::addStated() {
  for (uint32_t first = 0; first < accesses.size(); ++first)
    for (uint32_t second = first + 1; second < accesses.size(); ++second)
      if (Answer answer = facts.ask(accesses[first], accesses[second]))
        view.stated.push_back({first, second, toTrace(answer.fact),
                               answer.by ? recorder.idOf(answer.by) : none});
}

trace::FunctionAliases FunctionView::take() {
  view.function = recorder.functionOf(function);
  collect();
  for (Value memref : memrefs)
    addMemref(memref);
  addPairs();
  function->walk([&](Operation *op) { addAccesses(op); });
  addStated();
  return std::move(view);
}

void recordAliases(ModuleOp module, Recorder &recorder) {
  const OriginAnalysis origins(
      module, recorder.getTrace().options.refineDistinctObjects);
  module->walk([&](FunctionOpInterface function) {
    if (function.isExternal() || recorder.isIgnored(function) ||
        recorder.functionOf(function) == none)
      return;
    trace::FunctionAliases view =
        FunctionView(function, origins, recorder).take();
    if (!view.memrefs.empty())
      recorder.getTrace().aliases.push_back(std::move(view));
  });
}

} // namespace memreflens::aliasing
