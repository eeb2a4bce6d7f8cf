//===- core/reduce/Child.h - a job in a process of its own ----------------===//

#ifndef MEMREFLENS_REDUCE_CHILD_H
#define MEMREFLENS_REDUCE_CHILD_H

#include "core/process/Child.h"

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace memreflens {

/// What a job says before it ends.
class Channel {
public:
  explicit Channel(int descriptor) : descriptor(descriptor) {}
  void send(std::string_view bytes);
  void send(int64_t number);

private:
  int descriptor;
};

/// Reads what was sent, in order; empty or 0 once there is nothing left.
class Reader {
public:
  explicit Reader(std::string_view bytes) : rest(bytes) {}
  std::string text();
  int64_t number();
  bool isWhole() const { return whole; }

private:
  std::string_view rest;
  bool whole = true;
};

struct ChildResult {
  std::string sent;
  /// The job returned.
  bool ended = false;
  bool timedOut = false;
  /// Something in the job ended the process: `end` says what.
  bool died = false;
  ChildEnd end;
  /// What the job last put there.
  int32_t stage = 0;
};

/// Runs the job in a child; `stage` is memory that both share. Its output goes
/// nowhere. 0 seconds: no limit. Where no child can be started this process
/// ends, with a message and status 71.
ChildResult
runCandidate(const std::function<int(Channel &, int32_t *stage)> &job,
             double seconds);

} // namespace memreflens

#endif // MEMREFLENS_REDUCE_CHILD_H
