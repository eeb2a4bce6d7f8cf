//===- core/pipeline/bufferize/Calls.cpp ----------------------------------===//

#include "core/pipeline/bufferize/Calls.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Interfaces/CallInterfaces.h"

using namespace mlir;

namespace memreflens::bufferize {

Calls callsIn(ModuleOp module) {
  SymbolTableCollection symbols;
  Calls calls;
  module->walk([&](CallOpInterface call) {
    auto caller = call->getParentOfType<func::FuncOp>();
    auto name = dyn_cast<SymbolRefAttr>(call.getCallableForCallee());
    Operation *callee =
        caller && name ? symbols.lookupNearestSymbolFrom(call, name) : nullptr;
    if (callee)
      calls[caller].insert(callee);
  });
  return calls;
}

bool isRecursive(Operation *function, const Calls &calls) {
  Functions reached = calls.lookup(function);
  for (size_t at = 0; at < reached.size() && !reached.contains(function); ++at)
    if (auto found = calls.find(reached[at]); found != calls.end())
      reached.insert_range(found->second);
  return reached.contains(function);
}

/// Without recursion, since chains of calls may be long.
static void add(Operation *function, const Calls &calls, Functions &order) {
  Functions entered;
  SmallVector<std::pair<Operation *, size_t>> path;
  auto enter = [&](Operation *next) {
    if (!order.contains(next) && entered.insert(next))
      path.push_back({next, 0});
  };
  enter(function);
  while (!path.empty()) {
    auto &[at, next] = path.back();
    auto called = calls.find(at);
    if (called != calls.end() && next < called->second.size()) {
      enter(called->second[next++]);
      continue;
    }
    order.insert(at);
    path.pop_back();
  }
}

Functions calleesFirst(ModuleOp module, const Calls &calls) {
  Functions order;
  for (auto function : module.getOps<func::FuncOp>())
    add(function, calls, order);
  return order;
}

} // namespace memreflens::bufferize
