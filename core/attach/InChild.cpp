//===- core/attach/InChild.cpp --------------------------------------------===//

#include "core/attach/InChild.h"
#include "core/pipeline/ChildProcess.h"

#include <cerrno>
#include <csignal>
#include <memory>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace memreflens {

/// The tool's handlers would print its stack, or clean up its files.
static void restoreSignals() {
  for (int signal : {SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGINT, SIGQUIT, SIGSEGV,
                     SIGTERM, SIGTRAP, SIGXCPU, SIGXFSZ})
    std::signal(signal, SIG_DFL);
  // Children of the child are waited for.
  std::signal(SIGCHLD, SIG_DFL);
  rlimit noCore{0, 0};
  setrlimit(RLIMIT_CORE, &noCore);
}

static bool endedWell(pid_t child) {
  int status = 0;
  pid_t ended = 0;
  do
    ended = waitpid(child, &status, 0);
  while (ended < 0 && errno == EINTR);
  // Where the tool ignores its children the system keeps no status; what was
  // written tells.
  return ended < 0 || (WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

bool runInChild(const std::function<int(std::FILE *output)> &work,
                std::string &output) {
  std::unique_ptr<std::FILE, int (*)(std::FILE *)> file(std::tmpfile(),
                                                        std::fclose);
  if (!file)
    return false;
  // Else the copy would write what the tool has not written yet.
  std::fflush(nullptr);
  pid_t tool = getpid();
  pid_t child = fork();
  if (child < 0)
    return false;
  if (child == 0) {
    restoreSignals();
    endWithParent(tool);
    int status = work(file.get());
    std::fflush(file.get());
    _exit(status);
  }
  if (!endedWell(child))
    return false;
  std::rewind(file.get());
  char buffer[1 << 16];
  while (size_t count = std::fread(buffer, 1, sizeof(buffer), file.get()))
    output.append(buffer, count);
  return !std::ferror(file.get());
}

} // namespace memreflens
