//===- core/trace/Assumed.h - what a run takes for true -------------------===//
//
// Facts that no program says, stated with --assume.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_TRACE_ASSUMED_H
#define MEMREFLENS_TRACE_ASSUMED_H

#include <string>
#include <string_view>
#include <vector>

namespace memreflens::trace {

/// Whether a function of this name (without `@`) is one of `patterns`, in which
/// `*` stands for any letters.
bool isNamed(const std::vector<std::string> &patterns,
             std::string_view function);

} // namespace memreflens::trace

#endif // MEMREFLENS_TRACE_ASSUMED_H
