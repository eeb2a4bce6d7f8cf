//===- core/source/IrSteps.cpp --------------------------------------------===//

#include "core/source/IrSteps.h"
#include "core/source/Identity.h"

using namespace mlir;

namespace memreflens {

IrSteps::IrSteps(Operation *function, const trace::Trace &trace,
                 trace::ProgramSteps steps)
    : trace(trace), steps(std::move(steps)) {
  addRegions(function, trace::none);
}

trace::Id IrSteps::stepOp(Operation *op) const {
  const trace::Id id = taggedOp(op->getLoc());
  if (id < 0 || size_t(id) >= trace.ops.size())
    return trace::none;
  const trace::Op *known = &trace.ops[size_t(id)];
  // A yield of more values stands where the program's own stood.
  if (known->generated && !steps.of(id) &&
      op->hasTrait<OpTrait::IsTerminator>() && known->origin >= 0 &&
      size_t(known->origin) < trace.ops.size())
    known = &trace.ops[size_t(known->origin)];
  return steps.of(known->id) && known->name == op->getName().getStringRef()
             ? known->id
             : trace::none;
}

void IrSteps::addRegions(Operation *op, trace::Id behind) {
  for (Region &region : op->getRegions())
    for (Block &block : region) {
      trace::Id step = behind;
      for (Operation &inner : llvm::reverse(block)) {
        if (trace::Id own = stepOp(&inner); own != trace::none)
          step = own;
        else if (step == behind)
          last.insert(&inner);
        byOp[&inner] = step;
        addRegions(&inner, step);
      }
    }
}

trace::Id IrSteps::opOf(Operation *op) const {
  auto known = byOp.find(op);
  return known == byOp.end() ? trace::none : known->second;
}

std::optional<uint32_t> IrSteps::of(Operation *op) const {
  return steps.of(opOf(op));
}

} // namespace memreflens
