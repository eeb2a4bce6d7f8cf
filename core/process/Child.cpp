//===- core/process/Child.cpp ---------------------------------------------===//

#include "core/process/Child.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <new>
#include <poll.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

namespace memreflens {

/// EX_SOFTWARE and EX_OSERR of sysexits.h.
static constexpr int softwareError = 70, systemError = 71;
/// What a shell gives for a command that is not found.
static constexpr int notFound = 127;

//===--- In the child: only calls that are safe after fork ----------------===//

/// A child whose parent is killed must not live on: it may never end. Does
/// nothing but on Linux.
static void endWithParent(pid_t parent) {
#ifdef __linux__
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent)
    _exit(softwareError);
#else
  (void)parent;
#endif
}

/// What a pass says of a program that the user never wrote is for nobody.
static void discardOutput() {
  int nowhere = open("/dev/null", O_WRONLY);
  if (nowhere < 0)
    return;
  dup2(nowhere, STDOUT_FILENO);
  dup2(nowhere, STDERR_FILENO);
  close(nowhere);
}

static void redirect(int descriptor, int to) {
  if (descriptor == ChildProgram::kept)
    return;
  if (descriptor < 0)
    descriptor = open("/dev/null", O_RDWR | O_CLOEXEC);
  dup2(descriptor, to);
}

static void allowDeepStack() {
  rlimit stack;
  if (getrlimit(RLIMIT_STACK, &stack) != 0)
    return;
  constexpr rlim_t wanted = rlim_t(256) << 20;
  if (stack.rlim_max == RLIM_INFINITY || stack.rlim_max >= wanted)
    stack.rlim_cur = wanted;
  setrlimit(RLIMIT_STACK, &stack);
}

[[noreturn]] static void become(const ChildProgram &program,
                                char *const *arguments) {
  redirect(program.in, STDIN_FILENO);
  redirect(program.out, STDOUT_FILENO);
  redirect(program.error, STDERR_FILENO);
  signal(SIGPIPE, SIG_DFL);
  // No dump of a crash that is handled.
  rlimit none{0, 0};
  setrlimit(RLIMIT_CORE, &none);
  if (program.hasDeepStack)
    allowDeepStack();
  if (program.isThisProgram)
    execv("/proc/self/exe", arguments);
  execvp(arguments[0], arguments);
  _exit(notFound);
}

//===--- How it ended -----------------------------------------------------===//

std::string causeOfDeath(const ChildEnd &end) {
  if (end.isOutOfMemory)
    return "out of memory";
  if (end.signal == 0)
    return "exit status " + std::to_string(end.status);
  const char *name = strsignal(end.signal);
  return name ? name : "signal " + std::to_string(end.signal);
}

std::string deathWords(const ChildEnd &end) {
  if (end.isOutOfMemory)
    return "ran out of memory";
  return (end.signal != 0 ? "crashed (" : "ended its process (") +
         causeOfDeath(end) + ")";
}

//===--- In the parent ----------------------------------------------------===//

