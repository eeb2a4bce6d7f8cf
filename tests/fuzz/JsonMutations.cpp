//===- tests/fuzz/JsonMutations.cpp - changes that keep JSON what it is ---===//
//
// For a target whose input is a trace: numbers and whole records are replaced,
// as well as bytes.
//
//===----------------------------------------------------------------------===//

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>

extern "C" size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most)
    __attribute__((weak));

/// Another number, or another line, in the place of one.
static std::string changed(std::string json, std::mt19937 &random) {
  if (random() % 3) {
    size_t at = json.find_first_of("0123456789", random() % json.size());
    if (at == std::string::npos)
      return json;
    size_t end =
        std::min(json.find_first_not_of("0123456789", at), json.size());
    static const char *numbers[] = {"0", "1",  "2",  "3", "4",
                                    "7", "11", "-1", "8", "4294967295"};
    return json.replace(at, end - at, numbers[random() % 10]);
  }
  size_t begin = json.find('\n', random() % json.size());
  if (begin == std::string::npos)
    return json;
  size_t end = std::min(json.find('\n', begin + 1), json.size());
  std::string line = json.substr(begin, end - begin);
  if (random() % 2)
    return json.erase(begin, line.size());
  size_t to = json.find('\n', random() % json.size());
  return json.insert(to == std::string::npos ? begin : to, line);
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size,
                                          size_t most, unsigned seed) {
  std::mt19937 random(seed);
  if (size == 0 || random() % 2)
    return LLVMFuzzerMutate(data, size, most);
  std::string json(reinterpret_cast<char *>(data), size);
  for (unsigned rounds = random() % 3 + 1; rounds && !json.empty(); --rounds)
    json = changed(std::move(json), random);
  size_t kept = std::min(json.size(), most);
  std::copy_n(json.data(), kept, reinterpret_cast<char *>(data));
  return kept;
}
