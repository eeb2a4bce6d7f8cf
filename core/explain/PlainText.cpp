//===- core/explain/PlainText.cpp -----------------------------------------===//

#include "core/explain/PlainText.h"
#include "core/trace/Utf8.h"

#include <algorithm>
#include <cstdint>

namespace memreflens {

static void appendHex(std::string &out, uint32_t number, int digits) {
  for (int shift = 4 * (digits - 1); shift >= 0; shift -= 4)
    out += "0123456789abcdef"[number >> shift & 15];
}

/// Bytes of the character in front; 0 where there is none of UTF-8.
static size_t characterSize(std::string_view text) {
  auto lead = static_cast<unsigned char>(text.front());
  size_t size = lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  return size <= text.size() && trace::isValidUtf8(text.substr(0, size)) ? size
                                                                         : 0;
}

static uint32_t codePoint(std::string_view character) {
  auto lead = static_cast<unsigned char>(character.front());
  if (character.size() == 1)
    return lead;
  uint32_t point = lead & (0x7fu >> character.size());
  for (char next : character.substr(1))
    point = point << 6 | (static_cast<unsigned char>(next) & 0x3fu);
  return point;
}

static bool turnsDirection(uint32_t point) {
  return point == 0x061c || point == 0x200e || point == 0x200f ||
         (point >= 0x2028 && point <= 0x202e) ||
         (point >= 0x2066 && point <= 0x2069);
}

static std::string plain(std::string_view text, bool keepsLines) {
  std::string out;
  out.reserve(text.size());
  auto isUsual = [](char c) { return c >= 0x20 && c < 0x7f; };
  while (!text.empty()) {
    if (auto end = std::ranges::find_if_not(text, isUsual);
        end != text.begin()) {
      out.append(text.begin(), end);
      text.remove_prefix(size_t(end - text.begin()));
      continue;
    }
    size_t size = characterSize(text);
    std::string_view taken = text.substr(0, size ? size : 1);
    text.remove_prefix(taken.size());
    uint32_t point = size ? codePoint(taken) : 0;
    bool isLayout = keepsLines && (taken == "\n" || taken == "\t");
    bool isControl = point < 0x20 || (point >= 0x7f && point < 0xa0);
    if (isLayout || (size && !isControl && !turnsDirection(point))) {
      out += taken;
    } else if (size && !isControl) {
      out += "\\u";
      appendHex(out, point, 4);
    } else {
      for (char byte : taken) {
        out += "\\x";
        appendHex(out, static_cast<unsigned char>(byte), 2);
      }
    }
  }
  return out;
}

std::string plainText(std::string_view text) { return plain(text, true); }

std::string plainWord(std::string_view text) { return plain(text, false); }

} // namespace memreflens
