//===- viewer/window/Png.cpp - pixels as a PNG file -----------------------===//

#include "viewer/window/Png.h"

#include "viewer/work/Files.h"

#include <cstdint>
#include <zlib.h>

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

static std::string compressed(const std::string &raw) {
  uLongf size = compressBound(uLong(raw.size()));
  std::string out(size, '\0');
  if (compress2(reinterpret_cast<Bytef *>(out.data()), &size,
                reinterpret_cast<const Bytef *>(raw.data()), uLong(raw.size()),
                Z_BEST_COMPRESSION) != Z_OK)
    return "";
  out.resize(size);
  return out;
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
  std::string size = bigEndian(uint32_t(width)) + bigEndian(uint32_t(height));
  return writeFile(path,
                   "\x89PNG\r\n\x1a\n" +
                       part("IHDR", size + std::string("\x08\x02\0\0\0", 5)) +
                       part("IDAT", compressed(raw)) + part("IEND", ""));
}

} // namespace memreflens::viewer
