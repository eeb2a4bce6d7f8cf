//===- core/check/rules/AsyncCapture.cpp ----------------------------------===//

#include "core/check/rules/Finders.h"
#include "core/query/FateFacts.h"

#include <algorithm>

namespace memreflens {

using trace::Id;
using trace::none;

/// Whether the pipeline deallocates the buffer in its own function.
static bool isDeallocatedHere(const Lookup &lookup, Id buffer) {
  const trace::Function *function =
      lookup.function(lookup.getIndex().functionOfValue(buffer));
  if (!function || function->status != trace::FunctionStatus::traced)
    return false;
  const trace::Fate fate = trace::fateOf(lookup.getIndex(), buffer);
  return std::any_of(
      fate.frees.begin(), fate.frees.end(), [&](const trace::Freed &freed) {
        Id condition = conditionOfFree(lookup, freed);
        return !lookup.isRemoved(freed) &&
               (condition == none || lookup.constantOf(condition) != 0);
      });
}

/// Used below an async.execute, allocated outside of it: freed at the end of
/// the block, which does not wait.
void addAsyncCaptures(FindingMaker &maker, const trace::Op &op) {
  const Lookup &lookup = maker.lookup;
  if (op.name != "async.execute" || !lookup.reachesPass(op.id))
    return;
  std::vector<Id> captured;
  walk(lookup, op.id, [&](const trace::Op &nested) {
    const bool isGone = !lookup.reachesPass(nested.id) &&
                        lookup.getIndex().generatedFor(nested.id).empty();
    for (Id operand : nested.operands) {
      const trace::Value *value = lookup.value(operand);
      const trace::Op *source = value ? lookup.op(value->op) : nullptr;
      if (value && value->isMemref && source && nested.id != op.id && !isGone &&
          source->name == "memref.alloc" &&
          !isInside(lookup, value->block, op.id) &&
          isDeallocatedHere(lookup, lookup.heirOf(operand)) &&
          std::find(captured.begin(), captured.end(), operand) ==
              captured.end())
        captured.push_back(operand);
    }
  });
  for (Id value : captured)
    maker
        .add(ruleIds::asyncCapture, lookup.getIndex().functionOfBlock(op.block),
             lookup.rangeOfOp(op.id),
             lookup.name(value) + " is used by async.execute, and deallocated "
                                  "at the end of its block "
                                  "without waiting for it")
        .remedies = {"wait for the token before the block ends (after the "
                     "pipeline: async.await is not accepted by it)",
                     "put bufferization.manual_deallocation on the "
                     "allocation and deallocate it where the work is done"};
}

} // namespace memreflens
