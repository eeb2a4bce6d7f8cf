//===- tests/fuzz/Dialects.h - the dialects that the product knows --------===//

#ifndef MEMREFLENS_TESTS_FUZZ_DIALECTS_H
#define MEMREFLENS_TESTS_FUZZ_DIALECTS_H

#include "mlir/IR/DialectRegistry.h"

namespace memreflens::fuzz {

/// All of MLIR's, with their extensions, as the command line has them.
const mlir::DialectRegistry &everyDialect();

} // namespace memreflens::fuzz

#endif // MEMREFLENS_TESTS_FUZZ_DIALECTS_H
