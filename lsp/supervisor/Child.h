//===- lsp/supervisor/Child.h - a process of our own, on pipes ------------===//
//
// Runs this executable in another role. Never blocks: what cannot be written
// yet waits, and what was read comes as frames.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_LSP_SUPERVISOR_CHILD_H
#define MEMREFLENS_LSP_SUPERVISOR_CHILD_H

#include "core/process/Child.h"
#include "lsp/wire/Frames.h"
#include "lsp/wire/Message.h"

#include <sys/types.h>
#include <vector>

namespace memreflens::lsp {

/// Sets O_NONBLOCK.
void makeNonBlocking(int descriptor);

/// What waits to be written to a descriptor.
class Outbox {
public:
  void add(std::string bytes);
  /// False if the other side is gone.
  bool flush(int descriptor);
  bool empty() const { return begin == bytes.size(); }
  size_t size() const { return bytes.size() - begin; }
  void clear();

private:
  std::string bytes;
  size_t begin = 0;
};

class Child {
public:
  explicit Child(std::string role) : role(std::move(role)) {}
  ~Child() { kill(); }
  Child(const Child &) = delete;
  Child &operator=(const Child &) = delete;

  /// False if no process could be made.
  bool start(const std::vector<std::string> &arguments);
  void kill();
  bool isRunning() const { return process.hasStarted(); }
  pid_t processId() const { return process.getId(); }
  const std::string &getRole() const { return role; }

  /// `members`, in pieces: see `toBytes`.
  void send(const Json &message, std::vector<std::string_view> members = {});
  /// Writes what waits, reads what came. False once it is dead, after
  /// everything that it had written was read.
  bool exchange();
  std::optional<Frame> next() { return frames.next(); }

  int input() const { return in; }
  int output() const { return out; }
  bool wantsToWrite() const { return !outbox.empty(); }
  /// How it ended: "crashed (Segmentation fault)".
  const std::string &getEnding() const { return ending; }
  /// Resident bytes; 0 if unknown.
  size_t memory() const;

private:
  void reap();

  std::string role;
  memreflens::Child process;
  int in = -1, out = -1;
  Outbox outbox;
  FrameReader frames{size_t(1) << 30};
  std::string ending;
};

} // namespace memreflens::lsp

#endif // MEMREFLENS_LSP_SUPERVISOR_CHILD_H
