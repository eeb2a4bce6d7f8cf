//===- lsp/documents/Text.cpp ---------------------------------------------===//

#include "lsp/documents/Text.h"

#include <algorithm>
#include <cstddef>

namespace memreflens::lsp {

std::string_view nameOf(Encoding encoding) {
  switch (encoding) {
  case Encoding::utf8:
    return "utf-8";
  case Encoding::utf16:
    return "utf-16";
  case Encoding::utf32:
    return "utf-32";
  }
  return "utf-16";
}

/// Bytes of the character that starts here; 1 for what is no UTF-8, overlong
/// forms and surrogates among it.
static size_t sizeOfCharacter(std::string_view text) {
  unsigned char first = text[0];
  size_t size = first < 0xc2   ? 1
                : first < 0xe0 ? 2
                : first < 0xf0 ? 3
                : first < 0xf5 ? 4
                               : 1;
  if (size > text.size())
    return 1;
  for (size_t at = 1; at < size; ++at)
    if ((text[at] & 0xc0) != 0x80)
      return 1;
  unsigned char second = size > 1 ? text[1] : 0;
  bool isNone =
      (first == 0xe0 && second < 0xa0) || (first == 0xed && second > 0x9f) ||
      (first == 0xf0 && second < 0x90) || (first == 0xf4 && second > 0x8f);
  return isNone ? 1 : size;
}

static uint32_t unitsOf(size_t bytes, Encoding encoding) {
  if (encoding == Encoding::utf8)
    return uint32_t(bytes);
  return encoding == Encoding::utf16 && bytes == 4 ? 2 : 1;
}

uint32_t columnOf(std::string_view line, size_t bytes, Encoding encoding) {
  bytes = std::min(bytes, line.size());
  if (encoding == Encoding::utf8)
    return uint32_t(bytes);
  uint32_t column = 0;
  for (size_t at = 0; at < bytes;) {
    size_t size = sizeOfCharacter(line.substr(at));
    if (at + size > bytes)
      break;
    column += unitsOf(size, encoding);
    at += size;
  }
  return column;
}

size_t bytesOf(std::string_view line, uint32_t column, Encoding encoding) {
  size_t at = 0;
  for (uint32_t seen = 0; seen < column && at < line.size();) {
    size_t size = sizeOfCharacter(line.substr(at));
    uint32_t units = unitsOf(size, encoding);
    // A column inside a character is the character's begin.
    if (seen + units > column)
      break;
    seen += units;
    at += size;
  }
  return at;
}

namespace {
/// Finds line ends, one letter at a time, which is faster than any of two.
class LineEnds {
public:
  explicit LineEnds(std::string_view text)
      : text(text), newline(text.find('\n')) {}

  /// Offset behind the line end at or after `at`, which only grows; npos if the
  /// text has none.
  size_t next(size_t at) {
    // Once for all lines where there is none.
    if (newline < at)
      newline = text.find('\n', at);
    const size_t end =
        std::min(text.substr(0, newline).find('\r', at), newline);
    if (end == std::string_view::npos)
      return end;
    const bool isPair = end < newline && end + 1 == newline;
    return end + (isPair ? 2 : 1);
  }

private:
  std::string_view text;
  size_t newline;
};
} // namespace

Lines::Lines(std::string_view text) {
  LineEnds ends(text);
  for (size_t at = ends.next(0); at != std::string_view::npos;
       at = ends.next(at))
    starts.push_back(at);
  starts.shrink_to_fit();
}

void Lines::replace(std::string_view text, size_t begin, size_t end,
                    size_t size) {
  // From the line before, whose CR may have got or lost its LF.
  const size_t at = starts.lineOf(begin);
  const size_t first = at == 0 ? 0 : at - 1;
  size_t last = starts.lineOf(end + 1) + 1;
  const std::ptrdiff_t shift =
      std::ptrdiff_t(size) - std::ptrdiff_t(end - begin);
  const size_t stop = last == starts.size()
                          ? std::string_view::npos
                          : size_t(std::ptrdiff_t(starts[last]) + shift);
  LineStarts changed;
  for (size_t line = 1; line <= first; ++line)
    changed.push_back(starts[line]);
  LineEnds ends(text);
  for (size_t next = ends.next(starts[first]);
       next != std::string_view::npos && next < stop; next = ends.next(next))
    changed.push_back(next);
  for (; last < starts.size(); ++last)
    changed.push_back(size_t(std::ptrdiff_t(starts[last]) + shift));
  starts = std::move(changed);
}

std::string_view Lines::line(std::string_view text, size_t number) const {
  if (number >= starts.size())
    return {};
  size_t end = number + 1 < starts.size() ? starts[number + 1] : text.size();
  std::string_view line = text.substr(starts[number], end - starts[number]);
  while (!line.empty() && (line.back() == '\n' || line.back() == '\r'))
    line.remove_suffix(1);
  return line;
}

size_t Lines::offsetOf(std::string_view text, Position position,
                       Encoding encoding) const {
  if (position.line >= starts.size())
    return text.size();
  std::string_view here = line(text, position.line);
  return starts[position.line] + bytesOf(here, position.character, encoding);
}

Position Lines::positionOf(std::string_view text, size_t offset,
                           Encoding encoding) const {
  offset = std::min(offset, text.size());
  const size_t number = starts.lineOf(offset);
  return {uint32_t(number),
          columnOf(line(text, number), offset - starts[number], encoding)};
}

TextRange Lines::rangeOf(std::string_view text, size_t begin, size_t end,
                         Encoding encoding) const {
  return {positionOf(text, begin, encoding), positionOf(text, end, encoding)};
}

} // namespace memreflens::lsp
