//===- tests/fuzz/Program.h - bytes to a valid program --------------------===//
//
// Each byte is a decision of a generator, so that every input is a program that
// parses and verifies: functions of allocations, views, selects, branches,
// loops, calls and reallocations, and now and then what the pass rejects.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_TESTS_FUZZ_PROGRAM_H
#define MEMREFLENS_TESTS_FUZZ_PROGRAM_H

#include "tests/fuzz/Fuzz.h"

#include <string>

namespace memreflens::fuzz {

struct Program {
  std::string text;
  /// Nothing in it can be rejected by the pass, nor read by MLIR's after it was
  /// freed: no block but the entry of each region, no op that is rejected.
  bool isPlain = true;
};

Program makeProgram(Choices &choices);

} // namespace memreflens::fuzz

#endif // MEMREFLENS_TESTS_FUZZ_PROGRAM_H
