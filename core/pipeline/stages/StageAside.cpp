//===- core/pipeline/stages/StageAside.cpp --------------------------------===//

#include "core/pipeline/record/SourceNames.h"
#include "core/pipeline/stages/Canonicalize.h"
#include "core/pipeline/stages/StageRunner.h"
#include "core/pipeline/stages/StandIn.h"
#include "core/source/IrLister.h"
#include "core/trace/StageTexts.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace memreflens {

using trace::Id;
using trace::none;

//===--- Setting functions aside ------------------------------------------===//

func::FuncOp StageRunner::findFunction(llvm::StringRef name) {
  func::FuncOp found;
  module.walk([&](func::FuncOp function) {
    if ((function.getSymName() == name || pathOf(function) == name) &&
        !recorder.isIgnored(function))
      found = function;
  });
  return found;
}

std::string StageRunner::titleOf(func::FuncOp function) {
  Id id = recorder.functionOf(function);
  return id == none ? function.getSymName().str() : trace.functions[id].title();
}

void StageRunner::setAside(func::FuncOp function, Operation *shown, int stage,
                           std::string why) {
  Id id = recorder.functionOf(function);
  // New blocks may come to lie where the old ones were.
  function->walk([&](Block *block) { recorder.forget(block); });
  makeStandIn(function);
  recorder.ignore(function);
  aside.push_back({id, shown, function, stage, std::move(why)});
}

void StageRunner::setAside(const Quarantined &entry, func::FuncOp function,
                           Operation *shown, int stage) {
  Id id = recorder.functionOf(function);
  if (id != none) {
    trace.functions[id].status = entry.status;
    trace.functions[id].lastGoodStage = std::max(0, stage - 1);
  }
  if (entry.status != trace::FunctionStatus::skipped) {
    trace::RejectionEvent event;
    event.cause = entry.cause;
    event.message = entry.message;
    recorder.add(function, nullptr, {}, std::move(event));
  }
  setAside(function, shown, stage, entry.message);
}

/// A pass may erase a function that nobody calls, or put another in its place.
void StageRunner::forgetErasedStandIns() {
  if (aside.empty())
    return;
  llvm::DenseSet<Operation *> alive;
  module->walk([&](func::FuncOp function) { alive.insert(function); });
  for (SetAside &entry : aside) {
    if (!entry.standIn || alive.contains(entry.standIn))
      continue;
    recorder.unignore(entry.standIn);
    entry.standIn = nullptr;
  }
}

void StageRunner::setAsideQuarantined(int stage) {
  for (const Quarantined &entry : options.quarantine) {
    if (entry.chunk != chunk || entry.stage != stage || entry.runsStage)
      continue;
    func::FuncOp function = findFunction(entry.function);
    if (function && !function.isExternal())
      setAside(entry, function, function->clone(), stage);
  }
}

/// Asks for another run without the functions that may kill the stage.
bool StageRunner::refuseUnsafe(int stage) {
  module.walk([&](func::FuncOp function) {
    if (recorder.isIgnored(function) || !findUnsafeFold(function))
      return;
    Quarantined entry;
    entry.chunk = chunk;
    entry.function = titleOf(function);
    entry.stage = stage;
    entry.message = "folding memref.dim reads past the operands of the subview";
    result.retry.push_back(std::move(entry));
  });
  return !result.retry.empty();
}

void StageRunner::keepQuarantined(int stage) {
  for (const Quarantined &entry : options.quarantine) {
    if (entry.chunk != chunk || entry.stage != stage || !entry.runsStage)
      continue;
    func::FuncOp function = findFunction(entry.function);
    if (function && !function.isExternal())
      spoiled.push_back({&entry, function, function->clone()});
  }
}

void StageRunner::dropInvalid(int stage) {
  for (Spoiled &entry : spoiled)
    setAside(*entry.entry, entry.function, entry.before, stage);
  spoiled.clear();
}

/// Finds the function that made a stage fail, to run again without it.
void StageRunner::blame(int stage, const StageError &error, bool ranThrough) {
  Quarantined entry;
  entry.chunk = chunk;
  entry.stage = stage;
  entry.runsStage = ranThrough;
  entry.status = trace::FunctionStatus::rejected;
  entry.message = error.message.empty() ? "the stage failed" : error.message;
  entry.cause = trace::RejectionCause::stageFailed;
  entry.offset = error.offset;
  ScopedDiagnosticHandler silence(module.getContext(),
                                  [](Diagnostic &) { return success(); });
  module.walk([&](func::FuncOp function) {
    if (recorder.isIgnored(function) || failed(verify(function)) == false)
      return;
    entry.cause = trace::RejectionCause::invalidIr;
    entry.function = titleOf(function);
    result.retry.push_back(entry);
  });
  if (!result.retry.empty())
    return;
  for (Id id : trace.chunks[chunk].functions) {
    const trace::Function &function = trace.functions[id];
    if (error.offset >= 0 && function.range.contains(uint32_t(error.offset))) {
      entry.function = function.title();
      result.retry.push_back(entry);
      return;
    }
  }
  // Nobody can be named: the chunk ends here.
  entry.function.clear();
  result.retry.push_back(entry);
}

