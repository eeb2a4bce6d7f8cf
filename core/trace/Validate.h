//===- core/trace/Validate.h - does this trace hold together? -------------===//
//
// What the reader checks before a trace is handed on, so that a front end can
// index without checks: ids are dense and in range (or `none`), blocks and ops
// agree on who holds whom, ranges lie in the text, lists that run in parallel
// are of equal length.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_TRACE_VALIDATE_H
#define MEMREFLENS_TRACE_VALIDATE_H

#include "core/trace/Model.h"

#include <optional>
#include <string>

namespace memreflens::trace {

/// The first thing that is wrong, with its path ("values[3].op: ..."); nothing
/// if all is well.
std::optional<std::string> validate(const Trace &trace);

} // namespace memreflens::trace

#endif // MEMREFLENS_TRACE_VALIDATE_H
