//===- core/trace/Utf8.cpp - is this text UTF-8? --------------------------===//

#include "core/trace/Utf8.h"

#include <array>
#include <cstdint>
#include <cstring>

namespace memreflens::trace {

namespace {

constexpr std::string_view alphabet =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Length of the sequence that starts here; 0 if none does.
size_t sequenceLength(std::string_view text, size_t at) {
  auto byte = [&](size_t i) {
    return at + i < text.size() ? uint8_t(text[at + i]) : uint8_t(0);
  };
  auto continues = [&](size_t i) { return (byte(i) & 0xC0) == 0x80; };
  uint8_t first = byte(0), second = byte(1);
  if (first < 0x80)
    return 1;
  if (first >= 0xC2 && first <= 0xDF)
    return continues(1) ? 2 : 0;
  if ((first & 0xF0) == 0xE0) {
    bool overlong = first == 0xE0 && second < 0xA0;
    bool surrogate = first == 0xED && second > 0x9F;
    return continues(1) && continues(2) && !overlong && !surrogate ? 3 : 0;
  }
  if (first >= 0xF0 && first <= 0xF4) {
    bool overlong = first == 0xF0 && second < 0x90;
    bool tooLarge = first == 0xF4 && second > 0x8F;
    bool complete = continues(1) && continues(2) && continues(3);
    return complete && !overlong && !tooLarge ? 4 : 0;
  }
  return 0;
}

} // namespace

bool isValidUtf8(std::string_view text) {
  for (size_t at = 0; at < text.size();) {
    // Nearly all text is ASCII: eight bytes at once.
    uint64_t some = 0;
    for (; at + sizeof some <= text.size(); at += sizeof some) {
      std::memcpy(&some, text.data() + at, sizeof some);
      if (some & 0x8080808080808080u)
        break;
    }
    if (at == text.size())
      break;
    size_t length = sequenceLength(text, at);
    if (length == 0)
      return false;
    at += length;
  }
  return true;
}

std::string toBase64(std::string_view bytes) {
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (size_t at = 0; at < bytes.size(); at += 3) {
    size_t count = std::min<size_t>(3, bytes.size() - at);
    uint32_t group = 0;
    for (size_t i = 0; i < 3; ++i)
      group = group << 8 | (i < count ? uint8_t(bytes[at + i]) : 0);
    for (size_t i = 0; i < 4; ++i)
      text += i <= count ? alphabet[group >> (18 - 6 * i) & 63] : '=';
  }
  return text;
}

bool fromBase64(std::string_view text, std::string &bytes) {
  bytes.clear();
  if (text.size() % 4 != 0)
    return false;
  for (size_t at = 0; at < text.size(); at += 4) {
    uint32_t group = 0;
    size_t digits = 0;
    for (; digits < 4 && text[at + digits] != '='; ++digits) {
      size_t digit = alphabet.find(text[at + digits]);
      if (digit == std::string_view::npos)
        return false;
      group |= uint32_t(digit) << (18 - 6 * digits);
    }
    bool last = at + 4 == text.size();
    if (digits < 4 && (!last || digits < 2 || text.back() != '='))
      return false;
    for (size_t i = 0; i + 1 < digits; ++i)
      bytes += char(group >> (16 - 8 * i) & 0xFF);
  }
  return toBase64(bytes) == text;
}

} // namespace memreflens::trace
