//===- core/pipeline/record/UniqueNames.h - no name is given twice --------===//
//
// Names of the values that stages make. No two values of a function share one,
// whether the program has them or an earlier stage made them:
//
//   names.unique(function, "own_arg0"); // "own_arg0"
//   names.unique(function, "own_arg0"); // "own_arg0_0"
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_PIPELINE_RECORD_UNIQUENAMES_H
#define MEMREFLENS_PIPELINE_RECORD_UNIQUENAMES_H

#include "core/pipeline/record/TracePart.h"
#include "core/trace/Model.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

#include <memory>
#include <string>

namespace memreflens {

/// Keeps a reference: the trace must outlive it. Of one thread.
class UniqueNames {
public:
  explicit UniqueNames(const trace::Trace &trace) : trace(trace) {}
  /// The values from now on are of the part with this module op.
  void begin(trace::Id module, PartStart start);
  /// `base`, or with a suffix where a value of `function` has that name. It is
  /// taken from now on. `function` is `none` for values outside all functions.
  std::string unique(trace::Id function, std::string base);

private:
  void index(trace::Id function);

  const trace::Trace &trace;
  trace::Id module = trace::none;
  PartStart start;
  /// Names in use, per function; filled on first need.
  llvm::DenseMap<trace::Id, std::unique_ptr<llvm::StringSet<>>> taken;
  /// Next suffix to try per function and base name, so that it stays linear.
  llvm::StringMap<unsigned> nextSuffix;
};

} // namespace memreflens

#endif // MEMREFLENS_PIPELINE_RECORD_UNIQUENAMES_H
