//===- core/pipeline/stages/TracedPlacement.cpp ---------------------------===//

#include "core/pipeline/stages/TracedPlacement.h"
#include "core/pipeline/classic/ClassicPass.h"
#include "core/pipeline/placement/DropResults.h"
#include "core/pipeline/placement/Warnings.h"
#include "core/pipeline/stages/PassPlan.h"
#include "core/trace/Plan.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Verifier.h"

using namespace mlir;

namespace memreflens {

using trace::none;

//===--- The classic pass -------------------------------------------------===//

static trace::RejectionCause causeOf(classic::Rejection kind) {
  switch (kind) {
  case classic::Rejection::loopOfBranches:
    return trace::RejectionCause::loopInControlFlow;
  case classic::Rejection::regionsNotKnown:
    return trace::RejectionCause::regionWithoutInterface;
  case classic::Rejection::other:
    break;
  }
  return trace::RejectionCause::stageFailed;
}

namespace {
class ClassicRecorder : public classic::Observer {
public:
  ClassicRecorder(Operation *function, Recorder &recorder)
      : function(function), recorder(recorder) {}

  void foundAlias(const classic::Alias &alias) override {
    recorder.add(alias.via, Value(alias.alias).getParentBlock(), alias.alias,
                 trace::AliasEvent{recorder.idOf(alias.source), alias.link});
  }
  void foundAllocation(const classic::Allocation &allocation) override {
    recorder.add(Value(allocation.value).getDefiningOp(),
                 Value(allocation.value).getParentBlock(), allocation.value,
                 trace::CandidateEvent{trace::CandidateSource::allocation,
                                       trace::DropReason::notDropped});
  }
  void foundCritical(const classic::Critical &critical) override {
    recorder.add(Value(critical.value).getDefiningOp(),
                 Value(critical.value).getParentBlock(), critical.value,
                 trace::CriticalEvent{recorder.idOf(critical.source),
                                      recorder.idOf(critical.from),
                                      critical.reason});
  }
  void copied(const classic::Copy &copy) override {
    Operation *clone = Value(copy.clone).getDefiningOp();
    if (copy.clone != copy.operand && clone)
      recorder.generated(clone, "clone", copy.operand);
    recorder.add(copy.user, copy.user->getBlock(), copy.critical,
                 trace::CopyEvent{recorder.idOf(copy.operand),
                                  recorder.idOf(copy.clone)});
  }
  void placed(const classic::Placement &placement) override {
    trace::FreeEvent event;
    if (placement.after)
      event.after = recorder.idOf(placement.after);
    if (placement.lastAlias)
      event.lastAlias = recorder.idOf(placement.lastAlias);
    if (placement.dealloc) {
      if (!placement.moved)
        recorder.generated(placement.dealloc);
      event.dealloc = recorder.idOf(placement.dealloc);
    }
    event.moved = placement.moved;
    recorder.add(placement.dealloc, placement.block, placement.value, event);
  }
  void rejected(Operation *op, const std::string &message,
                classic::Rejection kind) override {
    reject(op, message, causeOf(kind));
  }

