//===- core/trials/Copy.cpp -----------------------------------------------===//

#include "core/trials/Copy.h"
#include "core/process/Child.h"
#include "core/process/Parallel.h"
#include "core/source/Identity.h"
#include "core/trace/Plan.h"
#include "core/trials/Counting.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;

namespace memreflens {

/// Of the path explorer, for each function of a copy.
static constexpr uint64_t trialSteps = 60000;

//===--- Edits ------------------------------------------------------------===//

static void returnCopies(FunctionOpInterface function) {
  for (Block &block : function.getFunctionBody()) {
    Operation *terminator = block.getTerminator();
    if (!terminator->hasTrait<OpTrait::ReturnLike>())
      continue;
    OpBuilder builder(terminator);
    for (OpOperand &operand : terminator->getOpOperands())
      if (isa<BaseMemRefType>(operand.get().getType()) &&
          !operand.get().getDefiningOp<memref::AllocOp>())
        operand.set(bufferization::CloneOp::create(
            builder, terminator->getLoc(), operand.get()));
  }
}

static void dropDeallocs(FunctionOpInterface function) {
  SmallVector<Operation *> frees;
  function->walk([&](Operation *op) {
    if (isa<memref::DeallocOp, bufferization::DeallocOp>(op) && op->use_empty())
      frees.push_back(op);
  });
  for (Operation *op : frees)
    op->erase();
}

static void applyEdit(const Remedy &remedy, trace::Id chunk, ModuleOp module,
                      const trace::Trace &trace) {
  module->walk([&](FunctionOpInterface function) {
    const trace::Function *known = tracedFunction(function, trace);
    if (function.isExternal() || !known ||
        !remedy.functions.contains({chunk, known->title()}))
      return;
    if (remedy.edit == RemedyEdit::makePrivate)
      function.setPrivate();
    if (remedy.edit == RemedyEdit::returnCopies)
      returnCopies(function);
    if (remedy.edit == RemedyEdit::dropDeallocs)
      dropDeallocs(function);
  });
}

//===--- Passes -----------------------------------------------------------===//

/// The pass pipeline with one more option of its first one-shot-bufferize, and
/// with passes in front of that.
static std::string withBufferization(std::string pipeline,
                                     const Remedy &remedy) {
  constexpr llvm::StringLiteral pass = "one-shot-bufferize";
  const size_t at = pipeline.find(pass.str());
  if (at == pipeline.npos)
    return pipeline;
  const size_t behind = at + pass.size();
  const bool hasOptions = behind < pipeline.size() && pipeline[behind] == '{';
  if (const std::string &option = remedy.bufferizeOption; !option.empty())
    hasOptions ? pipeline.insert(behind + 1, option + " ")
               : pipeline.insert(behind, "{" + option + "}");
  if (!remedy.beforeBufferize.empty())
    pipeline.insert(at, remedy.beforeBufferize + ",");
  return pipeline;
}

trace::RunOptions runWith(const Remedy &remedy,
                          const trace::RunOptions &options) {
  trace::RunOptions run = options;
  run.privateFunctionDynamicOwnership = remedy.dynamicOwnership;
  llvm::append_range(run.freshResults, remedy.freshResults);
  llvm::append_range(run.noCapture, remedy.noCapture);
  const std::string own = withBufferization(prePassPipeline(options), remedy);
  run.bufferize = false;
  run.prePipeline = own;
  if (!remedy.before.empty())
    run.prePipeline += (own.empty() ? "" : ",") + remedy.before;
  if (!remedy.after.empty() || remedy.dropsIdle)
    run.passes = trace::passesOf(options);
  if (remedy.dropsIdle)
    trace::insertInFrontOfLowering(run.passes, trace::idleDeallocsPass);
  if (!remedy.after.empty())
    run.passes.push_back(remedy.after);
  return run;
}

bool sharePasses(const Remedy &first, const Remedy &second) {
  return first.edit == second.edit && first.functions == second.functions &&
         first.before == second.before && first.dropsIdle == second.dropsIdle &&
         first.bufferizeOption == second.bufferizeOption &&
         first.beforeBufferize == second.beforeBufferize &&
         first.dynamicOwnership == second.dynamicOwnership &&
         first.freshResults == second.freshResults;
}

//===--- Measuring --------------------------------------------------------===//

namespace {
/// The copies of one plan.
class Copies {
public:
  Copies(const CopySource &source, const CopyPlan &plan,
         const std::function<Known()> &known,
         const std::function<void(size_t, const Measures &)> &take)
      : source(source), plan(plan), known(known), take(take),
        workers(severalWorkers(source.options.jobs)) {}
  void run();

private:
  void measure(const Remedy &remedy, trace::Id chunk, ModuleOp module,
               const trace::Trace &trace);
  Child measureBehind(size_t remedy, trace::Id chunk, ModuleOp module,
                      const trace::Trace &trace);
  void look(trace::Id chunk, ModuleOp module, const trace::Trace &trace);

