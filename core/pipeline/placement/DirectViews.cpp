//===- core/pipeline/placement/DirectViews.cpp ----------------------------===//

#include "core/pipeline/placement/DirectViews.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/CastInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;

namespace memreflens::placement {

/// What an op is a view or cast of; null for others.
static Value viewed(Operation *op) {
  if (!op)
    return {};
  if (auto view = dyn_cast<ViewLikeOpInterface>(op))
    return view.getViewSource();
  const bool isCast = isa<CastOpInterface>(op) && op->getNumOperands() == 1 &&
                      op->getNumResults() == 1 &&
                      isa<BaseMemRefType>(op->getOperand(0).getType()) &&
                      isa<BaseMemRefType>(op->getResult(0).getType());
  return isCast ? op->getOperand(0) : Value();
}

Value rootOf(Value view) {
  while (Value source = viewed(view.getDefiningOp()))
    view = source;
  return view;
}

SmallVector<Value> directViews(Value buffer) {
  SmallVector<Value> views{buffer};
  for (size_t at = 0; at < views.size(); ++at)
    for (Operation *user : views[at].getUsers())
      if (viewed(user) == views[at])
        for (Value result : user->getResults())
          if (isa<BaseMemRefType>(result.getType()) &&
              !llvm::is_contained(views, result))
            views.push_back(result);
  return views;
}

Operation *storeOfAddress(Operation *user, Value view) {
  if (auto store = dyn_cast<memref::StoreOp>(user))
    return store.getValueToStore() == view ? user : nullptr;
  auto address = dyn_cast<memref::ExtractAlignedPointerAsIndexOp>(user);
  if (!address)
    return nullptr;
  for (Operation *next : address->getUsers())
    if (auto store = dyn_cast<memref::StoreOp>(next);
        store && store.getValueToStore() == address.getResult())
      return store;
  return nullptr;
}

} // namespace memreflens::placement
