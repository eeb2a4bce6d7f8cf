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

#include "core/pipeline/record/RoleNames.h"
#include "core/pipeline/record/TracePart.h"
#include "core/trace/Model.h"

#include "mlir/IR/Operation.h"

#include <string>
#include <vector>

namespace mlir {
class FallbackAsmResourceMap;
} // namespace mlir

namespace memreflens {

/// Whether it is known that the verifier accepts an op. If not, the printer
/// asks it, which costs more than to print, and prints what it rejects another
/// way.
enum class Verified { unknown, yes };
/// Whether there may be names of attributes and the like, for which the printer
/// looks through all of an op (Shorthands.h).
enum class Named { unknown, no };

/// What is known of an op before it is printed.
struct PrintFacts {
  Verified verified = Verified::unknown;
  Named named = Named::unknown;
  /// The `external_resources` that its text came with; null for none.
  mlir::FallbackAsmResourceMap *resources = nullptr;
};

/// Byte for byte what `mlir-opt` prints for the op.
std::string printAsUpstream(mlir::Operation *op, const PrintFacts &facts = {});

/// The same with a tag for each value's name; every op and block argument must
/// be tagged.
std::string printTagged(mlir::Operation *op, const PrintFacts &facts = {});

/// An op that the trace does not have, whose tag numbers it behind those that
/// the trace has: the block where it is, and what its results are called.
struct NewOp {
  trace::Id block = trace::none;
  std::string name;
};

/// The names that the values of a module have at a moment, for its text or that
/// of a copy. Keeps nothing of the trace.
class SourceNames {
public:
  /// `start` is where in the trace the stages of the module's part began.
  SourceNames(mlir::Operation *root, const trace::Trace &trace, PartStart start,
              const std::vector<NewOp> &made = {});

  /// What `printTagged` made, with these names.
  std::string putInto(llvm::StringRef tagged) const;

private:
  friend class Renamer;
  struct Results {
    uint32_t first = 0, count = 0;
  };

  void add(mlir::Operation *op, const trace::Trace &trace,
           const std::vector<NewOp> &made, FunctionNames &inUse);
  void add(mlir::BlockArgument argument, const trace::Trace &trace);

  std::vector<std::string> names;
  /// By op, the names of its results among them; by argument, one behind its
  /// name's place, or 0.
  std::vector<Results> results;
  std::vector<uint32_t> arguments;
};

} // namespace memreflens

#endif // MEMREFLENS_PIPELINE_RECORD_SOURCENAMES_H
