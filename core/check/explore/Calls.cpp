//===- core/check/explore/Calls.cpp ---------------------------------------===//

#include "core/check/explore/Calls.h"
#include "core/check/explore/Tries.h"
#include "core/source/Identity.h"

#include "mlir/Interfaces/CallInterfaces.h"

using namespace mlir;

namespace memreflens {

std::vector<CallSite> callsIn(ModuleOp module, const trace::Trace &trace) {
  std::vector<CallSite> calls;
  SymbolTableCollection symbols;
  module->walk<WalkOrder::PreOrder>([&](CallOpInterface call) {
    auto callee = dyn_cast_if_present<FunctionOpInterface>(
        call.resolveCallableInTable(&symbols));
    const trace::Function *known =
        callee ? tracedFunction(callee, trace) : nullptr;
    if (known)
      calls.push_back({known->id, taggedOp(call->getLoc())});
  });
  return calls;
}

} // namespace memreflens
