//===- core/reduce/Child.cpp ----------------------------------------------===//

#include "core/reduce/Child.h"
#include "core/process/Child.h"
#include "core/process/PipeReader.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <new>
#include <sys/mman.h>
#include <unistd.h>

namespace memreflens {

void Channel::send(int64_t number) {
  writeAll(descriptor, &number, sizeof(number));
}

void Channel::send(std::string_view bytes) {
  send(int64_t(bytes.size()));
  writeAll(descriptor, bytes.data(), bytes.size());
}

int64_t Reader::number() {
  int64_t number = 0;
  if (rest.size() < sizeof(number)) {
    whole = false;
    return 0;
  }
  std::memcpy(&number, rest.data(), sizeof(number));
  rest.remove_prefix(sizeof(number));
  return number;
}

std::string Reader::text() {
  int64_t size = number();
  if (size < 0 || size_t(size) > rest.size()) {
    whole = false;
    return {};
  }
  std::string text(rest.substr(0, size_t(size)));
  rest.remove_prefix(size_t(size));
  return text;
}

namespace {
/// Memory that a child shares with its parent.
class SharedStage {
public:
  SharedStage() {
    void *memory = mmap(nullptr, sizeof(int32_t), PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
      throw std::bad_alloc();
    stage = new (memory) int32_t(0);
  }
  ~SharedStage() { munmap(stage, sizeof(int32_t)); }
  int32_t *stage;
};
} // namespace

/// What was not tried must not count as tried in vain.
[[noreturn]] static void endUnstarted() {
  std::fprintf(stderr, "memref-lens: error: cannot start a process: %s\n",
               std::strerror(errno));
  endJob(71);
}

ChildResult
runCandidate(const std::function<int(Channel &, int32_t *stage)> &job,
             double seconds) {
  ChildResult result;
  SharedStage shared;
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0)
    endUnstarted();
  auto inChild = [&] {
    close(ends[0]);
    Channel channel(ends[1]);
    return job(channel, shared.stage);
  };
  Child child = Child::run(inChild, ChildOutput::discarded);
  if (!child.hasStarted())
    endUnstarted();
  close(ends[1]);
  PipeReader reader(ends[0], seconds);
  result.sent = reader.readAll();
  result.timedOut = reader.isLate();
  close(ends[0]);
  const ChildEnd end = result.timedOut ? child.kill() : child.wait();
  result.stage = *shared.stage;
  result.ended = !result.timedOut && end.hasReturned;
  result.died = !result.timedOut && !end.hasReturned;
  result.end = end;
  return result;
}

} // namespace memreflens
