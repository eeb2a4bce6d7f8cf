//===- core/pipeline/stages/Skipped.cpp -----------------------------------===//

#include "core/pipeline/stages/Skipped.h"
#include "core/pipeline/stages/Canonicalize.h"
#include "core/pipeline/stages/StandIn.h"
#include "core/trace/Plan.h"

#include "core/trace/Symbol.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace memreflens {

using trace::Id;
using trace::none;

//===--- Setting functions aside ------------------------------------------===//

SkippedFunctions::~SkippedFunctions() {
  for (Skipped &entry : aside)
    entry.original->erase();
}

std::vector<func::FuncOp> SkippedFunctions::others() const {
  std::vector<func::FuncOp> functions;
  ModuleOp(module).walk([&](func::FuncOp function) {
    if (!function.isExternal() && !recorder.isIgnored(function))
      functions.push_back(function);
  });
  return functions;
}

func::FuncOp SkippedFunctions::find(llvm::StringRef name) const {
  func::FuncOp found;
  ModuleOp(module).walk([&](func::FuncOp function) {
    if (titleOf(function) == name && !recorder.isIgnored(function))
      found = function;
  });
  return found;
}

std::string SkippedFunctions::titleOf(func::FuncOp function) const {
  Id id = recorder.functionOf(function);
  return id == none ? function.getSymName().str() : trace.functions[id].title();
}

void SkippedFunctions::setAside(func::FuncOp function, Operation *shown,
                                int stage, std::string why) {
  Id id = recorder.functionOf(function);
  // New blocks may come to lie where the old ones were.
  function->walk([&](Block *block) { recorder.forget(block); });
  makeStandIn(function);
  recorder.ignore(function);
  aside.push_back({SkipReason::rejected, id, shown, function, stage,
                   std::move(why), nullptr});
}

void SkippedFunctions::setAside(const Quarantined &entry, func::FuncOp function,
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

func::FuncOp SkippedFunctions::reject(func::FuncOp function,
                                      Operation *before) {
  const auto *why =
      std::get_if<trace::RejectionEvent>(&trace.events.back().detail);
  if (Id id = recorder.functionOf(function); id != none) {
    trace.functions[id].status = trace::FunctionStatus::rejected;
    trace.functions[id].lastGoodStage = recorder.getStage() - 1;
  }
  setAside(function, before, recorder.getStage(),
           why ? why->message : "rejected");
  return cast<func::FuncOp>(aside.back().standIn);
}

void SkippedFunctions::forgetErased() {
  if (aside.empty())
    return;
  llvm::DenseSet<Operation *> alive;
  module->walk([&](func::FuncOp function) { alive.insert(function); });
  for (Skipped &entry : aside) {
    if (!entry.standIn || alive.contains(entry.standIn))
      continue;
    recorder.unignore(entry.standIn);
    entry.standIn = nullptr;
  }
}

void SkippedFunctions::skipKnown(int stage) {
  for (const Quarantined &entry : options.quarantine) {
    if (entry.chunk != chunk || entry.stage != stage || entry.runsStage)
      continue;
    func::FuncOp function = find(entry.function);
    if (function && !function.isExternal())
      setAside(entry, function, function->clone(), stage);
  }
}

bool SkippedFunctions::rejectUnsafe(int stage) {
  module.walk([&](func::FuncOp function) {
    if (recorder.isIgnored(function) || !findUnsafeFold(function))
      return;
    Quarantined entry;
    entry.chunk = chunk;
    entry.function = titleOf(function);
    entry.stage = stage;
    entry.message = "folding memref.dim reads past the operands of the subview";
    retry.push_back(std::move(entry));
  });
  return !retry.empty();
}

void SkippedFunctions::keepSpoiled(int stage) {
  for (const Quarantined &entry : options.quarantine) {
    if (entry.chunk != chunk || entry.stage != stage || !entry.runsStage)
      continue;
    func::FuncOp function = find(entry.function);
    if (function && !function.isExternal())
      spoiled.push_back({SkipReason::spoiled,
                         recorder.functionOf(function),
                         function->clone(),
                         function,
                         stage,
                         {},
                         &entry});
  }
}

void SkippedFunctions::dropSpoiled() {
  for (Skipped &entry : spoiled)
    setAside(*entry.known, cast<func::FuncOp>(entry.standIn), entry.original,
             entry.stage);
  spoiled.clear();
}

void SkippedFunctions::blame(int stage, const StageError &error,
                             bool ranThrough) {
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
    retry.push_back(entry);
  });
  if (!retry.empty())
    return;
  // Not of one function alone: a caller that is none, say.
  if (failed(verify(module)))
    entry.cause = trace::RejectionCause::invalidIr;
  for (Id id : trace.chunks[chunk].functions) {
    const trace::Function &function = trace.functions[id];
    if (error.offset >= 0 && function.range.contains(uint32_t(error.offset))) {
      entry.function = function.title();
      retry.push_back(entry);
      return;
    }
  }
  // Nobody can be named: the chunk ends here.
  entry.function.clear();
  retry.push_back(entry);
}

