//===- core/pipeline/record/RoleNames.h -----------------------------------===//
//
// Names for what no event speaks of.
//
// Results that a stage generated and that are no values of the trace still need
// a name in the text of a stage: by role, with the op's number in its function,
// and never one that the trace gives to something else there.
//
//   %ptr_a_41 = memref.extract_aligned_pointer_as_index %base_a
//   %apart_a_43 = arith.cmpi ne, %ptr_a_41, %ptr_b_42
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_PIPELINE_RECORD_ROLENAMES_H
#define MEMREFLENS_PIPELINE_RECORD_ROLENAMES_H

#include "core/pipeline/record/TracePart.h"
#include "core/trace/Model.h"

#include "mlir/IR/Value.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/Support/Allocator.h"

namespace memreflens {

/// The names that are in use in each function of a part, read on first need. No
/// name depends on what else is in the file.
class FunctionNames {
public:
  FunctionNames(const trace::Trace &trace, const TracePart &part)
      : trace(trace), part(part) {}

  /// `base`, with a `_` more while a value of the block's function bears that.
  std::string add(trace::Id block, std::string base);
  /// The op's place among those of its function.
  trace::Id numberOf(trace::Id op);

private:
  void read();
  trace::Id functionOf(trace::Id block) const {
    return block == trace::none ? block : trace.blocks[block].function;
  }

  const trace::Trace &trace;
  const TracePart &part;
  bool isRead = false;
  /// By op.
  std::vector<trace::Id> numbers;
  /// With their functions; `none`: of what is in none.
  llvm::DenseSet<std::pair<trace::Id, llvm::StringRef>> taken;
  /// Of names that were added.
  llvm::BumpPtrAllocator memory;
};

/// A name for a result of `op` that the trace has none for.
std::string roleName(mlir::OpResult value, trace::Id op,
                     const trace::Trace &trace, FunctionNames &inUse);

} // namespace memreflens

#endif // MEMREFLENS_PIPELINE_RECORD_ROLENAMES_H
