//===- viewer/Png.cpp - PNG with stored blocks ----------------------------===//

#include "viewer/Png.h"

#include <algorithm>
#include <cstdint>
#include <fstream>

namespace memreflens::viewer {

static std::string bigEndian(uint32_t value) {
  return {char(value >> 24), char(value >> 16), char(value >> 8), char(value)};
}

static uint32_t crcOf(const std::string &bytes) {
  uint32_t crc = ~0u;
  for (unsigned char byte : bytes) {
    crc ^= byte;
    for (int bit = 0; bit < 8; ++bit)
      crc = crc >> 1 ^ (crc & 1 ? 0xedb88320u : 0);
  }
  return ~crc;
}

static std::string part(const std::string &kind, const std::string &data) {
  return bigEndian(uint32_t(data.size())) + kind + data +
         bigEndian(crcOf(kind + data));
}

static std::string stored(const std::string &raw) {
  std::string out = "\x78\x01";
  uint32_t a = 1, b = 0;
  for (unsigned char byte : raw) {
    a = (a + byte) % 65521;
    b = (b + a) % 65521;
  }
  for (size_t at = 0; at < raw.size(); at += 65535) {
    size_t size = std::min<size_t>(65535, raw.size() - at);
    out += char(at + size == raw.size());
    for (size_t word : {size, ~size}) {
      out += char(word);
      out += char(word >> 8);
    }
    out.append(raw, at, size);
  }
  return out + bigEndian(b << 16 | a);
}

bool writePng(const std::string &path, int width, int height,
              const std::vector<unsigned char> &pixels) {
  std::string raw;
  for (int y = 0; y < height; ++y) {
    raw += '\0';
    raw.append(reinterpret_cast<const char *>(pixels.data()) +
                   size_t(y) * size_t(width) * 3,
               size_t(width) * 3);
  }
  std::ofstream out(path, std::ios::binary);
  out << "\x89PNG\r\n\x1a\n"
      << part("IHDR", bigEndian(uint32_t(width)) + bigEndian(uint32_t(height)) +
                          std::string("\x08\x02\0\0\0", 5))
      << part("IDAT", stored(raw)) << part("IEND", "");
  return bool(out.flush());
}

} // namespace memreflens::viewer
