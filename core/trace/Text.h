//===- core/trace/Text.h - a trace as short, stable text ------------------===//
//
// One line an event, grouped by function, stage and block, with names in place
// of ids: what tests compare and `memref-lens trace --format=text` prints.
//
//   func.func @f (public): traced
//     stage 3, ownership-based-buffer-deallocation
//       ^bb0
//         own %a: uninitialized -> true by allocation
//         dealloc #0 (%a) if (true) retain () -> ()
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_TRACE_TEXT_H
#define MEMREFLENS_TRACE_TEXT_H

#include "core/trace/Model.h"

#include <string>

namespace memreflens::trace {

/// The whole of a valid trace (Validate.h).
std::string toText(const Trace &trace);

/// One event's line, without indentation and newline.
std::string toText(const Trace &trace, const Event &event);

/// "true", "false", "%own_a", "unknown" or "uninitialized".
std::string toText(const Trace &trace, const Ownership &ownership);

/// "%a"; "%?" for a value without a name.
std::string valueText(const Trace &trace, Id value);
/// "%a = memref.alloc"; the name alone if it has no results.
std::string opText(const Trace &trace, Id op);

} // namespace memreflens::trace

#endif // MEMREFLENS_TRACE_TEXT_H
