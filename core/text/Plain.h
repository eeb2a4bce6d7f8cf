//===- core/text/Plain.h - bytes that stand for themselves in JSON --------===//
//
// Nearly all text is plain ASCII: readers and writers of JSON take it eight
// bytes at a time, and look at single bytes where this ends.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_TEXT_PLAIN_H
#define MEMREFLENS_TEXT_PLAIN_H

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace memreflens {

/// Those that stand for themselves: ASCII from the space on but `"` and `\`.
inline constexpr auto plainTable = [] {
  std::array<bool, 256> table = {};
  for (size_t byte = 0x20; byte < 0x80; ++byte)
    table[byte] = byte != '"' && byte != '\\';
  return table;
}();

inline bool isPlain(char byte) {
  return plainTable[static_cast<unsigned char>(byte)];
}

/// How many bytes at the start are plain.
inline size_t plainBytes(std::string_view text) {
  constexpr uint64_t ones = 0x0101010101010101, tops = 0x8080808080808080;
  // Marks each byte that is below; above such a byte also others.
  auto below = [](uint64_t bytes, uint64_t limit) {
    return (bytes - ones * limit) & ~bytes & tops;
  };
  size_t at = 0;
  for (uint64_t bytes = 0; at + sizeof bytes <= text.size();
       at += sizeof bytes) {
    std::memcpy(&bytes, text.data() + at, sizeof bytes);
    const uint64_t others = (bytes & tops) | below(bytes, 0x20) |
                            below(bytes ^ ones * '"', 1) |
                            below(bytes ^ ones * '\\', 1);
    if (others == 0)
      continue;
    if constexpr (std::endian::native == std::endian::little)
      return at + size_t(std::countr_zero(others)) / 8;
    break;
  }
  while (at < text.size() && isPlain(text[at]))
    ++at;
  return at;
}

} // namespace memreflens

#endif // MEMREFLENS_TEXT_PLAIN_H
