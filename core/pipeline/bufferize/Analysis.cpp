//===- core/pipeline/bufferize/Analysis.cpp -------------------------------===//

#include "core/pipeline/bufferize/Analysis.h"

#include "mlir/Dialect/Bufferization/Transforms/OneShotModuleBufferize.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::bufferization;

namespace memreflens::bufferize {

namespace {
/// Functions of one module with those that they call.
class Functions {
public:
  explicit Functions(ModuleOp module);

  size_t size() const { return order.size(); }
  /// The module with the first `count` of the order, and what they call.
  OwningOpRef<ModuleOp> first(size_t count) const;

private:
  using Set = llvm::SetVector<Operation *>;
  void add(Operation *function);

  ModuleOp module;
  llvm::DenseMap<Operation *, Set> callees;
  /// Callees first, then in program order.
  Set order;
};
} // namespace

Functions::Functions(ModuleOp module) : module(module) {
  SymbolTable symbols(module);
  module->walk([&](CallOpInterface call) {
    auto caller = call->getParentOfType<func::FuncOp>();
    auto name = dyn_cast<SymbolRefAttr>(call.getCallableForCallee());
    if (!caller || !name)
      return;
    if (Operation *callee = symbols.lookup(name.getRootReference()))
      callees[caller].insert(callee);
  });
  for (auto function : module.getOps<func::FuncOp>())
    add(function);
}

/// Callees first; recursive ones as they are met.
void Functions::add(Operation *function) {
  Set entered;
  SmallVector<std::pair<Operation *, size_t>> path;
  auto enter = [&](Operation *next) {
    if (!order.contains(next) && entered.insert(next))
      path.push_back({next, 0});
  };
  enter(function);
  while (!path.empty()) {
    auto &[at, next] = path.back();
    auto called = callees.find(at);
    if (called != callees.end() && next < called->second.size()) {
      enter(called->second[next++]);
      continue;
    }
    order.insert(at);
    path.pop_back();
  }
}

OwningOpRef<ModuleOp> Functions::first(size_t count) const {
  Set kept;
  kept.insert_range(llvm::ArrayRef(order.getArrayRef()).take_front(count));
  for (size_t at = 0; at < kept.size(); ++at)
    if (auto called = callees.find(kept[at]); called != callees.end())
      kept.insert(called->second.begin(), called->second.end());
  auto part = cast<ModuleOp>(module->cloneWithoutRegions());
  OpBuilder builder(part.getContext());
  builder.createBlock(&part.getBodyRegion());
  for (Operation &op : module->getRegion(0).front())
    if (!isa<func::FuncOp>(op) || kept.contains(&op))
      builder.clone(op);
  return part;
}

static LogicalResult analyzeHeld(Operation *module, OneShotAnalysisState &state,
                                 std::vector<Diagnostic> &said) {
  said.clear();
  ScopedDiagnosticHandler handler(module->getContext(),
                                  [&](Diagnostic &diagnostic) {
                                    said.push_back(std::move(diagnostic));
                                    return success();
                                  });
  return analyzeModuleOp(module, state);
}

/// The fewest functions in order that are rejected: what is said of them is
/// said of the last.
static void findFirstRejected(ModuleOp module,
                              const OneShotBufferizationOptions &options,
                              std::vector<Diagnostic> &said) {
  const Functions functions(module);
  size_t accepted = 0, rejected = functions.size();
  while (accepted + 1 < rejected) {
    const size_t middle = (accepted + rejected) / 2;
    OwningOpRef<ModuleOp> part = functions.first(middle);
    OneShotAnalysisState state(*part, options);
    std::vector<Diagnostic> saidOfPart;
    if (succeeded(analyzeHeld(*part, state, saidOfPart))) {
      accepted = middle;
      continue;
    }
    rejected = middle;
    said = std::move(saidOfPart);
  }
}

LogicalResult analyze(ModuleOp module,
                      const OneShotBufferizationOptions &options,
                      OneShotAnalysisState &state) {
  if (!options.bufferizeFunctionBoundaries)
    return analyzeOp(module, state);
  std::vector<Diagnostic> said;
  const LogicalResult result = analyzeHeld(module, state, said);
  if (failed(result))
    findFirstRejected(module, options, said);
  for (Diagnostic &diagnostic : said)
    module.getContext()->getDiagEngine().emit(std::move(diagnostic));
  return result;
}

} // namespace memreflens::bufferize
