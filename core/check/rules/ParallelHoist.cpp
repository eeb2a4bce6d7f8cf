//===- core/check/rules/ParallelHoist.cpp ---------------------------------===//

#include "core/check/rules/Finders.h"
#include "core/upstream/Defects.h"

namespace memreflens {

using trace::Id;
using trace::none;

void addParallelHoist(FindingMaker &maker, const trace::Op &op) {
  if (op.name != "memref.alloc")
    return;
  const Lookup &lookup = maker.lookup;
  Id loop = loopAround(lookup, op.block, /*parallel=*/true);
  const trace::Op *known = lookup.op(loop);
  const trace::Block *block = lookup.block(op.block);
  if (!known || known->name != "affine.parallel" || !block ||
      block->parentOp != loop || !op.operands.empty())
    return;
  maker
      .add(ruleIds::parallelHoist, lookup.getIndex().functionOfBlock(op.block),
           lookup.rangeOfOp(op.id),
           lookup.name(op.results.empty() ? none : op.results.front()) +
               " belongs to one iteration of affine.parallel; "
               "buffer-loop-hoisting moves it out, and the iterations share it")
      .remedies = {
      "do not run buffer-loop-hoisting before affine.parallel is "
      "lowered (" +
      std::string(
          upstream::defectOf(upstream::DefectId::parallelHoist).thread) +
      ")"};
}

} // namespace memreflens
