//===- core/source/Problems.h - MLIR's diagnostics as problems of a trace -===//
//
// Whatever the parser, a verifier or a pass reports while a ProblemCapture
// lives becomes a Problem with its place in the user's text, its notes below
// it; nothing is written to stderr.
//
//   ProblemCapture capture(context, trace, {.chunk = 0, .stage = 3});
//   (void)passManager.run(module);   // trace.problems has what it reported
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_SOURCE_PROBLEMS_H
#define MEMREFLENS_SOURCE_PROBLEMS_H

#include "core/trace/Model.h"

#include "mlir/IR/Diagnostics.h"

#include <string_view>

namespace memreflens {

class LocationMover;

/// Where a problem belongs if its location does not say.
struct ProblemContext {
  trace::Id chunk = trace::none;
  trace::Id function = trace::none;
  trace::Id stage = trace::none;
};

class ProblemCapture {
public:
  /// With `mover`, locations are the chunk's own and are moved first.
  ProblemCapture(mlir::MLIRContext &context, trace::Trace &trace,
                 ProblemContext place, LocationMover *mover = nullptr);
  ~ProblemCapture();

  /// Whether an error was reported since the start.
  bool sawError() const { return error; }

private:
  ProblemCapture(const ProblemCapture &) = delete;
  trace::Problem toProblem(mlir::Diagnostic &diagnostic) const;

  mlir::MLIRContext &context;
  trace::Trace &trace;
  ProblemContext place;
  LocationMover *mover;
  bool error = false;
  bool printedOps;
  mlir::ScopedDiagnosticHandler handler;
};

/// The token of the user's text at `offset`, for a caret line: a name, a string
/// or one character.
trace::Range tokenAt(std::string_view text, uint32_t offset);

} // namespace memreflens

#endif // MEMREFLENS_SOURCE_PROBLEMS_H
