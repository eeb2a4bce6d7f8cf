//===- lsp/supervisor/Log.cpp ---------------------------------------------===//

#include "lsp/supervisor/Log.h"

#include <cstdio>
#include <poll.h>
#include <unistd.h>

namespace memreflens::lsp {

void Log::write(int level, const std::string &text) const {
  if (!takes(level))
    return;
  std::string line = "memref-lens-lsp-server: " + text + "\n";
  // A full pipe of an editor that does not read it must not block us.
  pollfd ready{STDERR_FILENO, POLLOUT, 0};
  if (settings.logFile.empty() && poll(&ready, 1, 0) == 1 &&
      (ready.revents & POLLOUT) && line.size() < 4096)
    (void)!::write(STDERR_FILENO, line.data(), line.size());
  if (settings.logFile.empty())
    return;
  if (FILE *file = std::fopen(settings.logFile.c_str(), "a")) {
    std::fwrite(line.data(), 1, line.size(), file);
    std::fclose(file);
  }
}

} // namespace memreflens::lsp
