//===- core/pipeline/bufferize/PassOptionFields.h - as the pass has them --===//
//
// The options of `one-shot-bufferize{...}`, for whoever takes them as text: our
// reader of it, and our pass of the same options.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_PIPELINE_BUFFERIZE_PASSOPTIONFIELDS_H
#define MEMREFLENS_PIPELINE_BUFFERIZE_PASSOPTIONFIELDS_H

#include "mlir/Dialect/Bufferization/Transforms/OneShotAnalysis.h"
#include "mlir/Pass/PassOptions.h"

namespace memreflens::bufferize {

/// `Parent` has templates `Option` and `ListOption`, and takes part of their
/// construction: `detail::PassOptions`, or a pass.
template <typename Parent> struct PassOptionFields {
  explicit PassOptionFields(Parent &parent) : parent(parent) {}

  using LayoutMapOption = mlir::bufferization::LayoutMapOption;
  template <typename Type>
  using Option = typename Parent::template Option<Type>;
  using Names = typename Parent::template ListOption<std::string>;
  using Layout = Option<LayoutMapOption>;

  static llvm::cl::desc says(const char *words) { return {words}; }
  static llvm::cl::ValuesClass layouts() {
    return llvm::cl::values(
        clEnumValN(LayoutMapOption::InferLayoutMap, "infer-layout-map", ""),
        clEnumValN(LayoutMapOption::IdentityLayoutMap, "identity-layout-map",
                   ""),
        clEnumValN(LayoutMapOption::FullyDynamicLayoutMap,
                   "fully-dynamic-layout-map", ""));
  }

  Parent &parent;
  Option<bool> allowReturnAllocs{parent, "allow-return-allocs-from-loops",
                                 says("Loops may yield new buffers")};
  Option<bool> allowUnknownOps{parent, "allow-unknown-ops",
                               says("Ops that cannot be bufferized stay")};
  Option<unsigned> seed{parent, "analysis-fuzzer-seed",
                        says("Of the heuristic `fuzzer`")};
  Option<std::string> heuristic{
      parent, "analysis-heuristic",
      says("In which order operands are decided: bottom-up, top-down, "
           "bottom-up-from-terminators or fuzzer"),
      llvm::cl::init("bottom-up")};
  Option<bool> boundaries{parent, "bufferize-function-boundaries",
                          says("Functions, calls and returns as well")};
  Option<bool> checkParallel{parent, "check-parallel-regions",
                             says("Copies what threads would share"),
                             llvm::cl::init(true)};
  Option<bool> copyBeforeWrite{parent, "copy-before-write",
                               says("No analysis: each write copies")};
  Names dialects{parent, "dialect-filter", says("Only ops of these dialects")};
  Option<bool> dumpAliasSets{parent, "dump-alias-sets",
                             says("With test-analysis-only: alias sets")};
  Names notAnalysed{parent, "no-analysis-func-filter",
                    says("Functions in which each write copies")};
  Layout boundaryLayout{parent, "function-boundary-type-conversion",
                        says("Layouts of arguments and results"),
                        llvm::cl::init(LayoutMapOption::InferLayoutMap),
                        layouts()};
  Option<bool> mustInferSpace{parent, "must-infer-memory-space",
                              says("No default memory space")};
  Option<bool> encodingIsSpace{parent, "use-encoding-for-memory-space",
                               says("Encodings of tensors are memory spaces")};
  Option<bool> onlyAnalyses{parent, "test-analysis-only",
                            says("Attributes for decisions, and no buffers")};
  Option<bool> printConflicts{parent, "print-conflicts",
                              says("With test-analysis-only: conflicts")};
  Layout unknownLayout{
      parent, "unknown-type-conversion", says("Layouts that nothing tells"),
      llvm::cl::init(LayoutMapOption::FullyDynamicLayoutMap), layouts()};
  Option<uint64_t> alignment{parent, "buffer-alignment",
                             says("Of new buffers, in bytes"),
                             llvm::cl::init(64)};
};

} // namespace memreflens::bufferize

#endif // MEMREFLENS_PIPELINE_BUFFERIZE_PASSOPTIONFIELDS_H
