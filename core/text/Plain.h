//===- core/text/Plain.h - bytes that stand for themselves in JSON --------===//
//
// Nearly all text is plain ASCII: readers and writers of JSON take it eight
// bytes at a time, and look at single bytes where this ends.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_TEXT_PLAIN_H
#define MEMREFLENS_TEXT_PLAIN_H

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace memreflens {

/// ASCII that no string of JSON escapes: all from the space on but `"` and `\`.
inline bool isPlain(char byte) {
  const auto c = static_cast<unsigned char>(byte);
  return c >= 0x20 && c < 0x80 && c != '"' && c != '\\';
}

/// How many bytes at the start are.
inline size_t plainBytes(std::string_view text) {
  constexpr uint64_t ones = 0x0101010101010101, tops = 0x8080808080808080;
  // Where a byte is below; one behind such a byte may be told wrong.
  auto below = [](uint64_t bytes, uint64_t limit) {
    return (bytes - ones * limit) & ~bytes & tops;
  };
  size_t at = 0;
  for (uint64_t bytes = 0; at + sizeof bytes <= text.size();
       at += sizeof bytes) {
    std::memcpy(&bytes, text.data() + at, sizeof bytes);
    if ((bytes & tops) | below(bytes, 0x20) | below(bytes ^ ones * '"', 1) |
        below(bytes ^ ones * '\\', 1))
      break;
  }
  while (at < text.size() && isPlain(text[at]))
    ++at;
  return at;
}

} // namespace memreflens

#endif // MEMREFLENS_TEXT_PLAIN_H
