//===- lsp/supervisor/Watch.h - what is kept of a child's life ------------===//
//
// The clock, what a child was sent and is not done with, and how often it died
// of late.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_LSP_SUPERVISOR_WATCH_H
#define MEMREFLENS_LSP_SUPERVISOR_WATCH_H

#include "lsp/wire/Message.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>

namespace memreflens::lsp {

class Child;

/// Seconds of a steady clock.
double now();

/// Something that a child was sent and is not done with.
struct Sent {
  /// Request's serial; 0 for a document's text.
  uint64_t serial = 0;
  std::string uri;
  int64_t version = 0;
  double since = 0;
};

/// Deaths of a child. After many within `window` seconds it rests a while.
class Deaths {
public:
  explicit Deaths(size_t many) : many(many) {}
  static constexpr double window = 10, rest = 5;
  /// One more, at `time`: whether it shall rest now.
  bool add(double time) {
    times.push_back(time);
    if (times.size() > many)
      times.pop_front();
    return times.size() >= many && time - times.front() < window;
  }

private:
  size_t many;
  std::deque<double> times;
};

/// A child's entry in the answer to `memrefLens/status`. `waiting`: things that
/// it was sent and is not done with.
Json statusOf(const Child &child, size_t waiting, int crashes);

} // namespace memreflens::lsp

#endif // MEMREFLENS_LSP_SUPERVISOR_WATCH_H
