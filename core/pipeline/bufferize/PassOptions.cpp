//===- core/pipeline/bufferize/PassOptions.cpp ----------------------------===//

#include "core/pipeline/bufferize/PassOptions.h"
#include "core/pipeline/bufferize/PassOptionFields.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using bufferization::LayoutMapOption;
using bufferization::OneShotBufferizationOptions;
using Heuristic = OneShotBufferizationOptions::AnalysisHeuristic;

namespace memreflens::bufferize {

namespace {
/// What is written, read.
struct Written : PassPipelineOptions<Written> {
  PassOptionFields<mlir::detail::PassOptions> fields{*this};
};
} // namespace

using Fields = PassOptionFields<mlir::detail::PassOptions>;

/// What of the options excludes each other, in the pass's words and order.
static std::string contradictionIn(const Fields &written) {
  if (written.mustInferSpace && written.encodingIsSpace)
    return "only one of 'must-infer-memory-space' and "
           "'use-encoding-for-memory-space' are allowed in one-shot-bufferize";
  if (written.unknownLayout == LayoutMapOption::InferLayoutMap)
    return "Invalid option: 'infer-layout-map' is not a valid value for "
           "'unknown-type-conversion'";
  if (written.copyBeforeWrite && written.onlyAnalyses)
    return "Invalid option: 'copy-before-write' cannot be used with "
           "'test-analysis-only'";
  if (written.printConflicts && !written.onlyAnalyses)
    return "Invalid option: 'print-conflicts' requires 'test-analysis-only'";
  if (written.dumpAliasSets && !written.onlyAnalyses)
    return "Invalid option: 'dump-alias-sets' requires 'test-analysis-only'";
  if (!written.boundaries && !written.notAnalysed.empty())
    return "Invalid option: 'no-analysis-func-filter' requires "
           "'bufferize-function-boundaries'";
  return {};
}

/// Nothing for a name that upstream does not know either, and dies of.
static std::optional<Heuristic> heuristicNamed(llvm::StringRef name) {
  if (name == "bottom-up")
    return Heuristic::BottomUp;
  if (name == "top-down")
    return Heuristic::TopDown;
  if (name == "bottom-up-from-terminators")
    return Heuristic::BottomUpFromTerminators;
  if (name == "fuzzer")
    return Heuristic::Fuzzer;
  return std::nullopt;
}

static void setTypes(const Fields &written,
                     OneShotBufferizationOptions &steps) {
  steps.setFunctionBoundaryTypeConversion(written.boundaryLayout);
  const bool isIdentity =
      written.unknownLayout == LayoutMapOption::IdentityLayoutMap;
  steps.unknownTypeConverterFn =
      [isIdentity](TensorType type, Attribute space,
                   const bufferization::BufferizationOptions &) {
        using namespace bufferization;
        return isIdentity ? getMemRefTypeWithStaticIdentityLayout(type, space)
                          : getMemRefTypeWithFullyDynamicLayout(type, space);
      };
  if (written.mustInferSpace)
    steps.defaultMemorySpaceFn = [](TensorType) { return std::nullopt; };
  if (written.encodingIsSpace)
    steps.defaultMemorySpaceFn =
        [](TensorType type) -> std::optional<Attribute> {
      if (auto ranked = dyn_cast<RankedTensorType>(type))
        return ranked.getEncoding();
      return std::nullopt;
    };
}

static void setFilter(const Fields &written,
                      OneShotBufferizationOptions &steps) {
  std::vector<std::string> dialects(written.dialects.begin(),
                                    written.dialects.end());
  steps.opFilter.allowOperation([dialects](Operation *op) {
    return dialects.empty() ||
           llvm::is_contained(dialects,
                              op->getName().getDialectNamespace().str());
  });
}

std::string readPassOptions(llvm::StringRef text, PassOptions &made) {
  Written all;
  const Fields &written = all.fields;
  std::string said;
  llvm::raw_string_ostream errors(said);
  if (failed(all.parseFromString(text, errors)))
    return llvm::StringRef(said).trim().str();
  if (std::string fault = contradictionIn(written); !fault.empty())
    return fault;
  std::optional<Heuristic> heuristic = heuristicNamed(written.heuristic);
  if (!heuristic)
    return "there is no analysis-heuristic '" + written.heuristic + "'";
  OneShotBufferizationOptions &steps = made.steps;
  made.notAnalysed.assign(written.notAnalysed.begin(),
                          written.notAnalysed.end());
  steps.noAnalysisFuncFilter = made.notAnalysed;
  steps.allowReturnAllocsFromLoops = written.allowReturnAllocs;
  steps.allowUnknownOps = written.allowUnknownOps;
  steps.analysisFuzzerSeed = written.seed;
  steps.analysisHeuristic = *heuristic;
  steps.bufferizeFunctionBoundaries = written.boundaries;
  steps.checkParallelRegions = written.checkParallel;
  steps.copyBeforeWrite = written.copyBeforeWrite;
  steps.dumpAliasSets = written.dumpAliasSets;
  steps.testAnalysisOnly = written.onlyAnalyses;
  steps.printConflicts = written.printConflicts;
  steps.bufferAlignment = unsigned(written.alignment);
  setTypes(written, steps);
  setFilter(written, steps);
  return {};
}

} // namespace memreflens::bufferize
