//===- tests/trace/MemoryTest.cpp - how much memory reading a trace takes -===//
//
// Counts what is asked of the heap, so that the answer is the same on every
// machine.
//
//===----------------------------------------------------------------------===//

#include "core/trace/Json.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <malloc.h>
#include <new>
#include <sstream>

static std::atomic<size_t> inUse = 0, mostInUse = 0;

static void *allocate(size_t size) {
  void *memory = std::malloc(size ? size : 1);
  if (!memory)
    throw std::bad_alloc();
  inUse += malloc_usable_size(memory);
  mostInUse = std::max<size_t>(mostInUse, inUse);
  return memory;
}

static void release(void *memory) {
  inUse -= memory ? malloc_usable_size(memory) : 0;
  std::free(memory);
}

void *operator new(size_t size) { return allocate(size); }
void *operator new[](size_t size) { return allocate(size); }
void *operator new(size_t size, const std::nothrow_t &) noexcept {
  try {
    return allocate(size);
  } catch (const std::bad_alloc &) {
    return nullptr;
  }
}
void operator delete(void *memory) noexcept { release(memory); }
void operator delete[](void *memory) noexcept { release(memory); }
void operator delete(void *memory, size_t) noexcept { release(memory); }
void operator delete[](void *memory, size_t) noexcept { release(memory); }

namespace memreflens::trace {
namespace {

/// Records as `memref-lens trace` writes them, in the proportions of a program.
Trace largeTrace(int count) {
  Trace trace;
  trace.chunks.resize(1);
  trace.chunks[0].id = 0;
  for (int i = 0; i < count; ++i) {
    trace.source.text += "  %buffer = memref.alloc() : memref<8xf32>\n";
    Value &value = trace.values.emplace_back();
    value.id = i;
    value.name = "buffer" + std::to_string(i);
    value.type = "memref<8xf32>";
    value.isMemref = true;
    value.op = i;
    value.range = {1, 9};
    value.uses = {{11, 18}, {20, 29}};
    Op &op = trace.ops.emplace_back();
    op.id = i;
    op.name = "memref.alloc";
    op.results = {i};
    op.operands = {0, i / 2};
    Event &event = trace.events.emplace_back();
    event.id = i;
    event.stage = 3;
    event.value = i;
    OwnershipEvent detail;
    detail.after = {OwnershipState::unique, i};
    event.detail = std::move(detail);
  }
  trace.chunks[0].stages.resize(9);
  for (int number = 0; number < 9; ++number)
    trace.chunks[0].stages[size_t(number)] = {number,
                                              "stage",
                                              number % 2 == 0,
                                              number % 2 ? ""
                                                         : trace.source.text,
                                              {},
                                              Agreement::notCompared,
                                              ""};
  return trace;
}

/// Bytes of the heap that are in use at most, beyond those before.
template <class Act> size_t mostBytesOf(Act &&act) {
  size_t before = inUse;
  mostInUse = before;
  act();
  return mostInUse - before;
}

// Three bytes of memory for each byte of the file, as docs and viewer say. A
// document kept in memory would take eight and more.
TEST(Memory, readingKeepsNoDocument) {
  std::stringstream file;
  writeJson(largeTrace(20000), file);
  size_t size = file.str().size();
  ASSERT_GT(size, 5000000u);
  size_t most = mostBytesOf([&] { ASSERT_TRUE(readJson(file)); });
  EXPECT_LT(most, 3 * size) << double(most) / double(size);
}

// What is no trace takes less: of the text nothing is kept to say why.
TEST(Memory, neitherDoesSayingWhatIsWrong) {
  std::stringstream file;
  writeJson(largeTrace(20000), file);
  std::string text = file.str();
  text.resize(text.size() - 40);
  std::istringstream cut(text);
  size_t most = mostBytesOf([&] { ASSERT_FALSE(readJson(cut)); });
  EXPECT_LT(most, 3 * text.size()) << double(most) / double(text.size());
}

} // namespace
} // namespace memreflens::trace