  const CopySource &source;
  const CopyPlan &plan;
  const std::function<Known()> &known;
  const std::function<void(size_t, const Measures &)> &take;
  /// Copies end one by one; the cores that they leave help the last ones.
  const trace::Workers workers;
  PlacedFunctions placed;
  Measures measures;
};
} // namespace

void Copies::measure(const Remedy &remedy, trace::Id chunk, ModuleOp module,
                     const trace::Trace &trace) {
  const auto [report, before] = known();
  symexec::HeapLimits heap = source.options.heap;
  heap.workers = workers;
  addFinalIrOfCopy(measures, before, chunk, module, trace, heap);
  symexec::ExploreLimits limits = source.options.limits;
  limits.workers = workers;
  limits.maxSteps = std::min(limits.maxSteps, trialSteps);
  // Whether it would help if it is sound.
  Measures soFar = measures;
  addTrace(soFar, trace, placed);
  if (helpsAny(report, remedy, before, soFar))
    return addFaultsOfChanged(measures, before, chunk, module, trace, limits);
  // Nobody looked whether a clone sees now what is written.
  for (auto &[key, one] : measures.functions)
    if (auto old = before.functions.find(key);
        key.first == chunk && old != before.functions.end())
      one.lostWrites = old->second.lostWrites;
}

/// Goes on from here in a process of its own.
Child Copies::measureBehind(size_t number, trace::Id chunk, ModuleOp module,
                            const trace::Trace &trace) {
  return Child::run(
      [&] {
        const Remedy &remedy = plan.remedies[number];
        if (!runPassBehind(module, remedy.after))
          return 1;
        measure(remedy, chunk, module, trace);
        addTrace(measures, trace, placed);
        take(number, measures);
        return 0;
      },
      ChildOutput::discarded);
}

void Copies::look(trace::Id chunk, ModuleOp module, const trace::Trace &trace) {
  // Where it had to be recorded after all, each is tried by itself.
  const size_t others = trace.events.empty() ? plan.remedies.size() : 1;
  std::vector<Child> behind;
  for (size_t i = 1; i < others; ++i) {
    behind.push_back(measureBehind(i, chunk, module, trace));
    if (!workers && behind.back().hasStarted())
      behind.back().wait();
  }
  measure(plan.remedies.front(), chunk, module, trace);
  if (workers)
    for (Child &child : behind)
      if (child.hasStarted())
        child.wait();
}

void Copies::run() {
  const Remedy &remedy = plan.remedies.front();
  AnalysisOptions analysis;
  analysis.run = runWith(remedy, source.options.run);
  analysis.parsed = &source.parsed;
  analysis.text = StageText::none;
  // Of the decisions, only those are counted that the IR shows.
  analysis.isRecorded = plan.isRecorded;
  analysis.onPlaced = [&](trace::Id chunk, ModuleOp module,
                          const trace::Trace &trace) {
    addPlaced(placed, chunk, module, trace);
  };
  if (remedy.edit != RemedyEdit::none)
    analysis.edit = [&](trace::Id chunk, ModuleOp module,
                        const trace::Trace &trace) {
      applyEdit(remedy, chunk, module, trace);
    };
  analysis.onModule = [&](trace::Id chunk, ModuleOp module, bool isFinal,
                          const trace::Trace &trace) {
    if (isFinal)
      look(chunk, module, trace);
  };
  Analysis result = analyse(source.source, source.registry, analysis);
  addTrace(measures, result.trace, placed);
  for (const trace::Problem &problem : result.trace.problems)
    if (problem.stage == 0 && problem.severity == trace::Severity::error)
      measures.problem = "the pass fails: " + problem.message;
  take(0, measures);
}

void measureCopies(const CopySource &source, const CopyPlan &plan,
                   const std::function<Known()> &known,
                   const std::function<void(size_t, const Measures &)> &take) {
  Copies(source, plan, known, take).run();
}

} // namespace memreflens
