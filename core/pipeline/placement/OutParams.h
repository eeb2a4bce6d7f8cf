//===- core/pipeline/placement/OutParams.h - results that callers allocate --=//
//
// MLIR's `buffer-results-to-out-params`: for each result of each function of a
// module whether it becomes an argument that the caller allocates, what each
// return does about it, and why another does not, or cannot. The IR and the
// errors are those of the pass.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_PIPELINE_PLACEMENT_OUTPARAMS_H
#define MEMREFLENS_PIPELINE_PLACEMENT_OUTPARAMS_H

#include "core/trace/PlacementEvents.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

#include <optional>
#include <vector>

namespace memreflens::placement {

using trace::MoveOutcome;

/// The pass's options, with its defaults.
struct OutParamOptions {
  bool addResultAttr = false;
  bool hoistStaticAllocs = false;
  bool hoistDynamicAllocs = false;
  bool modifyPublicFunctions = false;
};

/// What one return does about a result that became an argument.
enum class ReturnOutcome : uint8_t {
  /// The allocation is gone: the function fills what its caller allocated.
  hoisted,
  /// Copied: no op allocates it, or none that says so as memref.alloc does.
  notAllocation,
  /// Copied: an allocation of static or dynamic shape, whose option is off.
  hoistingOff,
  /// Copied from an argument: at an earlier return its allocation became that.
  hoistedBefore,
  /// The same at an earlier result of this return. MLIR 22 reads freed memory.
  hoistedBeside,
};

struct ReturnedBuffer {
  mlir::Operation *at = nullptr;
  ReturnOutcome outcome = ReturnOutcome::notAllocation;
  /// The memref.copy; null if hoisted.
  mlir::Operation *copy = nullptr;
  /// What was hoisted: its op and place, whether it came with contents (a clone
  /// or a realloc: they are lost), and an alignment that callers do not know.
  std::optional<mlir::OperationName> allocation;
  std::optional<mlir::Location> location;
  bool hadContents = false;
  uint64_t alignment = 0;
  /// The arguments that are its dynamic sizes. None if one is no argument, but
  /// what an op made (`sizeFrom`), or a block inside got passed.
  std::vector<unsigned> sizes;
  bool hasOtherSize = false;
  std::optional<mlir::OperationName> sizeFrom;
};

struct OutParam {
  mlir::func::FuncOp function;
  /// Of the function before the pass.
  unsigned result = 0;
  mlir::Type type;
  MoveOutcome outcome = MoveOutcome::becameArgument;
  unsigned argument = 0;
  /// In order; callers go by the sizes of the first.
  std::vector<ReturnedBuffer> returns;
  /// What callers allocate for it.
  std::vector<mlir::Operation *> allocations;
  /// The first call that is rejected.
  mlir::Operation *call = nullptr;
};

struct OutParams {
  /// False after an error, which leaves the module half changed.
  bool succeeded = true;
  std::vector<OutParam> results;
  /// Error: calls of what the module itself does not define.
  std::vector<mlir::Operation *> unknownCallees;
};

/// Runs the pass; one entry a result of a function of the module itself.
OutParams moveResultsToArguments(mlir::ModuleOp module,
                                 const OutParamOptions &options);

} // namespace memreflens::placement

#endif // MEMREFLENS_PIPELINE_PLACEMENT_OUTPARAMS_H
