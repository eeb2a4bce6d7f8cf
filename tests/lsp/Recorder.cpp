//===- tests/lsp/Recorder.cpp - what a program allocates, frees and says --===//
//
// The allocator of the programs that happens.py runs. Prints `alloc N`, `free
// N` and, for each call of @lens_say, `say NUMBER ALLOCATION-OR-VALUE`.
//
//===----------------------------------------------------------------------===//

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>

namespace {
struct Allocation {
  int64_t number;
  char *end;
};
std::map<char *, Allocation> live;
int64_t count = 0;

/// Number of the living allocation that holds the address; -1 for none.
int64_t numberOf(void *address) {
  auto *at = static_cast<char *>(address);
  auto found = live.upper_bound(at);
  if (found == live.begin())
    return -1;
  --found;
  return at < found->second.end ? found->second.number : -1;
}

void *allocate(void *made, size_t size) {
  live[static_cast<char *>(made)] = {count, static_cast<char *>(made) + size};
  std::printf("alloc %lld\n", (long long)count++);
  return made;
}
} // namespace

extern "C" {
void *_mlir_memref_to_llvm_alloc(size_t size) {
  // Of no size, it would share its address with the next.
  return allocate(std::calloc(size + 1, 1), size + 1);
}

void *_mlir_memref_to_llvm_aligned_alloc(size_t alignment, size_t size) {
  size_t whole = (size / alignment + 1) * alignment;
  return allocate(std::aligned_alloc(alignment, whole), whole);
}

void _mlir_memref_to_llvm_free(void *freed) {
  std::printf("free %lld\n", (long long)numberOf(freed));
  // The memory is kept, so that an address means one allocation.
  live.erase(static_cast<char *>(freed));
}

void lens_say_value(int64_t number, int64_t value) {
  std::printf("say %lld %lld\n", (long long)number, (long long)value);
}

void lens_say_buffer(int64_t number, int64_t address) {
  // NOLINTNEXTLINE(performance-no-int-to-ptr)
  lens_say_value(number, numberOf(reinterpret_cast<void *>(address)));
}
}
