//===- core/files/UnnamedFile.cpp -----------------------------------------===//

#include "core/files/UnnamedFile.h"

#include <sys/mman.h>
#include <unistd.h>
#include <utility>

namespace memreflens {

static std::FILE *make() {
#ifdef MFD_CLOEXEC
  int descriptor = memfd_create("memref-lens", MFD_CLOEXEC);
  if (descriptor >= 0) {
    if (std::FILE *file = fdopen(descriptor, "w+b"))
      return file;
    close(descriptor);
  }
#endif
  return std::tmpfile();
}

UnnamedFile::UnnamedFile() : file(make()) {}

UnnamedFile::~UnnamedFile() {
  if (file)
    std::fclose(file);
}

UnnamedFile::UnnamedFile(UnnamedFile &&other) noexcept
    : file(std::exchange(other.file, nullptr)) {}

UnnamedFile &UnnamedFile::operator=(UnnamedFile &&other) noexcept {
  std::swap(file, other.file);
  return *this;
}

std::string UnnamedFile::read() const {
  std::string text;
  char buffer[1 << 16];
  std::fflush(file);
  for (ssize_t got; (got = pread(fileno(file), buffer, sizeof(buffer),
                                 off_t(text.size()))) > 0;)
    text.append(buffer, size_t(got));
  return text;
}

std::string UnnamedFile::getPath() const {
  return "/proc/self/fd/" + std::to_string(fileno(file));
}

} // namespace memreflens
