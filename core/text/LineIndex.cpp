//===- core/text/LineIndex.cpp --------------------------------------------===//

#include "core/text/LineIndex.h"

#include <algorithm>

using namespace memreflens;

uint32_t memreflens::utf16Length(std::string_view text) {
  uint32_t units = 0;
  for (unsigned char letter : text)
    if ((letter & 0xC0) != 0x80)
      units += letter >= 0xF0 ? 2 : 1;
  return units;
}

LineIndex::LineIndex(std::string_view text) : text(text) {
  for (size_t at = text.find('\n'); at != std::string_view::npos;
       at = text.find('\n', at + 1))
    starts.push_back(at + 1);
  starts.shrink_to_fit();
}

LineColumn LineIndex::lineColumn(uint32_t offset) const {
  offset = std::min(offset, uint32_t(text.size()));
  const size_t line = starts.lineOf(offset);
  return {uint32_t(line + 1), uint32_t(offset - starts[line] + 1)};
}

uint32_t LineIndex::offset(LineColumn position) const {
  if (position.line == 0)
    return 0;
  if (position.line > lineCount())
    return uint32_t(text.size());
  uint32_t column = std::max(position.column, 1u) - 1;
  uint32_t length = uint32_t(line(position.line).size());
  return uint32_t(starts[position.line - 1]) + std::min(column, length);
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
