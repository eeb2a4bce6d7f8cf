//===- lsp/supervisor/Child.cpp -------------------------------------------===//

#include "lsp/supervisor/Child.h"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <nlohmann/json.hpp>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

namespace memreflens::lsp {

void makeNonBlocking(int descriptor) {
  fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK);
}

//===--- Outbox -----------------------------------------------------------===//

void Outbox::add(std::string more) {
  if (empty()) {
    bytes = std::move(more);
    begin = 0;
    return;
  }
  bytes += more;
}

void Outbox::clear() {
  bytes.clear();
  begin = 0;
}

bool Outbox::flush(int descriptor) {
  while (!empty()) {
    ssize_t put = write(descriptor, bytes.data() + begin, bytes.size() - begin);
    if (put > 0) {
      begin += size_t(put);
      continue;
    }
    if (put < 0 && errno == EINTR)
      continue;
    if (put < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
      return true;
    clear();
    return false;
  }
  clear();
  return true;
}

//===--- Child ------------------------------------------------------------===//

/// Runs in the new process; only calls that are safe after fork.
[[noreturn]] static void becomeChild(int in, int out, pid_t parent, bool deep,
                                     char *const *arguments) {
#ifdef __linux__
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent)
    _exit(70);
#endif
  dup2(in, STDIN_FILENO);
  dup2(out, STDOUT_FILENO);
  signal(SIGPIPE, SIG_DFL);
  // No dump of a crash that is handled. Room for deep IR only for who refuses
  // what is deeper: MLIR's verifier takes minutes where it does not crash.
  rlimit none{0, 0};
  setrlimit(RLIMIT_CORE, &none);
  rlimit stack;
  if (deep && getrlimit(RLIMIT_STACK, &stack) == 0) {
    rlim_t wanted = rlim_t(256) << 20;
    if (stack.rlim_max == RLIM_INFINITY || stack.rlim_max >= wanted)
      stack.rlim_cur = wanted;
    setrlimit(RLIMIT_STACK, &stack);
  }
  execv("/proc/self/exe", arguments);
  execvp(arguments[0], arguments);
  _exit(70);
}

bool Child::start(const std::vector<std::string> &given) {
  kill();
  int toChild[2], fromChild[2];
  if (pipe2(toChild, O_CLOEXEC) != 0)
    return false;
  if (pipe2(fromChild, O_CLOEXEC) != 0) {
    close(toChild[0]);
    close(toChild[1]);
    return false;
  }
  std::string roleFlag = "--role=" + role;
  std::vector<char *> arguments;
  for (const std::string &argument : given)
    arguments.push_back(const_cast<char *>(argument.c_str()));
  arguments.insert(arguments.begin() + 1, roleFlag.data());
  arguments.push_back(nullptr);
  // A stack trace with symbols takes seconds, and nobody reads it.
  setenv("LLVM_DISABLE_SYMBOLIZATION", "1", 1);
  pid_t parent = getpid();
  pid = fork();
  if (pid == 0)
    becomeChild(toChild[0], fromChild[1], parent, role == "analysis",
                arguments.data());
  close(toChild[0]);
  close(fromChild[1]);
  if (pid < 0) {
    close(toChild[1]);
    close(fromChild[0]);
    return false;
  }
  in = toChild[1];
  out = fromChild[0];
  makeNonBlocking(in);
  makeNonBlocking(out);
#ifdef F_SETPIPE_SZ
  fcntl(in, F_SETPIPE_SZ, 1 << 20);
#endif
  outbox.clear();
  frames = FrameReader(size_t(1) << 30);
  ending.clear();
  return true;
}

void Child::reap() {
  int status = 0;
  if (pid > 0 && waitpid(pid, &status, 0) == pid) {
    if (WIFSIGNALED(status)) {
      const char *name = strsignal(WTERMSIG(status));
      ending = std::string("crashed (") + (name ? name : "signal") + ")";
    } else {
      ending = "exited with status " + std::to_string(WEXITSTATUS(status));
    }
  }
  pid = -1;
  close(in);
  close(out);
  in = out = -1;
}

void Child::kill() {
  if (pid <= 0)
    return;
  ::kill(pid, SIGKILL);
  reap();
}

void Child::send(const Json &message) {
  if (isRunning())
    outbox.add(encodeFrame(toBytes(message)));
}

bool Child::exchange() {
  if (!isRunning())
    return false;
  bool lives = outbox.flush(in);
  char buffer[1 << 16];
  while (true) {
    ssize_t got = read(out, buffer, sizeof(buffer));
    if (got > 0) {
      frames.add({buffer, size_t(got)});
      continue;
    }
    if (got < 0 && errno == EINTR)
      continue;
    if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
      break;
    lives = false;
    break;
  }
  if (!lives) {
    // A process that closed a pipe may still run.
    ::kill(pid, SIGKILL);
    reap();
  }
  return lives;
}

size_t Child::memory() const {
  if (!isRunning())
    return 0;
  std::string path = "/proc/" + std::to_string(pid) + "/statm";
  FILE *file = std::fopen(path.c_str(), "r");
  if (!file)
    return 0;
  size_t total = 0, resident = 0;
  int read = std::fscanf(file, "%zu %zu", &total, &resident);
  std::fclose(file);
  return read == 2 ? resident * size_t(sysconf(_SC_PAGESIZE)) : 0;
}

} // namespace memreflens::lsp
