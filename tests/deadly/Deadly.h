//===- tests/deadly/Deadly.h - a dialect that dies on purpose -------------===//
//
// What outside programs die of is never kept. A guard of ours is tried with
// this dialect instead, whose ops and pass end their process where they are
// asked to:
//
//   deadly.op() {at = "canonicalize", by = "abort"} : () -> ()
//   deadly.read "signal"
//
// `at` says where: "verify", "canonicalize", "ownership" (the ownership pass
// calls the op) or "print". `by` says how: "abort", "signal" (a write to no
// memory), "loop" (it never ends), "memory" (it takes all that it may) or
// "exit". `when` may restrict it: "private" to private functions, "child" to
// processes that were forked after this was loaded. `deadly.read` dies while it
// is read, with the keyword `error` after a diagnostic. The pass `deadly` dies
// in a function whose attribute `deadly.by` says how.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_TESTS_DEADLY_DEADLY_H
#define MEMREFLENS_TESTS_DEADLY_DEADLY_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace deadly {

void registerDialect(mlir::DialectRegistry &registry);
/// The pass `deadly`, for textual pipelines.
void registerPass();

} // namespace deadly

#endif // MEMREFLENS_TESTS_DEADLY_DEADLY_H
