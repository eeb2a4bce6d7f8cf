//===- core/source/IrSteps.cpp --------------------------------------------===//

#include "core/source/IrSteps.h"
#include "core/source/Identity.h"

#include "mlir/IR/OpDefinition.h"

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

/// Of a loop or branch that a pass has built anew around the program's ops. A
/// yield may be told by an origin that is not inside.
trace::Id IrSteps::stepAround(Operation *op) const {
  trace::Id first = trace::none;
  for (Region &region : op->getRegions())
    region.walk([&](Operation *inner) {
      if (inner->hasTrait<OpTrait::IsTerminator>())
        return WalkResult::advance();
      const trace::Id own = stepOp(inner);
      if (own != trace::none &&
          (first == trace::none || steps.of(own) < steps.of(first)))
        first = own;
      return first == trace::none ? WalkResult::advance()
                                  : WalkResult::interrupt();
    });
  if (first == trace::none)
    return trace::none;
  // It stands where the program's own stood.
  for (const trace::Op *around = &trace.ops[size_t(first)];
       around->block != trace::none;) {
    const trace::Id parent = trace.blocks[size_t(around->block)].parentOp;
    if (parent == trace::none || !steps.of(parent))
      break;
    around = &trace.ops[size_t(parent)];
    if (around->name == op->getName().getStringRef())
      return around->id;
  }
  return first;
}

void IrSteps::addRegions(Operation *op, trace::Id behind) {
  for (Region &region : op->getRegions())
    for (Block &block : region) {
      trace::Id step = behind;
      for (Operation &inner : llvm::reverse(block)) {
        trace::Id own = stepOp(&inner);
        if (own == trace::none && inner.getNumRegions() != 0)
          own = stepAround(&inner);
        if (own != trace::none)
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
