//===- tests/fuzz/Replay.cpp - a fuzz target without libFuzzer ------------===//
//
// For builds that have no fuzzer: runs the target on the given files and on
// those of the given folders, then on random bytes, the same for the same seed.
//
//   fuzz-frames seeds/frames faults/frames --runs 1000 --seed 7
//
//===----------------------------------------------------------------------===//

#include "tests/fuzz/Fuzz.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <vector>

namespace fs = std::filesystem;

/// Of a target that knows the form of its input.
extern "C" size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size,
                                          size_t most, unsigned seed)
    __attribute__((weak));

/// What such a mutator calls for a change of any kind.
extern "C" size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t) {
  static std::mt19937 random(7);
  if (size)
    data[random() % size] = uint8_t(random());
  return size;
}

namespace {

using Bytes = std::vector<uint8_t>;

Bytes bytesOf(const fs::path &path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    std::fprintf(stderr, "cannot read '%s'\n", path.c_str());
    std::exit(1);
  }
  return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<fs::path> filesOf(const fs::path &path) {
  if (!fs::is_directory(path))
    return {path};
  std::vector<fs::path> files;
  for (const fs::directory_entry &entry :
       fs::recursive_directory_iterator(path))
    if (entry.is_regular_file())
      files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

/// Random bytes, or a seed with some of them; small sizes more often.
Bytes makeInput(const std::vector<Bytes> &seeds, std::mt19937 &random) {
  auto below = [&](size_t count) { return count ? random() % count : 0; };
  Bytes made;
  if (!seeds.empty() && below(2))
    made = seeds[below(seeds.size())];
  else
    made.resize(below(size_t(1) << below(10)));
  if (made.empty())
    return made;
  if (LLVMFuzzerCustomMutator) {
    size_t size = made.size();
    made.resize(size * 2);
    made.resize(LLVMFuzzerCustomMutator(made.data(), size, made.size(),
                                        unsigned(random())));
    return made;
  }
  size_t changes = made.size() < 1024 && below(2) ? made.size() : below(8) + 1;
  for (size_t n = 0; n < changes; ++n)
    made[below(made.size())] = uint8_t(random());
  return made;
}

} // namespace

int main(int argc, char **argv) {
  size_t runs = 0;
  unsigned seed = 1;
  std::vector<Bytes> seeds;
  for (int i = 1; i < argc; ++i) {
    std::string argument = argv[i];
    if (argument == "--runs" && i + 1 < argc) {
      runs = std::stoul(argv[++i]);
      continue;
    }
    if (argument == "--seed" && i + 1 < argc) {
      seed = unsigned(std::stoul(argv[++i]));
      continue;
    }
    for (const fs::path &path : filesOf(argument)) {
      std::fprintf(stderr, "%s\n", path.filename().c_str());
      seeds.push_back(bytesOf(path));
      LLVMFuzzerTestOneInput(seeds.back().data(), seeds.back().size());
    }
  }
  std::mt19937 random(seed);
  for (size_t run = 0; run < runs; ++run) {
    Bytes input = makeInput(seeds, random);
    // Kept before it is tried: what dies leaves its input behind.
    if (const char *last = std::getenv("MEMREF_LENS_FUZZ_LAST"))
      std::ofstream(last, std::ios::binary)
          .write(reinterpret_cast<const char *>(input.data()),
                 std::streamsize(input.size()));
    LLVMFuzzerTestOneInput(input.data(), input.size());
  }
  std::printf("%zu files and %zu random inputs hold\n", seeds.size(), runs);
  return 0;
}
