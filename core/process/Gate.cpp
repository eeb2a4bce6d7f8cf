//===- core/process/Gate.cpp ----------------------------------------------===//
//
// A pipe in which each byte is for one that passes.
//
//===----------------------------------------------------------------------===//

#include "core/process/Gate.h"

#include <cerrno>
#include <fcntl.h>
#include <poll.h>
#include <string>
#include <tuple>
#include <unistd.h>
#include <utility>

namespace memreflens {

Gate::Gate() {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) == 0)
    std::tie(in, out) = std::pair(ends[0], ends[1]);
}

Gate::~Gate() {
  if (in >= 0)
    close(in);
  if (out >= 0)
    close(out);
}

Gate::Gate(Gate &&other) noexcept
    : in(std::exchange(other.in, -1)), out(std::exchange(other.out, -1)) {}

Gate &Gate::operator=(Gate &&other) noexcept {
  std::swap(in, other.in);
  std::swap(out, other.out);
  return *this;
}

bool Gate::let(size_t count) const {
  const std::string bytes(count, 1);
  return isMade() && write(out, bytes.data(), count) == ssize_t(count);
}

bool Gate::pass() {
  // Else it would wait for itself, once all others are gone.
  if (out >= 0)
    close(std::exchange(out, -1));
  char byte = 0;
  ssize_t got = 0;
  do
    got = read(in, &byte, 1);
  while (got < 0 && errno == EINTR);
  return got == 1;
}

bool Gate::isOpen(int milliseconds) const {
  pollfd end{in, POLLIN, 0};
  return poll(&end, 1, milliseconds) == 1 && (end.revents & POLLIN);
}

} // namespace memreflens
