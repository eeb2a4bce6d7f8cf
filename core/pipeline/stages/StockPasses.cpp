//===- core/pipeline/stages/StockPasses.cpp -------------------------------===//

#include "core/pipeline/stages/StockPasses.h"
#include "core/trace/Plan.h"

#include "mlir/Pass/PassRegistry.h"
#include "llvm/ADT/StringSet.h"

namespace memreflens {

/// Those that registerPipelinePasses (upstream/PassNames.h) registers, without
/// the passes of the pipeline itself.
static const llvm::StringSet<> &pipelinePasses() {
  static const llvm::StringSet<> known = {
      // Of any dialect.
      "control-flow-sink", "inline", "loop-invariant-code-motion",
      "loop-invariant-subset-hoisting", "mem2reg", "remove-dead-values", "sccp",
      "sroa", "symbol-dce", "symbol-privatize",
      // Bufferization and buffers.
      "buffer-hoisting", "buffer-loop-hoisting", "buffer-results-to-out-params",
      "drop-equivalent-buffer-results", "eliminate-empty-tensors",
      "empty-tensor-to-alloc-tensor", "expand-strided-metadata",
      "flatten-memref", "fold-memref-alias-ops", "normalize-memrefs",
      "one-shot-bufferize", "optimize-allocation-liveness",
      "promote-buffers-to-stack", "reify-result-shapes",
      "resolve-ranked-shaped-type-result-dims",
      "resolve-shaped-type-result-dims"};
  return known;
}

/// Those that a program has to register.
static const llvm::StringSet<> &otherPasses() {
  static const llvm::StringSet<> known = {"affine-loop-fusion",
                                          "affine-loop-invariant-code-motion",
                                          "affine-loop-normalize",
                                          "affine-loop-tile",
                                          "affine-loop-unroll",
                                          "affine-parallelize",
                                          "affine-scalrep",
                                          "affine-simplify-structures",
                                          "convert-elementwise-to-linalg",
                                          "convert-linalg-to-affine-loops",
                                          "convert-linalg-to-loops",
                                          "convert-linalg-to-parallel-loops",
                                          "convert-scf-to-cf",
                                          "convert-tensor-to-linalg",
                                          "convert-vector-to-scf",
                                          "int-range-optimizations",
                                          "lift-cf-to-scf",
                                          "linalg-detensorize",
                                          "linalg-fold-unit-extent-dims",
                                          "linalg-fuse-elementwise-ops",
                                          "linalg-generalize-named-ops",
                                          "linalg-inline-scalar-operands",
                                          "linalg-specialize-generic-ops",
                                          "lower-affine",
                                          "scf-for-loop-canonicalization",
                                          "scf-for-to-while",
                                          "scf-forall-to-for",
                                          "scf-forall-to-parallel",
                                          "scf-parallel-loop-fusion"};
  return known;
}

bool isMadeHere(llvm::StringRef pass) {
  std::string_view name = trace::passName(std::string_view(pass));
  return upstream::isOfPipeline(name) || name == trace::classicPass ||
         pipelinePasses().contains(name) ||
         (otherPasses().contains(name) && mlir::PassInfo::lookup(name));
}

} // namespace memreflens
