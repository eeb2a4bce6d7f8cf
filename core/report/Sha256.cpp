//===- core/report/Sha256.cpp - FIPS 180-4, and base64 --------------------===//

#include "core/report/Sha256.h"

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>

namespace memreflens::report {

namespace {

using Words = std::array<uint32_t, 8>;

/// First 32 bits of the fractional part of a root of a prime. Roots of numbers
/// below 312 have at most 5 bits before the point, and a long double has 64.
uint32_t fraction(long double root) {
  return static_cast<uint32_t>((root - std::floor(root)) * 4294967296.0L);
}

struct Constants {
  Words start{};
  std::array<uint32_t, 64> rounds{};

  Constants() {
    size_t count = 0;
    for (unsigned n = 2; count < rounds.size(); ++n) {
      bool isPrime = true;
      for (unsigned d = 2; d * d <= n; ++d)
        isPrime &= n % d != 0;
      if (!isPrime)
        continue;
      if (count < start.size())
        start[count] = fraction(std::sqrt(static_cast<long double>(n)));
      rounds[count++] = fraction(std::cbrt(static_cast<long double>(n)));
    }
  }
};

void addBlock(Words &state, const unsigned char *block,
              const Constants &constants) {
  std::array<uint32_t, 64> w{};
  for (size_t i = 0; i < 16; ++i)
    for (size_t byte = 0; byte < 4; ++byte)
      w[i] = w[i] << 8 | block[4 * i + byte];
  for (size_t i = 16; i < 64; ++i) {
    uint32_t a = w[i - 15], b = w[i - 2];
    w[i] = w[i - 16] + w[i - 7] +
           (std::rotr(a, 7) ^ std::rotr(a, 18) ^ (a >> 3)) +
           (std::rotr(b, 17) ^ std::rotr(b, 19) ^ (b >> 10));
  }
  auto [a, b, c, d, e, f, g, h] = state;
  for (size_t i = 0; i < 64; ++i) {
    uint32_t first = h +
                     (std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25)) +
                     ((e & f) ^ (~e & g)) + constants.rounds[i] + w[i];
    uint32_t second = (std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22)) +
                      ((a & b) ^ (a & c) ^ (b & c));
    h = g, g = f, f = e, e = d + first;
    d = c, c = b, b = a, a = first + second;
  }
  Words sum{a, b, c, d, e, f, g, h};
  for (size_t i = 0; i < state.size(); ++i)
    state[i] += sum[i];
}

std::string base64(std::string_view bytes) {
  static constexpr char digits[] =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  for (size_t i = 0; i < bytes.size(); i += 3) {
    uint32_t group = 0;
    for (size_t k = 0; k < 3; ++k)
      group = group << 8 |
              (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k])
                                    : 0u);
    for (size_t k = 0; k < 4; ++k)
      out += i + k > bytes.size() ? '=' : digits[group >> (18 - 6 * k) & 63];
  }
  return out;
}

} // namespace

std::string sha256Base64(std::string_view text) {
  static const Constants constants;
  std::string padded(text);
  padded += '\x80';
  while (padded.size() % 64 != 56)
    padded += '\0';
  uint64_t bits = uint64_t(text.size()) * 8;
  for (int shift = 56; shift >= 0; shift -= 8)
    padded += static_cast<char>(bits >> shift & 255);
  Words state = constants.start;
  for (size_t at = 0; at < padded.size(); at += 64)
    addBlock(state, reinterpret_cast<const unsigned char *>(padded.data()) + at,
             constants);
  std::string digest;
  for (uint32_t word : state)
    for (int shift = 24; shift >= 0; shift -= 8)
      digest += static_cast<char>(word >> shift & 255);
  return base64(digest);
}

} // namespace memreflens::report
