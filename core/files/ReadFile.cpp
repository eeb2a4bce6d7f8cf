//===- core/files/ReadFile.cpp --------------------------------------------===//

#include "core/files/ReadFile.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace memreflens {

static bool readAll(int descriptor, size_t limit, std::string &text,
                    std::string &error) {
  while (true) {
    // A large file must not be held twice, as a doubled buffer would.
    if (text.size() == text.capacity())
      text.reserve(text.size() + text.size() / 8 + (size_t(1) << 16));
    size_t had = text.size();
    text.resize(text.capacity());
    ssize_t got = read(descriptor, text.data() + had, text.size() - had);
    text.resize(had + size_t(std::max<ssize_t>(got, 0)));
    if (got == 0)
      return true;
    if (got < 0 && errno != EINTR) {
      error = std::strerror(errno);
      return false;
    }
    if (text.size() > limit) {
      error =
          "larger than the limit of " + std::to_string(limit >> 20) + " MiB";
      return false;
    }
  }
}

int openRegularFile(const std::string &path, std::string &error) {
  int descriptor =
      open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  struct stat status;
  if (descriptor < 0 || fstat(descriptor, &status) != 0) {
    error = std::strerror(errno);
  } else if (!S_ISREG(status.st_mode)) {
    error = S_ISDIR(status.st_mode) ? "is a folder" : "is no file";
  } else {
    return descriptor;
  }
  if (descriptor >= 0)
    close(descriptor);
  return -1;
}

std::optional<std::string> readRegularFile(const std::string &path,
                                           size_t limit, std::string &error) {
  int descriptor = openRegularFile(path, error);
  if (descriptor < 0)
    return std::nullopt;
  std::string text;
  struct stat status;
  // What it says of its size is a hint: it may grow or shrink while it is read.
  if (fstat(descriptor, &status) == 0)
    text.reserve(std::min(size_t(status.st_size), limit) + 1);
  bool isRead = readAll(descriptor, limit, text, error);
  close(descriptor);
  if (!isRead)
    return std::nullopt;
  return text;
}

} // namespace memreflens
