//===- core/attach/InChild.cpp --------------------------------------------===//

#include "core/attach/InChild.h"
#include "core/files/UnnamedFile.h"
#include "core/process/Child.h"

#include <cerrno>
#include <csignal>
#include <cstring>

#include <sys/resource.h>
#include <unistd.h>

namespace memreflens {

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

static bool endedWell(const ChildEnd &end, std::string &why) {
  // Where the tool ignores its children the system keeps no status; what was
  // written tells.
  if (end.hasReturned && end.status <= 0)
    return true;
  why = "the process that makes it " + deathWords(end);
  return false;
}

bool writtenInChild(const std::function<int(std::FILE *output)> &work,
                    std::string &output, std::string &why) {
  UnnamedFile file;
  if (!file.isOpen()) {
    why = std::string("no temporary file: ") + std::strerror(errno);
    return false;
  }
  Child child = Child::run([&] {
    restoreSignals();
    int status = work(file.getStream());
    std::fflush(file.getStream());
    return status;
  });
  if (!child.hasStarted()) {
    why = std::string("no process could be started: ") + std::strerror(errno);
    return false;
  }
  if (!endedWell(child.wait(), why))
    return false;
  output += file.read();
  return true;
}

} // namespace memreflens