//===--- Leaving out large functions --------------------------------------===//

/// Later stages need nothing of what these do.
bool StageRunner::onlySimplifies(int stage) const {
  return isPass(stage, "canonicalize") || isPass(stage, "cse") ||
         isPass(stage, trace::simplificationPass);
}

std::vector<LeftOut> StageRunner::leaveOutLarge(int stage) {
  std::vector<LeftOut> large;
  const int64_t limit = trace.options.skipSimplificationOver;
  if (limit == 0 || !onlySimplifies(stage))
    return large;
  for (func::FuncOp function : functionsWithBody()) {
    int64_t ops = 0;
    function.getBody().walk([&](Operation *) { ++ops; });
    Id id = recorder.functionOf(function);
    if (ops <= limit || id == none)
      continue;
    auto &[mostOps, stages] = leftOut[id];
    mostOps = std::max(mostOps, ops);
    stages.emplace_back(trace::stageName(trace.options, stage));
    Operation *declaration = function->cloneWithoutRegions();
    function->getBlock()->getOperations().insert(function->getIterator(),
                                                 declaration);
    function->remove();
    large.push_back({function, declaration});
  }
  return large;
}

void StageRunner::tellLeftOut() {
  for (const auto &[id, entry] : leftOut) {
    std::vector<std::string> names;
    for (const std::string &name : entry.second)
      if (!llvm::is_contained(names, name))
        names.push_back(name);
    const trace::Function &function = trace.functions[id];
    trace::Problem problem;
    problem.severity = trace::Severity::warning;
    problem.message =
        "@" + function.title() + " was left out of " + llvm::join(names, ", ") +
        ": it has " + std::to_string(entry.first) + " ops, more than the " +
        std::to_string(trace.options.skipSimplificationOver) +
        " of skip-simplification-over; MLIR simplifies it, so checks, copies "
        "and dead code that MLIR drops are still shown";
    problem.range = function.nameRange;
    problem.chunk = chunk;
    problem.function = id;
    problem.remedy = "for what MLIR makes, run without that option";
    trace.problems.push_back(std::move(problem));
  }
}

//===--- Text -------------------------------------------------------------===//

std::string StageRunner::print(StageText form) {
  if (options.showStandIns)
    return printAsUpstream(module);
  // Functions that were set aside are shown as their last good stage left them.
  for (SetAside &entry : aside) {
    if (!entry.standIn)
      continue;
    entry.standIn->getBlock()->getOperations().insert(
        entry.standIn->getIterator(), entry.original);
    entry.standIn->remove();
  }
  // A function as a stage before left it was accepted, but not all were asked.
  const Verified verified =
      isVerified && aside.empty() ? Verified::yes : Verified::unknown;
  std::string text =
      form == StageText::upstream
          ? printAsUpstream(module, verified)
          : printWithSourceNames(module, trace, options.start, verified);
  for (SetAside &entry : aside) {
    if (!entry.standIn)
      continue;
    entry.original->getBlock()->getOperations().insert(
        entry.original->getIterator(), entry.standIn);
    entry.original->remove();
  }
  return text;
}

void StageRunner::recordText(int stage) {
  if (stage == 0)
    recorder.adopt(module);
  trace::Stage entry;
  entry.number = stage;
  entry.name = std::string(trace::stageName(trace.options, stage));
  std::string text;
  if (options.text != StageText::none)
    text = print(options.text);
  for (const SetAside &set : aside) {
    if (options.showStandIns || set.function == none || set.why.empty() ||
        !set.standIn)
      continue;
    std::string comment =
        set.stage == 0
            ? "not analysed: " + set.why
            : "refused by " +
                  std::string(trace::stageName(trace.options, set.stage)) +
                  ": " + set.why + "; shown as the stage before left it";
    std::replace(comment.begin(), comment.end(), '\n', ' ');
    text = annotateFunction(std::move(text), trace.functions[set.function].name,
                            comment);
  }
  entry.changed = stage == 0 || text != previousText;
  if (options.text == StageText::upstream)
    result.upstreamTexts.push_back(text);
  else if (entry.changed)
    trace::keepText(entry, previousText, text);
  previousText = std::move(text);
  if (stage > 0) {
    entry.agreement = verdict.agreement;
    entry.difference = verdict.difference;
  }
  if (stage > 0)
    recorder.add(nullptr, nullptr, {}, trace::StageEvent{entry.changed});
  trace.chunks[chunk].stages.push_back(std::move(entry));
}

} // namespace memreflens
