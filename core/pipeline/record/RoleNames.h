//===- core/pipeline/record/RoleNames.h -----------------------------------===//
//
// Names for what no event speaks of.
//
// Results that a stage generated and that are no values of the trace still need
// a name in the text of a stage: by role, with the op's number in its part of
// the file, and never one that the trace gives to something else there.
//
//   %ptr_a_41 = memref.extract_aligned_pointer_as_index %base_a
//   %apart_a_43 = arith.cmpi ne, %ptr_a_41, %ptr_b_42
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_PIPELINE_RECORD_ROLENAMES_H
#define MEMREFLENS_PIPELINE_RECORD_ROLENAMES_H

#include "core/pipeline/record/TracePart.h"
#include "core/trace/Model.h"

#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"

namespace memreflens {

/// Names of the results of each op by number; empty where the trace has one.
using RoleNames = llvm::DenseMap<trace::Id, llvm::SmallVector<std::string, 1>>;

RoleNames roleNames(mlir::Operation *root, const trace::Trace &trace,
                    const TracePart &part);

} // namespace memreflens

#endif // MEMREFLENS_PIPELINE_RECORD_ROLENAMES_H