/// For exec; valid as long as the words are.
static std::vector<char *> pointersTo(const std::vector<std::string> &words) {
  std::vector<char *> pointers;
  for (const std::string &word : words)
    pointers.push_back(const_cast<char *>(word.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

/// Memory that a copy of this process shares; null where there is none.
static std::shared_ptr<JobState> makeSharedState() {
  void *memory = mmap(nullptr, sizeof(JobState), PROT_READ | PROT_WRITE,
                      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
    return nullptr;
  return {new (memory) JobState(JobState::running),
          [](JobState *state) { munmap(state, sizeof(JobState)); }};
}

/// In the process of a job.
static JobState *stateOfThisJob = nullptr;

[[noreturn]] static void endJobAs(JobState state, int status) {
  if (stateOfThisJob)
    *stateOfThisJob = state;
  // The process is about to end; freeing megabytes of IR first helps nobody.
  _exit(status);
}

void endJob(int status) { endJobAs(JobState::returned, status); }

void endJobOutOfMemory() { endJobAs(JobState::outOfMemory, systemError); }

Child Child::run(const std::function<int()> &job, ChildOutput output) {
  // Else the copy would write it, too.
  std::fflush(nullptr);
  std::shared_ptr<JobState> state = makeSharedState();
  if (!state)
    return {};
  pid_t parent = getpid();
  Child child(fork());
  child.state = state;
  if (child.id != 0)
    return child;
  endWithParent(parent);
  if (output == ChildOutput::discarded)
    discardOutput();
  stateOfThisJob = state.get();
  std::set_new_handler(endJobOutOfMemory);
  endJob(job());
}

Child Child::start(const ChildProgram &program) {
  std::vector<char *> arguments = pointersTo(program.words);
  pid_t parent = getpid();
  Child child(fork());
  if (child.id != 0)
    return child;
  endWithParent(parent);
  become(program, arguments.data());
}

ChildEnd Child::endOf(int waitStatus) const {
  ChildEnd end = endWithoutStatus();
  if (!state)
    end.hasReturned = WIFEXITED(waitStatus);
  if (WIFSIGNALED(waitStatus))
    end.signal = WTERMSIG(waitStatus);
  else
    end.status = WEXITSTATUS(waitStatus);
  return end;
}

/// Where somebody ignores children, the system keeps no status.
ChildEnd Child::endWithoutStatus() const {
  ChildEnd end;
  end.hasReturned = state && *state == JobState::returned;
  end.isOutOfMemory = state && *state == JobState::outOfMemory;
  return end;
}

std::optional<ChildEnd> Child::poll() {
  int status = 0;
  pid_t ended = waitpid(id, &status, WNOHANG);
  if (ended == 0 || (ended < 0 && errno == EINTR))
    return std::nullopt;
  return ended < 0 ? endWithoutStatus() : endOf(status);
}

ChildEnd Child::wait() {
  int status = 0;
  pid_t ended = 0;
  do
    ended = waitpid(id, &status, 0);
  while (ended < 0 && errno == EINTR);
  return ended < 0 ? endWithoutStatus() : endOf(status);
}

/// Of a process' end; -1 where the system has none.
static int openProcess(pid_t id) {
#ifdef SYS_pidfd_open
  return int(syscall(SYS_pidfd_open, id, 0));
#else
  (void)id;
  return -1;
#endif
}

void pauseUntilOneEnds(const std::vector<const Child *> &children) {
  constexpr int longest = 20, blind = 2; // Milliseconds.
  std::vector<pollfd> ends;
  for (const Child *child : children)
    if (int end = openProcess(child->getId()); end >= 0)
      ends.push_back({end, POLLIN, 0});
  (void)::poll(ends.data(), ends.size(),
               ends.size() == children.size() ? longest : blind);
  for (const pollfd &end : ends)
    close(end.fd);
}

std::optional<ChildEnd> Child::waitWhile(const std::function<bool()> &goesOn) {
  while (true) {
    if (std::optional<ChildEnd> end = poll())
      return end;
    if (!goesOn())
      return std::nullopt;
    pauseUntilOneEnds({this});
  }
}

ChildEnd Child::kill() {
  ::kill(id, SIGKILL);
  return wait();
}

void Child::stop() {
  ::kill(id, SIGTERM);
  const auto last = std::chrono::steady_clock::now() + std::chrono::seconds(1);
  if (!waitWhile([&] { return std::chrono::steady_clock::now() < last; }))
    kill();
}

std::pair<pid_t, ChildEnd> waitForAnyChild() {
  int status = 0;
  pid_t ended = 0;
  do
    ended = waitpid(-1, &status, 0);
  while (ended < 0 && errno == EINTR);
  return {ended, ended < 0 ? ChildEnd() : Child().endOf(status)};
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

void becomeProgram(const std::string &path, std::vector<std::string> words) {
  execv(path.c_str(), pointersTo(words).data());
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
