//===- core/pipeline/StandIn.cpp - a body that every stage accepts --------===//

#include "core/pipeline/StandIn.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;

namespace memreflens {

void makeStandIn(Operation *op) {
  auto function = cast<func::FuncOp>(op);
  Region &body = function.getBody();
  body.dropAllReferences();
  body.getBlocks().clear();
  Block *entry = function.addEntryBlock();
  OpBuilder builder = OpBuilder::atBlockBegin(entry);
  SmallVector<Value> results;
  for (Type type : function.getResultTypes())
    results.push_back(
        ub::PoisonOp::create(builder, function.getLoc(), type).getResult());
  func::ReturnOp::create(builder, function.getLoc(), results);
}

std::string annotateFunction(std::string text, llvm::StringRef symbol,
                             llvm::StringRef comment) {
  size_t name = text.find("@" + symbol.str() + "(");
  while (name != std::string::npos) {
    size_t line = text.rfind('\n', name);
    line = line == std::string::npos ? 0 : line + 1;
    llvm::StringRef before = llvm::StringRef(text).slice(line, name);
    if (before.ltrim().starts_with("func.func")) {
      std::string indent(before.size() - before.ltrim().size(), ' ');
      return text.insert(line, indent + "// " + comment.str() + "\n");
    }
    name = text.find("@" + symbol.str() + "(", name + 1);
  }
  return text;
}

} // namespace memreflens
