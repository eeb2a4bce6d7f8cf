//===- viewer/Child.cpp - runs a program without a shell ------------------===//

#include "viewer/Child.h"

#include <chrono>
#include <csignal>
#include <fcntl.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace memreflens::viewer {

static std::vector<char *> pointersTo(std::vector<std::string> &words) {
  std::vector<char *> pointers;
  for (std::string &word : words)
    pointers.push_back(word.data());
  pointers.push_back(nullptr);
  return pointers;
}

/// Gives it a second to clean up, then no more.
static void stop(pid_t child) {
  int status = 0;
  kill(child, SIGTERM);
  for (int turn = 0; turn < 100; ++turn) {
    if (waitpid(child, &status, WNOHANG) != 0)
      return;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  kill(child, SIGKILL);
  waitpid(child, &status, 0);
}

/// In the copy; only calls that are safe after fork.
[[noreturn]] static void becomeChild(const std::vector<char *> &arguments,
                                     const char *errorFile, pid_t parent) {
#ifdef __linux__
  // The thread that asks for a child waits for it, and ends with the viewer.
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent)
    _exit(1);
#endif
  int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
  int errors = open(errorFile, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  dup2(nothing, STDIN_FILENO);
  dup2(nothing, STDOUT_FILENO);
  dup2(errors, STDERR_FILENO);
  execvp(arguments[0], arguments.data());
  _exit(127);
}

int runChild(std::vector<std::string> words, const std::string &errorFile,
             const std::function<bool()> &onTurn) {
  std::vector<char *> arguments = pointersTo(words);
  pid_t parent = getpid();
  pid_t child = fork();
  if (child == 0)
    becomeChild(arguments, errorFile.c_str(), parent);
  if (child < 0)
    return -1;
  int status = 0;
  auto pause = std::chrono::milliseconds(1);
  while (waitpid(child, &status, WNOHANG) == 0) {
    if (!onTurn()) {
      stop(child);
      return -1;
    }
    std::this_thread::sleep_for(pause);
    pause = std::min(pause * 2, std::chrono::milliseconds(20));
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

bool startDetached(std::vector<std::string> words) {
  // Twice forked, so that nobody has to wait for it.
  int ends[2];
  if (words.empty() || pipe2(ends, O_CLOEXEC) != 0)
    return false;
  std::vector<char *> arguments = pointersTo(words);
  pid_t child = fork();
  if (child == 0) {
    if (fork() == 0) {
      setsid();
      execvp(arguments[0], arguments.data());
      char failed = 1;
      (void)!write(ends[1], &failed, 1);
    }
    _exit(0);
  }
  close(ends[1]);
  int status = 0;
  if (child > 0)
    waitpid(child, &status, 0);
  char failed = 0;
  // The end of the file says that the program took over.
  bool started = child > 0 && read(ends[0], &failed, 1) == 0;
  close(ends[0]);
  return started;
}

} // namespace memreflens::viewer
