//===- core/execute/jit/Lowering.cpp --------------------------------------===//

#include "core/execute/jit/Lowering.h"
#include "core/text/Nesting.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"

using namespace mlir;

namespace memreflens::execute {

/// Nothing in it moves or merges ops, since blocks that count themselves
/// differ: what runs is what the stage has. Metadata and affine twice: what
/// expands the one needs the other.
static constexpr llvm::StringLiteral ourPipeline =
    "expand-realloc,bufferization-lower-deallocations,"
    "convert-bufferization-to-memref,convert-linalg-to-loops,lower-affine,"
    "convert-vector-to-scf,scf-forall-to-for,convert-scf-to-cf,"
    "expand-strided-metadata,lower-affine,func.func(arith-expand),"
    "func.func(memref-expand),convert-complex-to-libm,"
    "convert-complex-to-standard,expand-strided-metadata,lower-affine,"
    "convert-vector-to-llvm,convert-math-to-llvm,convert-math-to-libm,"
    "finalize-memref-to-llvm{use-generic-functions=true},"
    "convert-complex-to-llvm,convert-arith-to-llvm,convert-index-to-llvm,"
    "convert-ub-to-llvm,convert-cf-to-llvm,convert-func-to-llvm,"
    "reconcile-unrealized-casts";

static bool isLowered(Operation *op) {
  return isa<ModuleOp>(op) ||
         (op->getDialect() && isa<LLVM::LLVMDialect>(op->getDialect()));
}

/// The first op that is left, and not a cast between types of both sides: that
/// is there because of others.
static Operation *firstLeft(ModuleOp module) {
  Operation *found = nullptr, *cast = nullptr;
  module->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isLowered(op))
      return WalkResult::advance();
    if (op->getName().getStringRef() == "builtin.unrealized_conversion_cast") {
      cast = cast ? cast : op;
      return WalkResult::advance();
    }
    found = op;
    return WalkResult::interrupt();
  });
  return found ? found : cast;
}

LoweringFault lower(ModuleOp module, const std::string &pipeline) {
  if (std::string problem = nestingProblem(pipeline); !problem.empty())
    return {problem, 0};
  LoweringFault fault;
  ScopedDiagnosticHandler capture(
      module.getContext(), [&](Diagnostic &diagnostic) {
        if (diagnostic.getSeverity() == DiagnosticSeverity::Error &&
            fault.message.empty())
          fault = {diagnostic.str(), siteOf(diagnostic.getLocation())};
        return success();
      });
  PassManager passes(module.getContext(), "builtin.module");
  std::string error;
  llvm::raw_string_ostream errors(error);
  llvm::StringRef text = pipeline;
  if (text.consume_front("builtin.module("))
    text.consume_back(")");
  if (failed(parsePassPipeline(pipeline.empty() ? llvm::StringRef(ourPipeline)
                                                : text,
                               passes, errors)))
    return {"'--lower' is no pass pipeline: " +
                llvm::StringRef(error).trim().str(),
            0};
  if (failed(passes.run(module)) && fault.message.empty())
    fault.message = "a pass fails";
  if (!fault.message.empty())
    return fault;
  if (Operation *left = firstLeft(module))
    return {"'" + left->getName().getStringRef().str() +
                "' is left when all passes have run",
            siteOf(left->getLoc())};
  return {};
}

} // namespace memreflens::execute
