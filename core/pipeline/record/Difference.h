//===- core/pipeline/record/Difference.h ----------------------------------===//
//
// What a pass did, seen from outside.
//
// For a pass that tells nothing itself: the ops that are there before and not
// after, and the other way round, function by function.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_PIPELINE_RECORD_DIFFERENCE_H
#define MEMREFLENS_PIPELINE_RECORD_DIFFERENCE_H

#include "core/pipeline/record/Recorder.h"

#include <map>
#include <set>

namespace memreflens {

class Difference {
public:
  /// Before the pass.
  Difference(mlir::Operation *root, Recorder &recorder);
  /// After it, once new ops are adopted: a RewriteEvent for each function that
  /// changed.
  void record(mlir::Operation *root, Recorder &recorder) const;

private:
  using Ops = std::map<trace::Id, std::set<trace::Id>>;
  static Ops collect(mlir::Operation *root, Recorder &recorder);
  Ops before;
};

} // namespace memreflens

#endif // MEMREFLENS_PIPELINE_RECORD_DIFFERENCE_H
