//===- core/text/Escape.cpp - text of the user's as plain characters ------===//
//
// One pass over the bytes; decoding is strict, so that no two readers can
// disagree about what a malformed sequence means.
//
//===----------------------------------------------------------------------===//

#include "core/text/Escape.h"

#include <algorithm>
#include <cstdint>

namespace memreflens {

namespace {

struct Decoded {
  uint32_t point = 0;
  /// Bytes read; 0 if they are no UTF-8.
  size_t size = 0;
};

Decoded decode(std::string_view text) {
  auto lead = static_cast<unsigned char>(text[0]);
  if (lead < 0x80)
    return {lead, 1};
  size_t size = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || text.size() < size)
    return {};
  uint32_t point = lead & (0x7fu >> size);
  for (size_t i = 1; i < size; ++i) {
    auto next = static_cast<unsigned char>(text[i]);
    if (next >> 6 != 2)
      return {};
    point = point << 6 | (next & 0x3fu);
  }
  constexpr uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  bool isSurrogate = point >= 0xd800 && point <= 0xdfff;
  if (point < least[size] || isSurrogate || point > 0x10ffff)
    return {};
  return {point, size};
}

/// Turns the direction of text, or is not seen at all.
bool deceives(uint32_t point) {
  return point == 0x00ad || point == 0x061c || point == 0x180e ||
         (point >= 0x200b && point <= 0x200f) ||
         (point >= 0x2028 && point <= 0x202e) ||
         (point >= 0x2060 && point <= 0x206f) || point == 0xfeff;
}

std::string pictureOf(uint32_t control) {
  // U+2400 to U+2421, in UTF-8.
  uint32_t low = control == 0x7f ? 0x21 : control;
  return {'\xe2', '\x90', char(0x80 + low)};
}

std::string codeOf(uint32_t point) {
  constexpr char digits[] = "0123456789ABCDEF";
  std::string out = "⟨U+";
  for (int shift = 12; shift >= 0; shift -= 4)
    out += digits[point >> shift & 0xf];
  return out + "⟩";
}

} // namespace

std::string visibleText(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    Decoded next = decode(text);
    bool isNoCharacter = (next.point & 0xfffe) == 0xfffe ||
                         (next.point >= 0x80 && next.point < 0xa0);
    if (next.size == 0 || isNoCharacter)
      out += "\xef\xbf\xbd";
    else if (next.point == '\n' || next.point == '\r' || next.point == '\t')
      out += ' ';
    else if (next.point < 0x20 || next.point == 0x7f)
      out += pictureOf(next.point);
    else if (deceives(next.point))
      out += codeOf(next.point);
    else
      out += text.substr(0, next.size);
    text.remove_prefix(std::max<size_t>(next.size, 1));
  }
  return out;
}

std::string escapedXml(std::string_view text) {
  std::string out;
  for (char c : visibleText(text)) {
    switch (c) {
    case '&':
      out += "&amp;";
      break;
    case '<':
      out += "&lt;";
      break;
    case '>':
      out += "&gt;";
      break;
    case '"':
      out += "&quot;";
      break;
    case '\'':
      out += "&#39;";
      break;
    default:
      out += c;
    }
  }
  return out;
}

size_t textWidth(std::string_view text) {
  return size_t(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) >> 6) != 2;
  }));
}

} // namespace memreflens
