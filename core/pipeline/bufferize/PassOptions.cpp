//===- core/pipeline/bufferize/PassOptions.cpp ----------------------------===//

#include "core/pipeline/bufferize/PassOptions.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/PassOptions.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using bufferization::LayoutMapOption;
using bufferization::OneShotBufferizationOptions;
using Heuristic = OneShotBufferizationOptions::AnalysisHeuristic;

namespace memreflens::bufferize {

namespace {
/// As the pass declares them.
struct Written : PassPipelineOptions<Written> {
  using Layout = Option<LayoutMapOption>;
  static llvm::cl::ValuesClass layouts() {
    return llvm::cl::values(
        clEnumValN(LayoutMapOption::InferLayoutMap, "infer-layout-map", ""),
        clEnumValN(LayoutMapOption::IdentityLayoutMap, "identity-layout-map",
                   ""),
        clEnumValN(LayoutMapOption::FullyDynamicLayoutMap,
                   "fully-dynamic-layout-map", ""));
  }

  Option<bool> allowReturnAllocs{*this, "allow-return-allocs-from-loops"};
  Option<bool> allowUnknownOps{*this, "allow-unknown-ops"};
  Option<unsigned> seed{*this, "analysis-fuzzer-seed"};
  Option<std::string> heuristic{*this, "analysis-heuristic", llvm::cl::desc(""),
                                llvm::cl::init("bottom-up")};
  Option<bool> boundaries{*this, "bufferize-function-boundaries"};
  Option<bool> checkParallel{*this, "check-parallel-regions",
                             llvm::cl::desc(""), llvm::cl::init(true)};
  Option<bool> copyBeforeWrite{*this, "copy-before-write"};
  ListOption<std::string> dialects{*this, "dialect-filter"};
  Option<bool> dumpAliasSets{*this, "dump-alias-sets"};
  ListOption<std::string> notAnalysed{*this, "no-analysis-func-filter"};
  Layout boundaryLayout{
      *this, "function-boundary-type-conversion", llvm::cl::desc(""),
      llvm::cl::init(LayoutMapOption::InferLayoutMap), layouts()};
  Option<bool> mustInferSpace{*this, "must-infer-memory-space"};
  Option<bool> encodingIsSpace{*this, "use-encoding-for-memory-space"};
  Option<bool> onlyAnalyses{*this, "test-analysis-only"};
  Option<bool> printConflicts{*this, "print-conflicts"};
  Layout unknownLayout{*this, "unknown-type-conversion", llvm::cl::desc(""),
                       llvm::cl::init(LayoutMapOption::FullyDynamicLayoutMap),
                       layouts()};
  Option<uint64_t> alignment{*this, "buffer-alignment", llvm::cl::desc(""),
                             llvm::cl::init(64)};
};
} // namespace

/// What of the options excludes each other, in the pass's words and order.
static std::string contradictionIn(const Written &written) {
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

static void setTypes(const Written &written,
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

static void setFilter(const Written &written,
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
  Written written;
  std::string said;
  llvm::raw_string_ostream errors(said);
  if (failed(written.parseFromString(text, errors)))
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
