//===- tests/random/Fence.cpp ---------------------------------------------===//
//
// Catches what a compiled program does wrong.
//
// Preloaded into mlir-runner-22, it gives the buffers that compiled code
// allocates pages of their own. A use after the free, or past the end, stops
// the program with a message and status 97; a second free with 98. At the end
// it says on stderr how many buffers were allocated and how many are left:
//
//   fence: 12 buffers, 0 left
//
// LLVM's own memory is not touched: compiled code is what lies in no file.
//
//===----------------------------------------------------------------------===//

#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

namespace {
struct Buffer {
  char *pages;
  size_t length;
  char *pointer;
  bool freed;
};

struct Code {
  uintptr_t begin, end;
};
} // namespace

static constexpr size_t pageSize = 4096;
static constexpr size_t maxBuffers = 1 << 14;
static constexpr size_t slotCount = 1 << 16;
static constexpr size_t maxFiles = 512;
// Zero pages until used; no constructor may run inside malloc.
static Buffer buffers[maxBuffers];
/// By pointer: number in `buffers`, from 1.
static uint32_t slots[slotCount];
static Code files[maxFiles];
static size_t fileCount;
static size_t bufferCount;
static size_t leftCount;

[[noreturn]] static void stop(const char *message, int status) {
  ssize_t written = write(2, message, strlen(message));
  (void)written;
  _exit(status);
}

static void onFault(int, siginfo_t *info, void *) {
  auto *address = static_cast<char *>(info->si_addr);
  for (size_t i = bufferCount; i-- > 0;) {
    const Buffer &buffer = buffers[i];
    if (address < buffer.pages || address >= buffer.pages + buffer.length)
      continue;
    stop(buffer.freed ? "fence: use after free\n" : "fence: use past the end\n",
         97);
  }
  stop("fence: wild access\n", 97);
}

static int addFile(dl_phdr_info *info, size_t, void *) {
  for (int i = 0; i < info->dlpi_phnum && fileCount < maxFiles; ++i) {
    const ElfW(Phdr) &header = info->dlpi_phdr[i];
    if (header.p_type != PT_LOAD || !(header.p_flags & PF_X))
      continue;
    uintptr_t begin = info->dlpi_addr + header.p_vaddr;
    files[fileCount++] = {begin, begin + header.p_memsz};
  }
  return 0;
}

static bool isInFile(uintptr_t address) {
  for (size_t i = 0; i < fileCount; ++i)
    if (address >= files[i].begin && address < files[i].end)
      return true;
  return false;
}

/// Whether compiled code called us: its address belongs to no file.
static bool calledByProgram(void *caller) {
  auto address = reinterpret_cast<uintptr_t>(caller);
  if (isInFile(address))
    return false;
  // Perhaps of a library that was loaded since.
  fileCount = 0;
  dl_iterate_phdr(addFile, nullptr);
  return !isInFile(address);
}

/// Where `pointer` is, or would be, in `slots`.
static uint32_t &slotOf(const void *pointer) {
  auto key = reinterpret_cast<uintptr_t>(pointer) >> 4;
  for (size_t slot = (key * 0x9e3779b97f4a7c15ull) >> 48;; ++slot) {
    uint32_t &entry = slots[slot % slotCount];
    if (entry == 0 || buffers[entry - 1].pointer == pointer)
      return entry;
  }
}

static void *allocateFenced(size_t size) {
  if (bufferCount == maxBuffers)
    stop("fence: too many buffers\n", 96);
  if (bufferCount == 0) {
    struct sigaction action = {};
    action.sa_sigaction = onFault;
    action.sa_flags = SA_SIGINFO;
    sigaction(SIGSEGV, &action, nullptr);
    sigaction(SIGBUS, &action, nullptr);
  }
  size_t used = (size + pageSize - 1) / pageSize * pageSize;
  if (used == 0)
    used = pageSize;
  size_t length = used + pageSize;
  void *pages = mmap(nullptr, length, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (pages == MAP_FAILED)
    stop("fence: out of memory\n", 96);
  auto *begin = static_cast<char *>(pages);
  mprotect(begin + used, pageSize, PROT_NONE);
  // At the end, so that one step too far is seen; aligned as malloc aligns.
  char *pointer = begin + (used - size) / 16 * 16;
  memset(begin, 0x5a, used);
  buffers[bufferCount++] = {begin, length, pointer, false};
  slotOf(pointer) = bufferCount;
  ++leftCount;
  return pointer;
}

extern "C" void *malloc(size_t size) {
  using Malloc = void *(*)(size_t);
  static Malloc real;
  if (!real)
    real = reinterpret_cast<Malloc>(dlsym(RTLD_NEXT, "malloc"));
  if (calledByProgram(__builtin_return_address(0)))
    return allocateFenced(size);
  return real(size);
}

extern "C" void free(void *pointer) {
  using Free = void (*)(void *);
  static Free real;
  if (!real)
    real = reinterpret_cast<Free>(dlsym(RTLD_NEXT, "free"));
  if (uint32_t number = pointer ? slotOf(pointer) : 0) {
    Buffer &buffer = buffers[number - 1];
    if (buffer.freed)
      stop("fence: double free\n", 98);
    buffer.freed = true;
    --leftCount;
    mprotect(buffer.pages, buffer.length, PROT_NONE);
    return;
  }
  if (pointer && calledByProgram(__builtin_return_address(0)))
    stop("fence: free of what was not allocated\n", 98);
  real(pointer);
}

__attribute__((destructor)) static void report() {
  char line[96];
  int length = snprintf(line, sizeof(line), "fence: %zu buffers, %zu left\n",
                        bufferCount, leftCount);
  ssize_t written = write(2, line, size_t(length));
  (void)written;
}
