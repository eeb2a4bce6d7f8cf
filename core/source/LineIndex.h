//===- core/source/LineIndex.h - byte offsets to lines and columns --------===//
//
// Lines and columns for messages (1-based, columns in bytes as LLVM counts
// them) and for LSP (0-based, columns in UTF-16 code units). CRLF and LF both
// end a line; invalid UTF-8 counts one unit a byte.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_SOURCE_LINEINDEX_H
#define MEMREFLENS_SOURCE_LINEINDEX_H

#include <cstdint>
#include <string_view>
#include <vector>

namespace memreflens {

struct LineColumn {
  uint32_t line = 0;
  uint32_t column = 0;
  bool operator==(const LineColumn &) const = default;
};

/// Line starts of one text. Keeps a view: the text must outlive it.
class LineIndex {
public:
  explicit LineIndex(std::string_view text);

  /// 1-based line and byte column; offsets past the end are the end.
  LineColumn lineColumn(uint32_t offset) const;
  /// 0-based line and UTF-16 column (LSP 3.17, Position).
  LineColumn utf16(uint32_t offset) const;
  /// Offset of a 1-based line and byte column, clamped to the line's end.
  uint32_t offset(LineColumn position) const;
  /// Offset of a 0-based line and UTF-16 column, clamped to the line's end.
  uint32_t offsetOfUtf16(LineColumn position) const;
  /// Text of a 1-based line without its end.
  std::string_view line(uint32_t number) const;
  uint32_t lineCount() const { return uint32_t(starts.size()); }

private:
  std::string_view text;
  std::vector<uint32_t> starts;
};

} // namespace memreflens

#endif // MEMREFLENS_SOURCE_LINEINDEX_H
