//===- core/check/rules/NotProcessed.cpp ----------------------------------===//

#include "core/check/rules/Finders.h"
#include "core/explain/Words.h"
#include "core/trace/Symbol.h"

namespace memreflens {

using trace::Id;

/// Whether the function itself frees the buffer, or hands it on.
static bool isSettledByHand(const Lookup &lookup, Id buffer) {
  for (Id id : lookup.getIndex().usersOf(buffer)) {
    const trace::Op *user = lookup.op(id);
    if (user && !user->generated &&
        (user->name == "memref.dealloc" ||
         (user->isTerminator && user->successors.empty())))
      return true;
  }
  return false;
}

void addUnprocessed(FindingMaker &maker, const trace::Function &function) {
  if (function.status != trace::FunctionStatus::notProcessed)
    return;
  size_t allocations = 0;
  for (Id id : maker.lookup.memrefsOf(function.id)) {
    const trace::Op *op = maker.lookup.op(maker.trace.values[id].op);
    allocations += op && op->name == "memref.alloc" &&
                   maker.lookup.reachesPass(op->id) &&
                   !isSettledByHand(maker.lookup, id);
  }
  if (allocations == 0)
    return;
  Finding &finding = maker.add(
      ruleIds::notProcessed, function.id, function.nameRange,
      "the pipeline handles func.func only: nothing deallocates the " +
          counted(allocations, "buffer") + " that " + function.opName + " " +
          trace::symbolText(function.title()) + " allocates");
  finding.remedies = {"run the pipeline before the outlining that makes " +
                          function.opName + "s",
                      "deallocate its buffers by hand"};
}

} // namespace memreflens
