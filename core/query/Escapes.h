//===- core/query/Escapes.h - buffers of a trace that escape --------------===//
//
// The same as core/source/Escapes.h, of the program that a trace holds. What
// stages before the ownership pass took out lets nothing escape.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_QUERY_ESCAPES_H
#define MEMREFLENS_QUERY_ESCAPES_H

#include "core/query/Lookup.h"
#include "core/trace/Escapes.h"

#include <array>
#include <unordered_map>

namespace memreflens {

struct TraceEscape {
  trace::Escape kind = trace::Escape::none;
  trace::Id op = trace::none;
};

/// Answers for many buffers, with one look at each value that they flow to. The
/// lookup must outlive it.
class TraceEscapes {
public:
  explicit TraceEscapes(const Lookup &lookup) : lookup(lookup) {}

  /// Where the buffer, or what it flows to, can be followed no further; the
  /// first such op, `none` if there is none.
  TraceEscape of(trace::Id buffer) { return follow(buffer, 0); }

private:
  /// A value's uses, and the buffers to which it flows there.
  struct Step {
    TraceEscape found;
    std::vector<trace::Id> next;
  };
  class Look;

  TraceEscape follow(trace::Id buffer, size_t depth);
  const Step &stepOf(trace::Id value, size_t depth);

  const Lookup &lookup;
  /// By the calls into which it was followed.
  std::array<std::unordered_map<trace::Id, Step>, 4> steps;
};

} // namespace memreflens

#endif // MEMREFLENS_QUERY_ESCAPES_H
