//===- core/source/Chunks.h - a text before it is parsed ------------------===//
//
// Splits a text at `// -----` comments, and measures how deep it nests, so that
// what would exhaust the parser's stack is rejected instead of tried.
//
//   splitChunks("a\n// -----\nb\n")   // [0, 2) and [11, 13)
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_SOURCE_CHUNKS_H
#define MEMREFLENS_SOURCE_CHUNKS_H

#include "core/trace/Model.h"

#include <string_view>
#include <vector>

namespace memreflens {

/// Ranges of the chunks (core/text/Parts.h).
std::vector<trace::Range> splitChunks(std::string_view text);

struct Nesting {
  /// Greatest number of brackets open at once (or of signs in a row), strings
  /// and comments left out.
  uint32_t depth = 0;
  /// Where `limit` was exceeded first, if it was.
  uint32_t exceededAt = 0;
};
Nesting measureNesting(std::string_view text, uint32_t limit);

} // namespace memreflens

#endif // MEMREFLENS_SOURCE_CHUNKS_H
