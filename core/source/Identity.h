//===- core/source/Identity.h - who an op is, through every stage ---------===//
//
// Each of the user's ops and block arguments carries its trace id in its
// location: NameLoc("lens$op12", original). Locations change no IR and
// survive every pass, so an op found after a stage can be named by the user's
// own names. Passes copy locations to ops that they generate; the stage runner
// gives those a tag of their own, so a tag on a live op is always the truth.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_SOURCE_IDENTITY_H
#define MEMREFLENS_SOURCE_IDENTITY_H

#include "core/trace/Model.h"

#include "mlir/IR/Location.h"
#include "mlir/IR/Operation.h"

namespace memreflens {

/// What stands before the number. Without a `.`: MLIR asks for a dialect of the
/// name before the first one of each text that it makes unique.
inline constexpr char opTag[] = "lens$op", argumentTag[] = "lens$arg";

/// Location that says "this is trace op `id`" on top of `original` (which must
/// carry no tag itself).
mlir::Location tagOp(mlir::Location original, trace::Id id);
/// The same for a block argument, by value id.
mlir::Location tagArgument(mlir::Location original, trace::Id value);

/// The location without our tag.
mlir::Location stripTag(mlir::Location location);

/// Trace op id in the location's tag; `none` if there is none, or it is an
/// argument's.
trace::Id taggedOp(mlir::Location location);
/// The trace's function that the op is; null if it is none of the user's.
const trace::Function *tracedFunction(mlir::Operation *function,
                                      const trace::Trace &trace);
/// Trace value id in the location's tag; `none` if there is none.
trace::Id taggedArgument(mlir::Location location);
/// Trace id of a block argument, or of a result of a tagged op; `none` if it
/// has none.
trace::Id taggedValue(mlir::Value value, const trace::Trace &trace);

} // namespace memreflens

#endif // MEMREFLENS_SOURCE_IDENTITY_H
