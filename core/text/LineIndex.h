//===- core/text/LineIndex.h - byte offsets to lines and columns ----------===//
//
// Lines and columns for messages: 1-based, columns in bytes as LLVM counts
// them. CRLF and LF both end a line, a CR alone does not; `lsp::Lines` counts
// as LSP does.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_TEXT_LINEINDEX_H
#define MEMREFLENS_TEXT_LINEINDEX_H

#include "core/text/LineStarts.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace memreflens {

struct LineColumn {
  uint32_t line = 0;
  uint32_t column = 0;
  bool operator==(const LineColumn &) const = default;
};

/// In UTF-16 code units, in which most editors count columns.
uint32_t utf16Length(std::string_view text);

/// Line starts of one text. Keeps a view: the text must outlive it.
class LineIndex {
public:
  explicit LineIndex(std::string_view text);

  /// Offsets past the end are the end.
  LineColumn lineColumn(uint32_t offset) const;
  /// Clamped to the line's end.
  uint32_t offset(LineColumn position) const;
  /// Offset of the first byte of a line that there is.
  uint32_t startOf(uint32_t number) const {
    return uint32_t(starts[number - 1]);
  }
  /// Text of a line without its end.
  std::string_view line(uint32_t number) const;
  uint32_t lineCount() const { return uint32_t(starts.size()); }

private:
  std::string_view text;
  LineStarts starts;
};

} // namespace memreflens

#endif // MEMREFLENS_TEXT_LINEINDEX_H
