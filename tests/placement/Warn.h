//===- tests/placement/Warn.h - warnings of a pass, as diagnostics --------===//
//
// For memref-lens-placement-opt: what a placement pass made worse, said at the
// op that it is about.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_TESTS_PLACEMENT_WARN_H
#define MEMREFLENS_TESTS_PLACEMENT_WARN_H

#include "core/pipeline/placement/Warnings.h"
#include "core/trace/Names.h"

inline void warn(const memreflens::placement::PlacementWarnings &warnings) {
  for (const auto &one : warnings) {
    mlir::InFlightDiagnostic diagnostic = one.op->emitWarning();
    diagnostic << llvm::StringRef(memreflens::trace::nameOf(one.kind));
    if (one.shown)
      diagnostic << "; shown: " << one.shown->getName();
    if (one.before)
      diagnostic << "; " << one.before << " to " << one.after;
  }
}

#endif // MEMREFLENS_TESTS_PLACEMENT_WARN_H
