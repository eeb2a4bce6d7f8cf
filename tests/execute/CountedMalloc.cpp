//===- tests/execute/CountedMalloc.cpp ------------------------------------===//
//
// Preloaded into mlir-runner-22: counts what compiled code allocates and frees,
// by who calls: compiled code lies in no file.
//
//   counted: 12 allocations, 11 frees, peak 384 bytes
//
// A program may tell, by counted_room, how much of its next malloc is room to
// align the buffer, which is no byte of it.
//
//===----------------------------------------------------------------------===//

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <link.h>
#include <unistd.h>

static constexpr size_t mostBuffers = 1 << 16;
struct Buffer {
  void *pointer;
  size_t bytes;
};
// No constructor may run inside malloc.
static Buffer live[mostBuffers];
static size_t used;
static unsigned long allocations, frees;
static size_t bytesLive, peak, room;

struct Code {
  uintptr_t begin, end;
};
static constexpr size_t mostFiles = 1024;
static Code files[mostFiles];
static size_t fileCount;

static int addCode(dl_phdr_info *info, size_t, void *) {
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const auto &part = info->dlpi_phdr[i];
    if (part.p_type == PT_LOAD && (part.p_flags & PF_X) &&
        fileCount < mostFiles)
      files[fileCount++] = {info->dlpi_addr + part.p_vaddr,
                            info->dlpi_addr + part.p_vaddr + part.p_memsz};
  }
  return 0;
}

static bool isKnown(uintptr_t address) {
  for (size_t i = 0; i < fileCount; ++i)
    if (address >= files[i].begin && address < files[i].end)
      return true;
  return false;
}

/// Of a caller in no file; files are looked for again where one is not known.
static bool isCompiledCode(void *address) {
  const auto at = reinterpret_cast<uintptr_t>(address);
  if (isKnown(at))
    return false;
  fileCount = 0;
  dl_iterate_phdr(addCode, nullptr);
  return !isKnown(at);
}

extern "C" {
void *__libc_malloc(size_t bytes);
void __libc_free(void *pointer);

void counted_room(size_t bytes) { room = bytes; }

void *malloc(size_t bytes) {
  void *made = __libc_malloc(bytes);
  if (!isCompiledCode(__builtin_return_address(0)))
    return made;
  // As the run has it: what nothing has written holds zeros.
  if (made)
    std::memset(made, 0, bytes);
  ++allocations;
  bytes -= room;
  room = 0;
  if (used < mostBuffers)
    live[used++] = {made, bytes};
  bytesLive += bytes;
  peak = bytesLive > peak ? bytesLive : peak;
  return made;
}

void free(void *pointer) {
  if (pointer && isCompiledCode(__builtin_return_address(0))) {
    ++frees;
    for (size_t i = used; i-- > 0;)
      if (live[i].pointer == pointer) {
        bytesLive -= live[i].bytes;
        live[i] = live[--used];
        break;
      }
  }
  __libc_free(pointer);
}
}

namespace {
struct AtEnd {
  ~AtEnd() {
    char text[160];
    const int size =
        std::snprintf(text, sizeof(text),
                      "counted: %lu allocations, %lu frees, peak %zu bytes\n",
                      allocations, frees, peak);
    (void)!write(2, text, size_t(size));
  }
};
} // namespace
static AtEnd atEnd;
