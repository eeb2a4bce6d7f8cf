//===- core/attach/InChild.cpp --------------------------------------------===//

#include "core/attach/InChild.h"
#include "core/files/UnnamedFile.h"
#include "core/process/ChildProcess.h"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <new>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace memreflens {

/// Status of a child that has no more of it.
static constexpr int outOfMemory = 71;

/// The tool's handlers would print its stack, or clean up its files.
static void restoreSignals() {
  for (int signal : {SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGINT, SIGQUIT, SIGSEGV,
                     SIGTERM, SIGTRAP, SIGXCPU})
    std::signal(signal, SIG_DFL);
  // A full disk is told, and does not kill.
  std::signal(SIGXFSZ, SIG_IGN);
  // Children of the child are waited for.
  std::signal(SIGCHLD, SIG_DFL);
  rlimit noCore{0, 0};
  setrlimit(RLIMIT_CORE, &noCore);
}

static bool endedWell(pid_t child, std::string &why) {
  int status = 0;
  pid_t ended = 0;
  do
    ended = waitpid(child, &status, 0);
  while (ended < 0 && errno == EINTR);
  // Where the tool ignores its children the system keeps no status; what was
  // written tells.
  if (ended < 0 || (WIFEXITED(status) && WEXITSTATUS(status) == 0))
    return true;
  why = WIFSIGNALED(status) ? std::string("the process that makes it ended: ") +
                                  strsignal(WTERMSIG(status))
        : WEXITSTATUS(status) == outOfMemory
            ? "out of memory"
            : "the process that makes it ended with status " +
                  std::to_string(WEXITSTATUS(status));
  return false;
}

bool runInChild(const std::function<int(std::FILE *output)> &work,
                std::string &output, std::string &why) {
  UnnamedFile file;
  if (!file.isOpen()) {
    why = std::string("no temporary file: ") + std::strerror(errno);
    return false;
  }
  // Else the copy would write what the tool has not written yet.
  std::fflush(nullptr);
  pid_t tool = getpid();
  pid_t child = fork();
  if (child < 0) {
    why = std::string("no process could be started: ") + std::strerror(errno);
    return false;
  }
  if (child == 0) {
    restoreSignals();
    std::set_new_handler([] { _exit(outOfMemory); });
    endWithParent(tool);
    int status = work(file.getStream());
    std::fflush(file.getStream());
    _exit(status);
  }
  if (!endedWell(child, why))
    return false;
  output += file.read();
  return true;
}

} // namespace memreflens
