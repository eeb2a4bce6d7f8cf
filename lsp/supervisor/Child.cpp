//===- lsp/supervisor/Child.cpp -------------------------------------------===//

#include "lsp/supervisor/Child.h"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

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
  ChildProgram program;
  program.words = given;
  program.words.insert(program.words.begin() + 1, "--role=" + role);
  program.isThisProgram = true;
  program.in = toChild[0];
  program.out = fromChild[1];
  program.error = ChildProgram::kept;
  // Room for deep IR only for who rejects what is deeper: MLIR's verifier takes
  // minutes where it does not crash.
  program.hasDeepStack = role == "analysis";
  // A stack trace with symbols takes seconds, and nobody reads it.
  setenv("LLVM_DISABLE_SYMBOLIZATION", "1", 1);
  process = memreflens::Child::start(program);
  close(toChild[0]);
  close(fromChild[1]);
  if (!process.hasStarted()) {
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
  const ChildEnd end = process.wait();
  if (end.signal != 0) {
    ending = deathWords(end);
  } else if (end.status >= 0) {
    ending = "exited with status " + std::to_string(end.status);
  }
  process = {};
  close(in);
  close(out);
  in = out = -1;
}

void Child::kill() {
  if (!isRunning())
    return;
  ::kill(process.getId(), SIGKILL);
  reap();
}

void Child::send(const Json &message, std::vector<std::string_view> members) {
  if (!isRunning())
    return;
  if (members.empty())
    return outbox.add(encodeFrame(toBytes(message)));
  // A text of megabytes is copied once.
  const std::string begin = toOpenBytes(message);
  members.insert(members.begin(), begin);
  members.push_back("}}");
  outbox.add(encodeFrame(members));
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
    ::kill(process.getId(), SIGKILL);
    reap();
  }
  return lives;
}

size_t Child::memory() const {
  if (!isRunning())
    return 0;
  std::string path = "/proc/" + std::to_string(process.getId()) + "/statm";
  FILE *file = std::fopen(path.c_str(), "r");
  if (!file)
    return 0;
  size_t total = 0, resident = 0;
  int read = std::fscanf(file, "%zu %zu", &total, &resident);
  std::fclose(file);
  return read == 2 ? resident * size_t(sysconf(_SC_PAGESIZE)) : 0;
}

} // namespace memreflens::lsp
