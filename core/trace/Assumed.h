//===- core/trace/Assumed.h - what a run takes for true -------------------===//
//
// Facts that no program says, stated with --assume.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_TRACE_ASSUMED_H
#define MEMREFLENS_TRACE_ASSUMED_H

#include "core/trace/Model.h"

#include <string_view>

namespace memreflens::trace {

/// Whether memref results of a function of this name (without `@`) that has no
/// body are taken for buffers that nothing else points to
/// (`RunOptions::freshResults`).
bool hasFreshResults(const RunOptions &run, std::string_view function);

} // namespace memreflens::trace

#endif // MEMREFLENS_TRACE_ASSUMED_H
