//===- tests/support/Seeded.h - the fault that a process runs with --------===//
//
// For sources that seeded.py breaks: MEMREF_LENS_FAULT says which of their
// faults are on.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_TESTS_SUPPORT_SEEDED_H
#define MEMREFLENS_TESTS_SUPPORT_SEEDED_H

#include <cstdlib>
#include <string_view>

namespace memreflens {

inline bool isSeeded(std::string_view fault) {
  static const char *seeded = std::getenv("MEMREF_LENS_FAULT");
  return seeded && fault == seeded;
}

} // namespace memreflens

#endif // MEMREFLENS_TESTS_SUPPORT_SEEDED_H
