//===- core/execute/jit/Runtime.cpp ---------------------------------------===//

#include "core/execute/jit/Runtime.h"

#include "llvm/ADT/APFloat.h"

#include <algorithm>
#include <cstring>
#include <random>
#include <unistd.h>

namespace memreflens::execute {

namespace {
struct Runtime {
  Heap *heap = nullptr;
  const SharedCounts *counts = nullptr;
  const Program *program = nullptr;
  std::mt19937_64 random;
  /// The site whose call of dealloc_helper runs.
  uint32_t caller = 0;
};
} // namespace

static Runtime runtime;

static SiteCounts &countOf(uint64_t site) {
  return runtime.counts->sites()[site];
}

static void *allocate(uint64_t bytes, uint64_t alignment, uint64_t site) {
  return runtime.heap->allocate(bytes, alignment, uint32_t(site));
}
static void release(void *pointer, uint64_t site) {
  runtime.heap->free(pointer, uint32_t(site), runtime.program->numbers[site]);
}
static void *accessAt(void *pointer, const void *base, uint64_t bytes,
                      uint64_t site, uint64_t isWrite) {
  return runtime.heap->access(pointer, base, bytes, uint32_t(site),
                              isWrite != 0);
}
static void accessIf(void *pointer, const void *base, uint64_t bytes,
                     uint64_t site, uint64_t isWrite, uint64_t isOn) {
  if (isOn)
    runtime.heap->access(pointer, base, bytes, uint32_t(site), isWrite != 0);
}
static void touch(uint64_t address, uint64_t site) {
  runtime.heap->touch(reinterpret_cast<const void *>(address), uint32_t(site));
}

static void keep(uint64_t address, uint64_t site) {
  runtime.heap->keep(reinterpret_cast<const void *>(address), uint32_t(site));
}
static void countCondition(uint64_t site, uint64_t isTrue) {
  runtime.counts->totals().lastSite = uint32_t(site);
  SiteCounts &count = countOf(site);
  ++count.ran;
  count.yes += isTrue;
}
/// The deallocation itself is counted where it happens.
static void countDecision(uint64_t site, uint64_t isTrue) {
  SiteCounts &count = countOf(site);
  ++count.compares;
  count.equal += isTrue;
}
static void countCompare(uint64_t site, uint64_t isEqual) {
  SiteCounts &count = countOf(site);
  ++count.ran;
  count.yes += isEqual;
  if (runtime.program->sites[site].function.starts_with("dealloc_helper")) {
    SiteCounts &by = countOf(runtime.caller);
    ++by.compares;
    by.equal += isEqual;
  }
}
static void divide(uint64_t site) {
  runtime.counts->totals().lastSite = uint32_t(site);
}
static void countBlock(uint64_t site) { ++countOf(site).ran; }
static void countCall(uint64_t site) {
  runtime.counts->totals().lastSite = uint32_t(site);
  runtime.caller = uint32_t(site);
  ++countOf(site).ran;
  runtime.heap->enter(uint32_t(site));
}
static void leaveCall() { runtime.heap->leave(); }

//===--- Copies between strides -------------------------------------------===//

namespace {
/// As MLIR lowers a memref without a rank.
struct AnyRank {
  int64_t rank;
  void *descriptor;
};
/// Behind the two pointers and the offset: sizes, then strides.
struct Descriptor {
  char *allocated, *aligned;
  int64_t offset;
  int64_t numbers[];
};
} // namespace

static void copyStrided(int64_t bytes, AnyRank *from, AnyRank *to,
                        uint64_t site) {
  const auto *source = static_cast<Descriptor *>(from->descriptor);
  const auto *target = static_cast<Descriptor *>(to->descriptor);
  const int64_t rank = from->rank;
  for (int64_t i = 0; i < rank; ++i)
    if (source->numbers[i] <= 0)
      return;
  std::vector<int64_t> at(size_t(rank), 0);
  while (true) {
    int64_t read = source->offset, write = target->offset;
    for (int64_t i = 0; i < rank; ++i) {
      read += at[size_t(i)] * source->numbers[rank + i];
      write += at[size_t(i)] * target->numbers[rank + i];
    }
    std::memcpy(accessAt(target->aligned + write * bytes, target->aligned,
                         uint64_t(bytes), site, true),
                accessAt(source->aligned + read * bytes, source->aligned,
                         uint64_t(bytes), site, false),
                size_t(bytes));
    int64_t last = rank - 1;
    while (last >= 0 && ++at[size_t(last)] == source->numbers[last])
      at[size_t(last--)] = 0;
    if (last < 0)
      return;
  }
}

//===--- What buffers hold ------------------------------------------------===//

static uint16_t asBfloat(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  // Rounded to even.
  return uint16_t((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

/// Small numbers: as positions they stay within buffers.
static uint64_t bitsOf(const Filling &filling, uint64_t i) {
  const bool isRandom = filling.content == Content::random;
  if (filling.number == Filling::Number::integer) {
    const uint64_t most = filling.width == 1 ? 2 : 4;
    return isRandom              ? runtime.random() % most
           : filling.width >= 64 ? i
                                 : i & ((uint64_t(1) << filling.width) - 1);
  }
  const double value =
      isRandom ? double(runtime.random() >> 11) * 0x1p-53 : double(i);
  uint64_t bits = 0;
  if (filling.number == Filling::Number::bfloat)
    return asBfloat(float(value));
  if (filling.width == 64) {
    std::memcpy(&bits, &value, 8);
  } else if (filling.width == 32) {
    const auto single = float(value);
    std::memcpy(&bits, &single, 4);
  } else {
    llvm::APFloat half(value);
    bool loses = false;
    half.convert(llvm::APFloat::IEEEhalf(), llvm::APFloat::rmNearestTiesToEven,
                 &loses);
    bits = half.bitcastToAPInt().getZExtValue();
  }
  return bits;
}

static void fill(uint64_t address, uint64_t number) {
  auto *bytes = reinterpret_cast<char *>(address);
  const Filling &filling = runtime.program->fillings[number];
  uint64_t width = 1;
  while (width * 8 < filling.width)
    width *= 2;
  if (filling.content == Content::file) {
    std::memcpy(
        bytes, filling.bytes.data(),
        std::min<uint64_t>(filling.bytes.size(), filling.elements * width));
    return;
  }
  if (filling.content == Content::zeros) {
    std::memset(bytes, 0, filling.elements * width);
    return;
  }
  for (uint64_t i = 0; i < filling.elements; ++i) {
    const uint64_t bits = bitsOf(filling, i);
    std::memcpy(bytes + i * width, &bits, width);
  }
}

//===--- What lowered programs call of C ----------------------------------===//

/// `cf.assert` says its message, then ends.
static int say(const char *text) {
  runtime.counts->fail(std::string("an assertion does not hold: ") + text,
                       runtime.counts->totals().lastSite);
  return 0;
}
/// Of what says nothing before it, this is all that is known.
static void end() {
  RunTotals &totals = runtime.counts->totals();
  if (totals.failure.front() == '\0')
    runtime.counts->fail("it calls abort()", totals.lastSite);
  _exit(76);
}
/// What `vector.print` prints goes nowhere.
static void ignore() {}

void beginRuntime(Heap &heap, const SharedCounts &counts,
                  const Program &program, uint64_t seed) {
  runtime.heap = &heap;
  runtime.counts = &counts;
  runtime.program = &program;
  runtime.random.seed(seed);
}

std::vector<RuntimeSymbol> runtimeSymbols() {
  auto at = [](auto *function) { return reinterpret_cast<void *>(function); };
  std::vector<RuntimeSymbol> symbols = {{hook::allocate, at(&allocate)},
                                        {hook::free, at(&release)},
                                        {hook::access, at(&accessAt)},
                                        {hook::accessIf, at(&accessIf)},
                                        {hook::copy, at(&copyStrided)},
                                        {hook::condition, at(&countCondition)},
                                        {hook::decide, at(&countDecision)},
                                        {hook::compare, at(&countCompare)},
                                        {hook::divide, at(&divide)},
                                        {hook::call, at(&countCall)},
                                        {hook::leave, at(&leaveCall)},
                                        {fillName, at(&fill)},
                                        {touchName, at(&touch)},
                                        {keepName, at(&keep)},
                                        {blockName, at(&countBlock)},
                                        {"memcpy", at(&std::memcpy)},
                                        {"memmove", at(&std::memmove)},
                                        {"memset", at(&std::memset)},
                                        {"puts", at(&say)},
                                        {"abort", at(&end)}};
  for (llvm::StringRef name :
       {"printI64", "printU64", "printF32", "printF64", "printF16", "printBF16",
        "printApFloat", "printString", "printOpen", "printClose", "printComma",
        "printNewline"})
    symbols.push_back({name, at(&ignore)});
  return symbols;
}

} // namespace memreflens::execute
