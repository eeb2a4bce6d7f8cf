//===- core/pipeline/StandIn.cpp - a body that every stage accepts --------===//

#include "core/pipeline/Stages.h"

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

} // namespace memreflens
