//===- viewer/Child.cpp - runs a program without a shell ------------------===//

#include "viewer/Child.h"

#include <chrono>
#include <csignal>
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

extern char **environ;

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

int runChild(std::vector<std::string> words, const std::string &errorFile,
             const std::function<bool()> &onTurn) {
  std::vector<char *> arguments = pointersTo(words);
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&files, 1, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&files, 2, errorFile.c_str(),
                                   O_WRONLY | O_CREAT | O_TRUNC, 0600);
  pid_t child = 0;
  int failed = posix_spawnp(&child, arguments[0], &files, nullptr,
                            arguments.data(), environ);
  posix_spawn_file_actions_destroy(&files);
  if (failed)
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
