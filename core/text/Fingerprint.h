//===- core/text/Fingerprint.h - FNV-1a of 64 bits ------------------------===//
//
// Numbers that are the same on every machine, for what is written to files and
// told to other processes.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_TEXT_FINGERPRINT_H
#define MEMREFLENS_TEXT_FINGERPRINT_H

#include <cstdint>
#include <string_view>

namespace memreflens {

/// Of the bytes; goes on from `hash`.
inline uint64_t fingerprint(std::string_view bytes,
                            uint64_t hash = 0xcbf29ce484222325ull) {
  for (unsigned char byte : bytes)
    hash = (hash ^ byte) * 0x100000001b3ull;
  return hash;
}

/// Goes on from `hash` with the eight bytes of `more`, the lowest first.
inline uint64_t mixInto(uint64_t hash, uint64_t more) {
  for (int i = 0; i < 8; ++i, more >>= 8)
    hash = (hash ^ (more & 0xff)) * 0x100000001b3ull;
  return hash;
}

} // namespace memreflens

#endif // MEMREFLENS_TEXT_FINGERPRINT_H
