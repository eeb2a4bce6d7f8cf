//===- core/pipeline/record/FreshCalls.cpp --------------------------------===//

#include "core/pipeline/record/FreshCalls.h"
#include "core/trace/Assumed.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;

namespace memreflens {

bool statesFreshResults(Operation *module, const trace::RunOptions &run) {
  if (!run.freshResults.empty())
    return true;
  return module
      ->walk<WalkOrder::PreOrder>([](FunctionOpInterface function) {
        return function->hasAttr(freshResultsAttribute)
                   ? WalkResult::interrupt()
                   : WalkResult::skip();
      })
      .wasInterrupted();
}

bool isStated(Operation *op, StringRef attribute,
              const std::vector<std::string> &functions,
              SymbolTableCollection &symbols) {
  auto call = dyn_cast<func::CallOp>(op);
  if (!call)
    return false;
  auto callee = dyn_cast_or_null<FunctionOpInterface>(
      symbols.lookupNearestSymbolFrom(op, call.getCalleeAttr()));
  return callee && callee.isExternal() &&
         (callee->hasAttr(attribute) ||
          trace::isNamed(functions, call.getCallee()));
}

bool isFreshCall(Operation *op, const trace::RunOptions &run,
                 SymbolTableCollection &symbols) {
  return isStated(op, freshResultsAttribute, run.freshResults, symbols);
}

} // namespace memreflens
