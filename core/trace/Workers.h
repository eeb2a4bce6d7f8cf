//===- core/trace/Workers.h - who does independent work -------------------===//

#ifndef MEMREFLENS_TRACE_WORKERS_H
#define MEMREFLENS_TRACE_WORKERS_H

#include <cstddef>
#include <functional>

namespace memreflens::trace {

/// Calls `work(i)` for each i below `count`, in any order and from any thread;
/// returns when all is done.
using Workers =
    std::function<void(size_t count, const std::function<void(size_t)> &work)>;

/// The calling thread does all.
inline void workAlone(size_t count, const std::function<void(size_t)> &work) {
  for (size_t i = 0; i < count; ++i)
    work(i);
}

} // namespace memreflens::trace

#endif // MEMREFLENS_TRACE_WORKERS_H
