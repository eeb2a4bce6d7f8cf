//===- core/explain/Escapes.h - buffers of a trace that escape ------------===//
//
// The same as core/source/Escapes.h, of the program that a trace holds. What
// stages before the ownership pass took out lets nothing escape.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_EXPLAIN_ESCAPES_H
#define MEMREFLENS_EXPLAIN_ESCAPES_H

#include "core/explain/Lookup.h"
#include "core/trace/Escapes.h"

namespace memreflens {

struct TraceEscape {
  trace::Escape kind = trace::Escape::none;
  trace::Id op = trace::none;
};

/// Where the buffer, or what it flows to, can be followed no further; the first
/// such op, `none` if there is none.
TraceEscape escapeOf(const Lookup &lookup, trace::Id buffer);

} // namespace memreflens

#endif // MEMREFLENS_EXPLAIN_ESCAPES_H
