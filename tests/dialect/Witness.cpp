//===- tests/dialect/Witness.cpp - which buffer each value really was -----===//
//
// Called by instrumented programs (lens-opt --lens-instrument): collects, for
// each call of a function, the buffers that its values stood for, and holds the
// claims in the file $LENS_CLAIMS (lines of function, value, value: these never
// share a buffer) to them. Status 96 and a message where one is broken.
//
//   witness: 120 calls, 3400 pairs held, 0 broken
//
//===----------------------------------------------------------------------===//

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <set>
#include <vector>

namespace {
using Buffers = std::map<int64_t, std::set<int64_t>>;

struct Call {
  int64_t function;
  Buffers buffers;
};

struct Witness {
  std::multimap<int64_t, std::pair<int64_t, int64_t>> claims;
  std::vector<Call> calls;
  uint64_t ended = 0, held = 0, broken = 0;

  Witness() {
    const char *path = std::getenv("LENS_CLAIMS");
    std::FILE *file = path ? std::fopen(path, "r") : nullptr;
    long function = 0, first = 0, second = 0;
    while (file &&
           std::fscanf(file, "%ld %ld %ld", &function, &first, &second) == 3)
      claims.emplace(function, std::pair(first, second));
    if (file)
      std::fclose(file);
  }
  ~Witness() {
    std::fprintf(stderr, "witness: %lu calls, %lu pairs held, %lu broken\n",
                 (unsigned long)ended, (unsigned long)held,
                 (unsigned long)broken);
    std::fflush(stderr);
    if (broken)
      std::_Exit(96);
  }

  void leave() {
    Call call = std::move(calls.back());
    calls.pop_back();
    ++ended;
    auto [begin, end] = claims.equal_range(call.function);
    for (; begin != end; ++begin) {
      auto [first, second] = begin->second;
      if (!call.buffers.count(first) || !call.buffers.count(second))
        continue;
      bool isBroken = false;
      for (int64_t buffer : call.buffers[first])
        isBroken |= call.buffers[second].count(buffer) > 0;
      ++(isBroken ? broken : held);
      if (isBroken)
        std::fprintf(stderr, "witness: broken: function %ld, values %ld %ld\n",
                     long(call.function), long(first), long(second));
    }
  }
};
} // namespace

static Witness &witness() {
  static Witness one;
  return one;
}

extern "C" {
void lensEnter(int64_t function) { witness().calls.push_back({function, {}}); }
void lensSeen(int64_t value, int64_t pointer) {
  witness().calls.back().buffers[value].insert(pointer);
}
void lensLeave() { witness().leave(); }
}
