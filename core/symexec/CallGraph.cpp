//===- core/symexec/CallGraph.cpp -----------------------------------------===//

#include "core/symexec/CallGraph.h"
#include "core/source/Contracts.h"
#include "core/source/Identity.h"
#include "core/symexec/BoundedExploration.h"

#include "mlir/Interfaces/CallInterfaces.h"

using namespace mlir;

namespace memreflens::symexec {

FunctionOpInterface calleeOf(CallOpInterface call,
                             SymbolTableCollection &symbols) {
  return dyn_cast_if_present<FunctionOpInterface>(
      call.resolveCallableInTable(&symbols));
}

std::vector<CallSite> callsIn(ModuleOp module, const trace::Trace &trace) {
  std::vector<CallSite> calls;
  SymbolTableCollection symbols;
  module->walk<WalkOrder::PreOrder>([&](CallOpInterface call) {
    FunctionOpInterface callee = calleeOf(call, symbols);
    const trace::Function *known =
        callee ? tracedFunction(callee, trace) : nullptr;
    if (known)
      calls.push_back(
          {known->id, taggedOp(call->getLoc()),
           callee.isExternal() &&
               llvm::any_of(callee.getResultTypes(),
                            llvm::IsaPred<BaseMemRefType>) &&
               !contractOf(callee, trace.options).saysWhoseResults()});
  });
  return calls;
}

uint64_t opsIn(FunctionOpInterface function) {
  uint64_t ops = 0;
  function->walk([&](Operation *) { ++ops; });
  return ops;
}

bool isDeallocHelper(Operation *callee) {
  auto function = dyn_cast<FunctionOpInterface>(callee);
  return function && function.getName().starts_with("dealloc_helper") &&
         function.isPrivate() && function.getNumArguments() == 5 &&
         function.getNumResults() == 0;
}

bool callsBodies(FunctionOpInterface function, SymbolTableCollection &symbols) {
  return function
      ->walk([&](CallOpInterface call) {
        FunctionOpInterface callee = calleeOf(call, symbols);
        return callee && !callee.getFunctionBody().empty() &&
                       !isDeallocHelper(callee)
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

} // namespace memreflens::symexec
