//===- core/pipeline/record/SourceNames.h ---------------------------------===//
//
// IR text, with the user's names.
//
// Prints a module either as mlir-opt does, or with the SSA names of the user's
// file: `%a` is the user's `%a` at every stage, and what a stage generated
// bears a name by role (`%own_a`) that no value of the user's has.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_PIPELINE_RECORD_SOURCENAMES_H
#define MEMREFLENS_PIPELINE_RECORD_SOURCENAMES_H

#include "core/pipeline/record/TracePart.h"
#include "core/trace/Model.h"

#include "mlir/IR/Operation.h"

#include <string>

namespace memreflens {

/// Whether it is known that the verifier accepts an op. If not, the printer
/// asks it, which costs more than to print, and prints what it rejects another
/// way.
enum class Verified { unknown, yes };
/// Whether there may be names of attributes and the like, for which the printer
/// looks through all of an op (Shorthands.h).
enum class Named { unknown, no };

/// Byte for byte what `mlir-opt` prints for the op.
std::string printAsUpstream(mlir::Operation *op,
                            Verified verified = Verified::unknown,
                            Named named = Named::unknown);

/// The same with names from `trace`; every op and block argument must be
/// tagged. `start` is where in the trace the stages of its part began.
std::string printWithSourceNames(mlir::Operation *op, const trace::Trace &trace,
                                 PartStart start,
                                 Verified verified = Verified::unknown,
                                 Named named = Named::unknown);

} // namespace memreflens

#endif // MEMREFLENS_PIPELINE_RECORD_SOURCENAMES_H
