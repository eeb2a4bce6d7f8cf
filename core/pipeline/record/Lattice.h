//===- core/pipeline/record/Lattice.h -------------------------------------===//
//
// The ownership of one memref in one block.
//
// uninitialized < unique(i1) < unknown. Joining two unique ownerships keeps the
// first if both are the same SSA value or equal constants, and is unknown
// otherwise.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_PIPELINE_RECORD_LATTICE_H
#define MEMREFLENS_PIPELINE_RECORD_LATTICE_H

#include "core/trace/Event.h"

#include "mlir/IR/Value.h"

namespace memreflens {

class OwnershipValue {
public:
  OwnershipValue() = default;
  static OwnershipValue unique(mlir::Value indicator);
  static OwnershipValue unknown();

  bool isUninitialized() const {
    return state == trace::OwnershipState::uninitialized;
  }
  bool isUnique() const { return state == trace::OwnershipState::unique; }
  bool isUnknown() const { return state == trace::OwnershipState::unknown; }
  trace::OwnershipState getState() const { return state; }
  /// The i1; null unless unique.
  mlir::Value getIndicator() const { return indicator; }

  /// Least upper bound of the two.
  OwnershipValue join(OwnershipValue other) const;

private:
  trace::OwnershipState state = trace::OwnershipState::uninitialized;
  mlir::Value indicator;
};

} // namespace memreflens

#endif // MEMREFLENS_PIPELINE_RECORD_LATTICE_H
