//===- core/process/PipeReader.cpp ----------------------------------------===//

#include "core/process/PipeReader.h"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <poll.h>
#include <unistd.h>

namespace memreflens {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

PipeReader::PipeReader(int pipe, double seconds)
    : pipe(pipe), isLimited(seconds > 0),
      deadline(Clock::now() + milliseconds(int64_t(seconds * 1000))) {}

size_t PipeReader::readSome(char *data, size_t size) {
  while (!late) {
    int wait = -1;
    if (isLimited) {
      auto left =
          std::chrono::duration_cast<milliseconds>(deadline - Clock::now());
      wait = int(std::max<int64_t>(0, left.count()));
    }
    struct pollfd entry = {pipe, POLLIN, 0};
    int ready = poll(&entry, 1, wait);
    if (ready < 0 && errno == EINTR)
      continue;
    late = ready == 0;
    ssize_t got = late ? 0 : ::read(pipe, data, size);
    if (got >= 0 || errno != EINTR)
      return size_t(std::max<ssize_t>(0, got));
  }
  return 0;
}

bool PipeReader::read(void *data, size_t size) {
  char *next = static_cast<char *>(data);
  while (size > 0) {
    size_t got = readSome(next, size);
    if (got == 0)
      return false;
    next += got;
    size -= got;
  }
  return true;
}

std::string PipeReader::readAll() {
  std::string all;
  char buffer[65536];
  while (size_t got = readSome(buffer, sizeof(buffer)))
    all.append(buffer, got);
  return all;
}

} // namespace memreflens
