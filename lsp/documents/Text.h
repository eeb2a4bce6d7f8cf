//===- lsp/documents/Text.h - positions of a client in a text -------------===//
//
// Lines end at LF, CRLF or CR, as LSP 3.17 has it. Columns count UTF-8, UTF-16
// or UTF-32 units; a byte that is no UTF-8 counts one unit. A column past the
// line's end is the line's end.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_LSP_DOCUMENTS_TEXT_H
#define MEMREFLENS_LSP_DOCUMENTS_TEXT_H

#include "core/text/LineStarts.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace memreflens::lsp {

enum class Encoding : uint8_t { utf8, utf16, utf32 };

/// "utf-16" and so on.
std::string_view nameOf(Encoding encoding);

/// 0-based, columns in units of an encoding.
struct Position {
  uint32_t line = 0;
  uint32_t character = 0;
};

/// Its end is behind it.
struct TextRange {
  Position start, end;
};

/// Bytes of a line (without its end) to a column, and back.
uint32_t columnOf(std::string_view line, size_t bytes, Encoding encoding);
size_t bytesOf(std::string_view line, uint32_t column, Encoding encoding);

/// Starts of the lines of a text that changes by edits.
class Lines {
public:
  explicit Lines(std::string_view text = {});
  /// After [begin, end) was replaced, `text` being the whole text now.
  void replace(std::string_view text, size_t begin, size_t end, size_t size);

  size_t count() const { return starts.size(); }
  /// The line without its end.
  std::string_view line(std::string_view text, size_t number) const;
  size_t offsetOf(std::string_view text, Position position,
                  Encoding encoding) const;
  Position positionOf(std::string_view text, size_t offset,
                      Encoding encoding) const;
  TextRange rangeOf(std::string_view text, size_t begin, size_t end,
                    Encoding encoding) const;

private:
  LineStarts starts;
};

} // namespace memreflens::lsp

#endif // MEMREFLENS_LSP_DOCUMENTS_TEXT_H
