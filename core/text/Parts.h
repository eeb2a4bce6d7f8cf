//===- core/text/Parts.h - a text split at `// -----` ---------------------===//
//
//   partsOf("a\n// -----\nb\n")   // {0, 2}, {11, 13}
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_TEXT_PARTS_H
#define MEMREFLENS_TEXT_PARTS_H

#include <cstddef>
#include <string_view>
#include <vector>

namespace memreflens {

/// From one byte to before another one.
struct TextRange {
  size_t begin = 0, end = 0;
};

/// The parts of a text, without the markers and their line ends (LF, CRLF or
/// CR). At least one; a marker that ends the text ends no part. With other text
/// on its line, or with more than five dashes, it is a comment.
std::vector<TextRange> partsOf(std::string_view text);

} // namespace memreflens

#endif // MEMREFLENS_TEXT_PARTS_H
