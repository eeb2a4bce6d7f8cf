//===- cli/Check.cpp - one file, checked ----------------------------------===//

#include "cli/Check.h"
#include "cli/Input.h"
#include "core/Version.h"
#include "core/check/Collect.h"
#include "core/check/Formats.h"
#include "core/check/Rules.h"
#include "core/check/explore/Explore.h"
#include "core/pipeline/Preflight.h"
#include "core/source/Identity.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include <map>

using namespace mlir;

namespace memreflens {

namespace {
/// Looks at a file's modules before and after the pipeline.
class ModuleChecker {
public:
  explicit ModuleChecker(const CheckOptions &options) : options(options) {}

  void look(trace::Id chunk, ModuleOp module, bool isFinal,
            const trace::Trace &trace);
  CheckInputs take();

private:
  struct Chunk {
    std::vector<AlsoRefused> refused;
    std::vector<Explored> input, output;
  };
  void lookAtInput(Chunk &chunk, FunctionOpInterface function,
                   const trace::Trace &trace);
  void lookAtOutput(Chunk &chunk, FunctionOpInterface function,
                    const trace::Trace &trace);
  ExploreResult run(FunctionOpInterface function, const trace::Trace &trace,
                    ExploreOptions explore);

  const CheckOptions &options;
  /// A chunk that is run again starts anew.
  std::map<trace::Id, Chunk> chunks;
};
} // namespace

ExploreResult ModuleChecker::run(FunctionOpInterface function,
                                 const trace::Trace &trace,
                                 ExploreOptions explore) {
  explore.loopBound = options.bound;
  // The first of two tries.
  explore.maxSteps = options.maxSteps / 2;
  explore.seconds = options.seconds / 2;
  ExploreResult result = memreflens::explore(function, trace, explore);
  if (result.stopped.empty() || !result.faults.empty())
    return result;
  // Each callee is checked by itself: go on without running them here.
  explore.callsByBoundary = true;
  ExploreResult simpler = memreflens::explore(function, trace, explore);
  return simpler.stopped.empty() || !simpler.faults.empty() ? simpler : result;
}

static bool freesByHand(FunctionOpInterface function) {
  return function
      ->walk([](Operation *op) {
        bool frees =
            isa<bufferization::DeallocOp>(op) ||
            (hasEffect<MemoryEffects::Free>(op) && !isa<memref::ReallocOp>(op));
        return frees ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

/// What is nowhere freed by hand is the pipeline's to free, and no leak.
static void dropPlannedLeaks(ExploreResult &result) {
  llvm::erase_if(result.faults, [](const MemoryFault &fault) {
    return fault.kind == FaultKind::leak && !fault.isFreedElsewhere;
  });
}

void ModuleChecker::lookAtInput(Chunk &chunk, FunctionOpInterface function,
                                const trace::Trace &trace) {
  for (RefusedOp &entry : refusedOps(function))
    chunk.refused.push_back(
        {entry.op, entry.refusal.cause, entry.refusal.message, entry.remedies});
  if (!freesByHand(function))
    return;
  ExploreOptions explore;
  explore.callResultsOwned = false;
  explore.resultsOwned = false;
  // Most are dropped again.
  explore.maxFaults = 1000;
  trace::Id id = taggedOp(function->getLoc());
  for (const trace::Function &known : trace.functions)
    if (known.op == id && id != trace::none) {
      Explored entry{known.id, true, run(function, trace, explore)};
      dropPlannedLeaks(entry.result);
      chunk.input.push_back(std::move(entry));
    }
}

void ModuleChecker::lookAtOutput(Chunk &chunk, FunctionOpInterface function,
                                 const trace::Trace &trace) {
  trace::Id id = taggedOp(function->getLoc());
  for (const trace::Function &known : trace.functions) {
    if (id == trace::none || known.op != id)
      continue;
    bool isReady = known.status == trace::FunctionStatus::traced ||
                   known.status == trace::FunctionStatus::notProcessed;
    if (!isReady)
      continue;
    ExploreOptions explore;
    explore.dynamicOwnership = known.dynamicOwnership;
    explore.dynamicCalls = trace.options.privateFunctionDynamicOwnership;
    chunk.output.push_back({known.id, false, run(function, trace, explore)});
  }
}

void ModuleChecker::look(trace::Id chunk, ModuleOp module, bool isFinal,
                         const trace::Trace &trace) {
  if (!isFinal)
    chunks[chunk] = {};
  module->walk<WalkOrder::PreOrder>([&](FunctionOpInterface function) {
    if (function.isExternal())
      return;
    if (isFinal)
      lookAtOutput(chunks[chunk], function, trace);
    else
      lookAtInput(chunks[chunk], function, trace);
  });
}

CheckInputs ModuleChecker::take() {
  CheckInputs inputs;
  for (auto &[id, chunk] : chunks) {
    llvm::move(chunk.refused, std::back_inserter(inputs.refused));
    llvm::move(chunk.input, std::back_inserter(inputs.explored));
    llvm::move(chunk.output, std::back_inserter(inputs.explored));
  }
  return inputs;
}

static bool isUnreadable(const trace::Trace &trace) {
  return !trace.problems.empty() &&
         llvm::none_of(trace.chunks,
                       [](const trace::Chunk &chunk) { return chunk.parsed; });
}

FileReport checkSource(const trace::Source &source,
                       const DialectRegistry &registry,
                       const CheckOptions &check, AnalysisOptions analysis) {
  ModuleChecker checker(check);
  analysis.text = StageText::none;
  analysis.onModule = [&](trace::Id chunk, ModuleOp module, bool isFinal,
                          const trace::Trace &trace) {
    checker.look(chunk, module, isFinal, trace);
  };
  Analysis result = analyse(source, registry, analysis);
  Lookup lookup(result.trace);
  FileReport report = collectFindings(lookup, checker.take());
  report.unreadable = isUnreadable(result.trace);
  llvm::erase_if(report.findings, [&](const Finding &finding) {
    const Rule *rule = findRule(finding.rule);
    return rule && !isWanted(*rule, check.rules);
  });
  printProblems(result.trace, false);
  return report;
}

bool writeReport(const FileReport &report, const std::string &path) {
  return writeOutput(path, [&](std::ostream &out) {
    out << asJson({{report}, std::nullopt, toolVersion});
  });
}

} // namespace memreflens