  void reject(Operation *op, const std::string &message,
              trace::RejectionCause cause) {
    if (wasRejected)
      return;
    wasRejected = true;
    trace::RejectionEvent event;
    event.cause = cause;
    event.message = message;
    recorder.add(op ? op : function, nullptr, {}, std::move(event));
  }
  bool wasRejected = false;

private:
  Operation *function;
  Recorder &recorder;
};
} // namespace

bool traceClassicPass(FunctionOpInterface function, Recorder &recorder) {
  recorder.enterFunction(function);
  ClassicRecorder observer(function, recorder);
  bool done = succeeded(classic::runClassicPass(function, observer));
  if (done && failed(verify(function))) {
    observer.reject(function, "the result is not valid",
                    trace::RejectionCause::invalidIr);
    done = false;
  } else if (!done) {
    observer.reject(function, "refused", trace::RejectionCause::stageFailed);
  }
  recorder.enterFunction(nullptr);
  return done;
}

//===--- Moving allocations -----------------------------------------------===//

static void addWarnings(const placement::PlacementWarnings &warnings,
                        Recorder &recorder) {
  for (const placement::PlacementWarning &warning : warnings)
    recorder.add(
        warning.op, warning.op ? warning.op->getBlock() : nullptr, {},
        trace::WarningEvent{warning.kind,
                            warning.shown ? recorder.idOf(warning.shown) : none,
                            warning.before, warning.after});
}

static Value resultOf(Operation *op) {
  return op->getNumResults() > 0 ? Value(op->getResult(0)) : Value();
}

static void traceHoisting(FunctionOpInterface function,
                          placement::HoistingPass pass, Recorder &recorder) {
  const placement::Peak before = placement::peakOf(function);
  const std::vector<placement::Hoisted> entries =
      placement::hoistAllocations(function, pass);
  for (const placement::Hoisted &entry : entries) {
    trace::MoveEvent event;
    event.outcome = entry.limit;
    if (entry.to && entry.to != entry.from)
      event.to = recorder.idOf(entry.to);
    if (entry.around && !isa<FunctionOpInterface>(entry.around))
      event.because = recorder.idOf(entry.around);
    if (entry.because)
      event.becauseValue = recorder.idOf(entry.because);
    recorder.add(entry.allocation, entry.from, resultOf(entry.allocation),
                 event);
  }
  addWarnings(placement::warningsOfHoisting(function, entries, before),
              recorder);
}

/// The alloca still bears the tag of the alloc that it stands for.
static void giveNewOpItsName(Operation *op, Recorder &recorder) {
  trace::Id old = recorder.idOf(op->getResult(0));
  recorder.generated(op);
  recorder.inheritName(old, op->getResult(0));
}

static void traceToStack(llvm::StringRef pass, FunctionOpInterface function,
                         Recorder &recorder) {
  placement::StackLimits limits;
  limits.bytes = numberOption(pass, "max-alloc-size-in-bytes", limits.bytes);
  limits.dynamicRank =
      numberOption(pass, "max-rank-of-allocated-memref", limits.dynamicRank);
  const std::vector<placement::Promotion> entries =
      placement::promoteToStack(function, limits);
  for (const placement::Promotion &entry : entries) {
    trace::MoveEvent event;
    event.outcome = entry.outcome;
    // 0 stands for a size that is not known.
    if (entry.bytes > 0)
      event.bytes = int64_t(entry.bytes);
    // Of one that moved, these may be its own results, gone with the old op.
    const bool stays = entry.outcome != trace::MoveOutcome::promoted;
    if (stays && entry.around)
      event.because = recorder.idOf(entry.around);
    if (stays && entry.because)
      event.becauseValue = recorder.idOf(entry.because);
    recorder.add(entry.op, entry.op->getBlock(), resultOf(entry.op), event);
  }
  addWarnings(placement::warningsOfPromotion(function, entries), recorder);
  for (const placement::Promotion &entry : entries)
    if (entry.outcome == trace::MoveOutcome::promoted)
      giveNewOpItsName(entry.op, recorder);
}

//===--- Moving frees -----------------------------------------------------===//

static void traceLiveness(FunctionOpInterface function, Recorder &recorder) {
  const std::vector<placement::FreeMove> moves =
      placement::optimizeLiveness(function);
  for (const placement::FreeMove &move : moves) {
    trace::MoveEvent event;
    event.outcome = move.outcome;
    if (move.lastUse)
      event.because = recorder.idOf(move.lastUse);
    if (move.through && move.through != resultOf(move.allocation))
      event.becauseValue = recorder.idOf(move.through);
    recorder.add(move.allocation, move.allocation->getBlock(),
                 resultOf(move.allocation), event);
  }
  addWarnings(placement::warningsOfLiveness(moves), recorder);
}

//===--- Results ----------------------------------------------------------===//

static void traceDrops(ModuleOp module, Recorder &recorder) {
  for (const placement::ResultDrop &drop :
       placement::dropEquivalentResults(module)) {
    if (recorder.isIgnored(drop.function))
      continue;
    recorder.enterFunction(drop.function);
    trace::MoveEvent event;
    event.outcome = drop.outcome;
    event.result = int32_t(drop.result);
    if (drop.outcome == trace::MoveOutcome::dropped)
      event.argument = int32_t(drop.argument);
    if (drop.at)
      event.because = recorder.idOf(drop.at);
    if (drop.because)
      event.becauseValue = recorder.idOf(drop.because);
    recorder.add(drop.function, nullptr, {}, event);
  }
  recorder.enterFunction(nullptr);
}

static LogicalResult traceOutParams(llvm::StringRef pass, ModuleOp module,
                                    Recorder &recorder) {
  placement::OutParamOptions options;
  options.addResultAttr = hasOption(pass, "add-result-attr");
  options.hoistStaticAllocs = hasOption(pass, "hoist-static-allocs");
  options.hoistDynamicAllocs = hasOption(pass, "hoist-dynamic-allocs");
  options.modifyPublicFunctions = hasOption(pass, "modify-public-functions");
  const placement::OutParams converted =
      placement::moveResultsToArguments(module, options);
  for (const placement::OutParam &entry : converted.results) {
    if (recorder.isIgnored(entry.function))
      continue;
    recorder.enterFunction(entry.function);
    trace::MoveEvent event;
    event.outcome = entry.outcome;
    event.result = int32_t(entry.result);
    if (entry.outcome == trace::MoveOutcome::becameArgument)
      event.argument = int32_t(entry.argument);
    if (entry.call)
      event.because = recorder.idOf(entry.call);
    recorder.add(entry.function, nullptr, {}, event);
  }
  recorder.enterFunction(nullptr);
  addWarnings(placement::warningsOfOutParams(converted), recorder);
  return success(converted.succeeded);
}

//===--- By name ----------------------------------------------------------===//

bool isTracedPlacement(llvm::StringRef pass) {
  std::string_view name = trace::passName(std::string_view(pass));
  return name == "buffer-hoisting" || name == "buffer-loop-hoisting" ||
         name == "promote-buffers-to-stack" ||
         name == "optimize-allocation-liveness" ||
         name == "drop-equivalent-buffer-results" ||
         name == "buffer-results-to-out-params";
}

static void traceOnFunction(llvm::StringRef pass, FunctionOpInterface function,
                            Recorder &recorder) {
  std::string_view name = trace::passName(std::string_view(pass));
  recorder.enterFunction(function);
  if (name == "buffer-hoisting")
    traceHoisting(function, placement::HoistingPass::blocks, recorder);
  else if (name == "buffer-loop-hoisting")
    traceHoisting(function, placement::HoistingPass::loops, recorder);
  else if (name == "promote-buffers-to-stack")
    traceToStack(pass, function, recorder);
  else
    traceLiveness(function, recorder);
  recorder.enterFunction(nullptr);
}

LogicalResult tracePlacementPass(llvm::StringRef pass, ModuleOp module,
                                 Recorder &recorder) {
  std::string_view name = trace::passName(std::string_view(pass));
  if (name == "drop-equivalent-buffer-results") {
    traceDrops(module, recorder);
    return success();
  }
  if (name == "buffer-results-to-out-params")
    return traceOutParams(pass, module, recorder);
  module->walk([&](func::FuncOp function) {
    if (!function.isExternal() && !recorder.isIgnored(function))
      traceOnFunction(pass, function, recorder);
  });
  return success();
}

} // namespace memreflens
