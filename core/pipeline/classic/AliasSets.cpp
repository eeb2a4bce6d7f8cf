//===- core/pipeline/classic/AliasSets.cpp --------------------------------===//

#include "core/pipeline/classic/AliasSets.h"
#include "core/pipeline/simplify/ValueFlow.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace memreflens::classic {

// Inner ops first: the order of the links is that of the sets, and the order of
// clones before one terminator comes from it.
AliasSets::AliasSets(Operation *root) {
  root->walk([&](Operation *op) {
    if (auto view = dyn_cast<ViewLikeOpInterface>(op))
      add(view.getViewSource(), view.getViewDest(), op, AliasLink::view);
    else if (auto branch = dyn_cast<BranchOpInterface>(op))
      visitBranchFlow(branch,
                      [&](ValueRange from, ValueRange to, Operation *via) {
                        add(from, to, via, AliasLink::branch);
                      });
    else if (auto regions = dyn_cast<RegionBranchOpInterface>(op))
      visitRegionFlow(
          regions, [&](ValueRange from, ValueRange to, Operation *via) {
            add(from, to, via,
                via == op ? AliasLink::regionEntry : AliasLink::regionExit);
          });
    else if (auto select = dyn_cast<arith::SelectOp>(op))
      for (Value source : {select.getTrueValue(), select.getFalseValue()})
        add(source, select.getResult(), op, AliasLink::select);
  });
}

void AliasSets::add(ValueRange sources, ValueRange aliases, Operation *via,
                    AliasLink link) {
  for (auto [source, alias] : llvm::zip(sources, aliases))
    if (isa<BaseMemRefType>(alias.getType()) && flow[source].insert(alias))
      links.push_back({source, alias, via, link});
}

const ValueSet &AliasSets::direct(Value source) const {
  static const ValueSet empty;
  auto entry = flow.find(source);
  return entry == flow.end() ? empty : entry->second;
}

ValueSet AliasSets::resolve(Value source) const {
  ValueSet reached;
  SmallVector<Value> pending = {source};
  while (!pending.empty()) {
    const Value current = pending.pop_back_val();
    if (reached.insert(current))
      llvm::append_range(pending, direct(current));
  }
  return reached;
}

void AliasSets::cut(const ValueSet &values) {
  for (auto &entry : flow)
    entry.second.remove_if([&](Value value) { return values.contains(value); });
}

} // namespace memreflens::classic
