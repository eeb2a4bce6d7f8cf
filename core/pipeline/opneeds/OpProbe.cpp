//===- core/pipeline/opneeds/OpProbe.cpp ----------------------------------===//
//
// The effects of an op by its name.
//
// Only an op can be asked for its effects. So one is made up, belongs to
// nothing and is never verified; an op that cannot bear that is not asked.
//
//===----------------------------------------------------------------------===//

#include "core/pipeline/opneeds/OpRegistry.h"
#include "core/pipeline/ownership/Conditions.h"
#include "core/source/CrashGuard.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace memreflens {

using Effects = SmallVector<MemoryEffects::EffectInstance>;

/// As many as the definition says; where it does not, more than its accessors
/// look at in any op of MLIR.
static int plenty(const trace::OpCount &count, int many) {
  return count.least == count.most ? count.least : std::max(count.least, many);
}

static Operation *makeUp(RegisteredOperationName name, Block &values,
                         const trace::OpFacts &facts) {
  MLIRContext *context = name.getContext();
  Type type = MemRefType::get({1}, Float32Type::get(context));
  Location nowhere = UnknownLoc::get(context);
  OperationState state(nowhere, name);
  for (int i = 0; i < plenty(facts.operands, 8); ++i)
    state.addOperands(values.addArgument(type, nowhere));
  state.addTypes(SmallVector<Type>(size_t(plenty(facts.results, 4)), type));
  for (int i = 0; i < plenty(facts.regions, 2); ++i)
    state.addRegion()->emplaceBlock();
  return Operation::create(state);
}

/// An effect on memory that is allocated for a scope.
static bool isOnStack(const MemoryEffects::EffectInstance &effect) {
  return isa<SideEffects::AutomaticAllocationScopeResource>(
      effect.getResource());
}

static void sortOut(Operation *op, const Effects &effects,
                    trace::OpProbe &probe) {
  for (const MemoryEffects::EffectInstance &effect : effects) {
    Value value = effect.getValue();
    if (auto result = dyn_cast_or_null<OpResult>(value);
        result && isa<MemoryEffects::Allocate>(effect.getEffect()))
      (isOnStack(effect) ? probe.onStack : probe.allocated)
          .push_back(int(result.getResultNumber()));
    if (!value || !isa<MemoryEffects::Free>(effect.getEffect()))
      continue;
    for (OpOperand &operand : op->getOpOperands())
      if (operand.get() == value)
        probe.freed.push_back(int(operand.getOperandNumber()));
  }
}

trace::OpProbe probeEffects(RegisteredOperationName name,
                            const trace::OpFacts &facts) {
  trace::OpProbe probe;
  if (!hasInterface<MemoryEffectOpInterface>(name))
    return probe;
  // Left behind if it dies: its parts may be in any state.
  auto *values = new Block();
  Operation *op = nullptr;
  probe.wasAsked = survives([&] {
    op = makeUp(name, *values, facts);
    Effects effects;
    cast<MemoryEffectOpInterface>(op).getEffects(effects);
    sortOut(op, effects, probe);
  });
  if (!probe.wasAsked)
    return {};
  probe.operands = int(op->getNumOperands());
  probe.results = int(op->getNumResults());
  probe.hasEmptySegments = name.hasTrait<OpTrait::AttrSizedOperandSegments>();
  op->destroy();
  delete values;
  return probe;
}

} // namespace memreflens
