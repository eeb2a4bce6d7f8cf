//===- core/pipeline/record/TracePart.h -----------------------------------===//
//
// The records of one part of a file.
//
// All parts of a file are read into the trace before the first one's stages
// run; what the stages make comes behind all of it. While a part is worked on,
// its records are thus those that were read, and the last ones. Found without a
// look at those of other parts, of which there may be thousands.
//
//   PartStart start = PartStart::of(trace); // then its stages run
//   TracePart(trace, moduleOp, start).eachValue([&](const trace::Value &value)
//   {});
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_PIPELINE_RECORD_TRACEPART_H
#define MEMREFLENS_PIPELINE_RECORD_TRACEPART_H

#include "core/trace/Model.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace memreflens {

/// The first records that a part's stages make; `none`: all that are behind the
/// part's own, which is right where there is but one part.
struct PartStart {
  trace::Id op = trace::none;
  trace::Id value = trace::none;
  /// Number of its first dealloc: no two of a file have the same.
  trace::Id dealloc = 0;

  static PartStart of(const trace::Trace &trace) {
    return {trace::Id(trace.ops.size()), trace::Id(trace.values.size()), 0};
  }
};

/// Keeps a reference: the trace must outlive it, and not grow.
class TracePart {
public:
  /// `module` is the part's module op, as it was read or made anew.
  TracePart(const trace::Trace &trace, trace::Id module, PartStart start);

  /// The module op, as it was read.
  trace::Id getRoot() const { return root; }
  /// The ops of the program as it was read, then those that the stages made.
  void eachOp(llvm::function_ref<void(const trace::Op &)> visit) const;
  void eachReadOp(llvm::function_ref<void(const trace::Op &)> visit) const;
  /// Some values may come twice.
  void eachValue(llvm::function_ref<void(const trace::Value &)> visit) const;

private:
  const trace::Trace &trace;
  /// Ops from `root` to before `readEnd` were read, from `start` on were made.
  trace::Id root, readEnd;
  PartStart start;
};

} // namespace memreflens

#endif // MEMREFLENS_PIPELINE_RECORD_TRACEPART_H
