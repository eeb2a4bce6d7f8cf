//===- core/check/rules/DistinctObjects.cpp -------------------------------===//

#include "core/check/rules/Finders.h"

namespace memreflens {

void addDistinctObjects(FindingMaker &maker, const CheckInputs &) {
  for (const trace::Op &op : maker.trace.ops)
    if (op.name == "memref.distinct_objects" && !op.generated)
      maker
          .add(ruleIds::distinctObjects,
               maker.lookup.getIndex().functionOfBlock(op.block),
               maker.lookup.rangeOfOp(op.id),
               "memref.distinct_objects hides from the pipeline which operand "
               "each result is: ownership is joined over all of them, and "
               "checks stay that would go without it")
          .remedies = {"use it after deallocation"};
}

} // namespace memreflens
