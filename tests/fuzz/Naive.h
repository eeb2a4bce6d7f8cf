//===- tests/fuzz/Naive.h - lines and columns, the slow and plain way -----===//
//
// What the fuzz targets hold the line tables of the product against: every
// question walks the text from its begin, one character at a time.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_TESTS_FUZZ_NAIVE_H
#define MEMREFLENS_TESTS_FUZZ_NAIVE_H

#include <cstddef>
#include <string_view>
#include <vector>

namespace memreflens::fuzz {

/// One line without its end, by place.
struct NaiveLine {
  size_t begin = 0, end = 0;
};

/// Lines end at LF and CRLF, and with `bareCr` at CR too.
inline std::vector<NaiveLine> naiveLines(std::string_view text, bool bareCr) {
  std::vector<NaiveLine> lines(1);
  for (size_t at = 0; at < text.size();) {
    bool pair = text.substr(at, 2) == "\r\n";
    bool single = text[at] == '\n' || (bareCr && text[at] == '\r');
    if (!pair && !single) {
      lines.back().end = ++at;
      continue;
    }
    lines.back().end = at;
    at += pair ? 2 : 1;
    lines.push_back({at, at});
  }
  return lines;
}

/// Bytes of the character at the begin of `text` as RFC 3629 has it; 1 for a
/// byte that begins none.
inline size_t naiveCharacter(std::string_view text) {
  auto byte = [&](size_t at) {
    return at < text.size() ? unsigned((unsigned char)text[at]) : 0u;
  };
  auto follows = [&](size_t at) { return byte(at) >> 6 == 2; };
  unsigned first = byte(0);
  if (first >> 5 == 6 && follows(1))
    return (first & 31) >= 2 ? 2 : 1;
  if (first >> 4 == 14 && follows(1) && follows(2)) {
    unsigned code = (first & 15) << 12 | (byte(1) & 63) << 6 | (byte(2) & 63);
    return code >= 0x800 && (code < 0xD800 || code > 0xDFFF) ? 3 : 1;
  }
  if (first >> 3 == 30 && follows(1) && follows(2) && follows(3)) {
    unsigned code = (first & 7) << 18 | (byte(1) & 63) << 12 |
                    (byte(2) & 63) << 6 | (byte(3) & 63);
    return code >= 0x10000 && code <= 0x10FFFF ? 4 : 1;
  }
  return 1;
}

/// Units of a character of so many bytes: 8, 16 or 32 bits a unit.
inline size_t naiveUnits(size_t bytes, int bits) {
  return bits == 8 ? bytes : bits == 16 && bytes == 4 ? 2 : 1;
}

/// Column of a place in a line: the units of the characters that end by it.
inline size_t naiveColumn(std::string_view line, size_t bytes, int bits) {
  size_t column = 0;
  for (size_t at = 0; at < line.size();) {
    size_t size = naiveCharacter(line.substr(at));
    if (at + size > bytes)
      break;
    column += naiveUnits(size, bits);
    at += size;
  }
  return column;
}

/// Place of a column in a line: before the character that it lies in.
inline size_t naiveBytes(std::string_view line, size_t column, int bits) {
  size_t at = 0;
  for (size_t seen = 0; at < line.size();) {
    size_t size = naiveCharacter(line.substr(at));
    seen += naiveUnits(size, bits);
    if (seen > column)
      break;
    at += size;
  }
  return at;
}

} // namespace memreflens::fuzz

#endif // MEMREFLENS_TESTS_FUZZ_NAIVE_H