//===--- Leaving out large functions --------------------------------------===//

/// Later stages need nothing of what these do.
static bool onlySimplifies(const trace::RunOptions &run, int stage) {
  return isPass(run, stage, upstream::canonicalizePass) ||
         isPass(run, stage, upstream::csePass) ||
         isPass(run, stage, trace::simplificationPass);
}

void SkippedFunctions::takeOutLarge(int stage) {
  const int64_t limit = trace.options.skipSimplificationOver;
  if (limit == 0 || !onlySimplifies(trace.options, stage))
    return;
  for (func::FuncOp function : others()) {
    int64_t ops = 0;
    function.getBody().walk([&](Operation *) { ++ops; });
    Id id = recorder.functionOf(function);
    if (ops <= limit || id == none)
      continue;
    auto &[mostOps, stages] = tooLarge[id];
    mostOps = std::max(mostOps, ops);
    stages.emplace_back(trace::stageName(trace.options, stage));
    Operation *declaration = function->cloneWithoutRegions();
    function->getBlock()->getOperations().insert(function->getIterator(),
                                                 declaration);
    function->remove();
    large.push_back(
        {SkipReason::tooLarge, id, function, declaration, stage, {}, nullptr});
  }
}

void SkippedFunctions::putBackLarge() {
  for (Skipped &entry : large) {
    entry.standIn->getBlock()->getOperations().insert(
        entry.standIn->getIterator(), entry.original);
    entry.standIn->erase();
  }
  large.clear();
}

void SkippedFunctions::tellLarge() {
  for (const auto &[id, entry] : tooLarge) {
    std::vector<std::string> names;
    for (const std::string &name : entry.second)
      if (!llvm::is_contained(names, name))
        names.push_back(name);
    const trace::Function &function = trace.functions[id];
    trace::Problem problem;
    problem.severity = trace::Severity::warning;
    problem.message = trace::symbolText(function.title()) + " was skipped by " +
                      llvm::join(names, ", ") + ": it has " +
                      std::to_string(entry.first) + " ops, more than the " +
                      std::to_string(trace.options.skipSimplificationOver) +
                      " of skip-simplification-over; MLIR simplifies it, so "
                      "alias checks, clones "
                      "and dead code that MLIR drops are still shown";
    problem.range = function.nameRange;
    problem.chunk = chunk;
    problem.function = id;
    problem.remedy = "for what MLIR makes, run without that option";
    trace.problems.push_back(std::move(problem));
  }
}

//===--- Showing them -----------------------------------------------------===//

std::string SkippedFunctions::shown(llvm::function_ref<std::string()> print) {
  // Puts one into the place of the other.
  auto swap = [&](Operation *Skipped::*in, Operation *Skipped::*out) {
    for (Skipped &entry : aside) {
      if (!entry.standIn)
        continue;
      Operation *there = entry.*out;
      there->getBlock()->getOperations().insert(there->getIterator(),
                                                entry.*in);
      there->remove();
    }
  };
  // As their last good stage left them.
  swap(&Skipped::original, &Skipped::standIn);
  std::string text = print();
  swap(&Skipped::standIn, &Skipped::original);
  return text;
}

} // namespace memreflens
