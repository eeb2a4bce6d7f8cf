//===- core/pipeline/record/Lattice.cpp -----------------------------------===//

#include "core/pipeline/record/Lattice.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;

namespace memreflens {

OwnershipValue OwnershipValue::unique(Value indicator) {
  OwnershipValue ownership;
  ownership.state = trace::OwnershipState::unique;
  ownership.indicator = indicator;
  return ownership;
}

OwnershipValue OwnershipValue::unknown() {
  OwnershipValue ownership;
  ownership.state = trace::OwnershipState::unknown;
  return ownership;
}

/// Constants are made afresh at nearly every site, so they compare by value.
static bool areEqualIndicators(Value first, Value second) {
  if (first == second)
    return true;
  std::optional<int64_t> firstConstant = getConstantIntValue(first);
  return firstConstant && firstConstant == getConstantIntValue(second);
}

OwnershipValue OwnershipValue::join(OwnershipValue other) const {
  if (other.isUninitialized() || isUnknown())
    return *this;
  if (isUninitialized())
    return other;
  if (isUnknown())
    return other;
  if (other.isUnknown() || !areEqualIndicators(indicator, other.indicator))
    return unknown();
  return *this;
}

} // namespace memreflens
