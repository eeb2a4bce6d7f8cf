//===- core/check/rules/UnreachableAllocation.cpp -------------------------===//

#include "core/check/rules/Finders.h"

namespace memreflens {

using trace::Id;

void addUnreachable(FindingMaker &maker, const trace::Function &function) {
  if (function.status == trace::FunctionStatus::notProcessed)
    return;
  for (Id id : maker.lookup.memrefsOf(function.id)) {
    const trace::Value &value = maker.trace.values[id];
    const trace::Op *op = maker.lookup.op(value.op);
    const trace::Block *block = maker.lookup.block(value.block);
    if (op && op->name == "memref.alloc" && block && !block->reachable)
      maker.add(ruleIds::unreachableAllocation, function.id,
                maker.lookup.rangeOfOp(op->id),
                maker.lookup.name(id) + " is allocated in " +
                    maker.lookup.blockName(block->id) +
                    ", which is never reached; the pass never looks at it");
  }
}

} // namespace memreflens
