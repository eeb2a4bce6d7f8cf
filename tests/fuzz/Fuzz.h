//===- tests/fuzz/Fuzz.h - what every fuzz target uses --------------------===//
//
// A target is one function that libFuzzer calls with bytes; it must hold for
// all of them. `require` ends the process where it does not, so that libFuzzer
// keeps the input. Replay.cpp runs the same targets without libFuzzer.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_TESTS_FUZZ_FUZZ_H
#define MEMREFLENS_TESTS_FUZZ_FUZZ_H

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

namespace memreflens::fuzz {

inline void require(bool holds, const char *rule,
                    const std::string &detail = {}) {
  if (holds)
    return;
  std::fprintf(stderr, "\nrule broken: %s\n%s\n", rule, detail.c_str());
  std::abort();
}

/// Reads choices from the input; past its end every choice is the first one.
class Choices {
public:
  explicit Choices(std::string_view bytes) : bytes(bytes) {}
  Choices(const uint8_t *data, size_t size)
      : bytes(reinterpret_cast<const char *>(data), size) {}

  bool empty() const { return bytes.empty(); }
  uint8_t byte() {
    if (bytes.empty())
      return 0;
    uint8_t first = uint8_t(bytes.front());
    bytes.remove_prefix(1);
    return first;
  }
  /// 0 to `count` - 1; `count` is at most 256.
  unsigned below(unsigned count) { return count ? byte() % count : 0; }
  bool chance(unsigned percent) { return below(100) + percent >= 100; }
  std::string_view take(size_t count) {
    std::string_view piece = bytes.substr(0, count);
    bytes.remove_prefix(piece.size());
    return piece;
  }
  std::string_view rest() { return take(bytes.size()); }

private:
  std::string_view bytes;
};

} // namespace memreflens::fuzz

#endif // MEMREFLENS_TESTS_FUZZ_FUZZ_H
