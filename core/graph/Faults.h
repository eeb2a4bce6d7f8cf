//===- core/graph/Faults.h - seeded faults, for testing the tests ---------===//
//
// Each name makes the pictures lie in one way. In a normal build `isSeeded` is
// constant false; the test build that defines MEMREF_LENS_SEEDED_FAULTS reads
// the name from MEMREF_LENS_FAULT, and tests/graph-facts notices every one.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_GRAPH_FAULTS_H
#define MEMREFLENS_GRAPH_FAULTS_H

#ifdef MEMREF_LENS_SEEDED_FAULTS
#include <cstdlib>
#include <string_view>
#endif

namespace memreflens::graph {

#ifdef MEMREF_LENS_SEEDED_FAULTS
inline bool isSeeded(std::string_view fault) {
  const char *seeded = std::getenv("MEMREF_LENS_FAULT");
  return seeded && fault == seeded;
}
#else
constexpr bool isSeeded(const char *) { return false; }
#endif

} // namespace memreflens::graph

#endif // MEMREFLENS_GRAPH_FAULTS_H
