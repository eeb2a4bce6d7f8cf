//===- core/source/Contracts.cpp ------------------------------------------===//

#include "core/source/Contracts.h"
#include "core/trace/Assumed.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

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

Contract contractOf(FunctionOpInterface function,
                    const trace::RunOptions &run) {
  Contract contract;
  if (!function || !function.isExternal())
    return contract;
  const StringRef name = function.getName();
  contract.hasFreshResults = function->hasAttr(freshResultsAttribute) ||
                             trace::isNamed(run.freshResults, name.str());
  contract.keepsResults = function->hasAttr("memref_lens.keeps_results");
  for (unsigned i = 0; i < function.getNumArguments(); ++i) {
    if (function.getArgAttr(i, "memref_lens.returned"))
      contract.returned = int(i);
    if (function.getArgAttr(i, "memref_lens.kept"))
      contract.kept.push_back(i);
    if (function.getArgAttr(i, "memref_lens.released"))
      contract.released.push_back(i);
  }
  for (const std::string &text : run.contracts) {
    const std::optional<trace::Statement> stated = trace::statementIn(text);
    if (!stated || !trace::isNamed({stated->function}, name.str()) ||
        stated->argument >= int(function.getNumArguments()))
      continue;
    switch (stated->kind) {
    case trace::StatementKind::keepsResults:
      contract.keepsResults = true;
      break;
    case trace::StatementKind::returnsArgument:
      contract.returned = stated->argument;
      break;
    case trace::StatementKind::keepsArgument:
      contract.kept.push_back(unsigned(stated->argument));
      break;
    case trace::StatementKind::releasesArgument:
      contract.released.push_back(unsigned(stated->argument));
      break;
    }
  }
  return contract;
}

} // namespace memreflens
