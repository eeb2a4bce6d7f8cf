//===- core/process/ChildProcess.cpp --------------------------------------===//

#include "core/process/ChildProcess.h"

#include <cerrno>
#include <csignal>
#include <fcntl.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif
#include <unistd.h>

namespace memreflens {

/// EX_SOFTWARE of sysexits.h.
static constexpr int softwareError = 70;

void endWithParent(pid_t parent) {
#ifdef __linux__
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent)
    _exit(softwareError);
#else
  (void)parent;
#endif
}

void discardOutput() {
  int nowhere = open("/dev/null", O_WRONLY);
  if (nowhere < 0)
    return;
  dup2(nowhere, STDOUT_FILENO);
  dup2(nowhere, STDERR_FILENO);
  close(nowhere);
}

void writeAll(int descriptor, const void *data, size_t size) {
  const char *next = static_cast<const char *>(data);
  while (size > 0) {
    ssize_t written = ::write(descriptor, next, size);
    if (written < 0 && errno == EINTR)
      continue;
    if (written <= 0)
      _exit(softwareError);
    next += written;
    size -= size_t(written);
  }
}

} // namespace memreflens
