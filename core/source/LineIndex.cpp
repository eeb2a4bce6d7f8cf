//===- core/source/LineIndex.cpp - byte offsets to lines and columns ------===//

#include "core/source/LineIndex.h"

#include <algorithm>

using namespace memreflens;

namespace {

/// One step through UTF-8: how many bytes and how many UTF-16 code units.
struct Unit {
  uint32_t bytes = 1;
  uint32_t utf16 = 1;
};

bool isContinuation(std::string_view text, size_t at) {
  return at < text.size() && (uint8_t(text[at]) & 0xC0) == 0x80;
}

} // namespace

/// A byte that starts no valid sequence counts one unit.
static Unit unitAt(std::string_view text, size_t at) {
  uint8_t lead = uint8_t(text[at]);
  uint8_t next = at + 1 < text.size() ? uint8_t(text[at + 1]) : 0;
  if (lead < 0xC2 || lead > 0xF4 || !isContinuation(text, at + 1))
    return {};
  if (lead < 0xE0)
    return {2, 1};
  bool overlong =
      (lead == 0xE0 && next < 0xA0) || (lead == 0xF0 && next < 0x90);
  bool noScalar =
      (lead == 0xED && next > 0x9F) || (lead == 0xF4 && next > 0x8F);
  if (overlong || noScalar || !isContinuation(text, at + 2))
    return {};
  if (lead < 0xF0)
    return {3, 1};
  return isContinuation(text, at + 3) ? Unit{4, 2} : Unit{};
}

LineIndex::LineIndex(std::string_view text) : text(text) {
  starts.push_back(0);
  for (size_t at = text.find('\n'); at != std::string_view::npos;
       at = text.find('\n', at + 1))
    starts.push_back(uint32_t(at + 1));
}

LineColumn LineIndex::lineColumn(uint32_t offset) const {
  offset = std::min(offset, uint32_t(text.size()));
  auto after = std::upper_bound(starts.begin(), starts.end(), offset);
  uint32_t line = uint32_t(after - starts.begin());
  return {line, offset - starts[line - 1] + 1};
}

LineColumn LineIndex::utf16(uint32_t offset) const {
  offset = std::min(offset, uint32_t(text.size()));
  uint32_t line = lineColumn(offset).line;
  uint32_t column = 0;
  for (uint32_t at = starts[line - 1]; at < offset;) {
    Unit unit = unitAt(text, at);
    // An offset inside a character is that character's start.
    if (at + unit.bytes > offset)
      break;
    at += unit.bytes;
    column += unit.utf16;
  }
  return {line - 1, column};
}

uint32_t LineIndex::offset(LineColumn position) const {
  if (position.line == 0)
    return 0;
  if (position.line > lineCount())
    return uint32_t(text.size());
  uint32_t column = std::max(position.column, 1u) - 1;
  uint32_t length = uint32_t(line(position.line).size());
  return starts[position.line - 1] + std::min(column, length);
}

uint32_t LineIndex::offsetOfUtf16(LineColumn position) const {
  if (position.line >= lineCount())
    return uint32_t(text.size());
  uint32_t at = starts[position.line];
  uint32_t end = at + uint32_t(line(position.line + 1).size());
  for (uint32_t column = 0; at < end && column < position.column;) {
    Unit unit = unitAt(text, at);
    // A column between two surrogates is the character's start.
    if (column + unit.utf16 > position.column)
      break;
    at += unit.bytes;
    column += unit.utf16;
  }
  return std::min(at, end);
}

std::string_view LineIndex::line(uint32_t number) const {
  if (number == 0 || number > lineCount())
    return {};
  size_t begin = starts[number - 1];
  size_t end = number < lineCount() ? starts[number] - 1 : text.size();
  // Where the text ends, a CR alone is part of the line.
  if (number < lineCount() && end > begin && text[end - 1] == '\r')
    --end;
  return text.substr(begin, end - begin);
}
