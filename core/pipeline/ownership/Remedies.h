//===- core/pipeline/ownership/Remedies.h - what a rejected op would need -===//
//
// For each reason to reject a function: what the user can do, for this very op
// (which interface it lacks, which pass goes before), and the ops that show it.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_PIPELINE_OWNERSHIP_REMEDIES_H
#define MEMREFLENS_PIPELINE_OWNERSHIP_REMEDIES_H

#include "core/pipeline/ownership/OwnershipState.h"

namespace memreflens {

/// One line each, most useful first.
std::vector<std::string> remediesFor(trace::RejectionCause cause,
                                     mlir::Operation *op);

/// What helps against what the definition of an op of MLIR's own lacks; empty
/// for an op of somebody else's, and for one that is not registered.
std::vector<std::string> remediesOfMlir(mlir::OperationName name);

/// The branches of the shortest loop that the edge `from` -> `to` closes, or of
/// a shorter one among its blocks: each of them is needed for it.
std::vector<trace::Id> loopWitnesses(OwnershipState &state, mlir::Block *from,
                                     mlir::Block *to);

/// Rejects because `memref` has no unique ownership at `terminator`'s block;
/// the witnesses are the terminator that retained it twice and the use that
/// keeps it live.
mlir::LogicalResult rejectOwnership(OwnershipState &state, mlir::Value memref,
                                    mlir::Operation *terminator);

} // namespace memreflens

#endif // MEMREFLENS_PIPELINE_OWNERSHIP_REMEDIES_H
