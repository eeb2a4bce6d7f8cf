//===- core/process/Parallel.h - independent work on several threads ------===//
//
// Does a number of things that have nothing to do with each other, some at a
// time. Who keeps what comes of them by their numbers gets the same from any
// number of threads.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_PROCESS_PARALLEL_H
#define MEMREFLENS_PROCESS_PARALLEL_H

#include <cstddef>
#include <functional>

namespace memreflens {

/// Threads that this process may run at once, at most `most`.
unsigned usableThreads(unsigned most);

/// Calls `work(i)` for each i below `count`, begun in this order, at most
/// `threads` at a time; where the system gives fewer threads, on those. Returns
/// when all that was begun is done.
///
/// `goesOn`, if it is not empty, is asked on the calling thread: every few
/// milliseconds while others work, or between two calls where the calling
/// thread does the work. Once it says no, nothing more is begun. Returns how
/// many were begun: those below.
///
/// Without it the calling thread is one of the threads. With `staysFree`, it
/// does none of the work, even of one thread's, unless the system gives no
/// thread at all.
size_t inParallel(size_t count, unsigned threads,
                  const std::function<void(size_t)> &work,
                  const std::function<bool()> &goesOn = {},
                  bool staysFree = false);

/// `inParallel` on so many threads, for who does not know of these. See
/// `severalWorkers`.
inline auto workersOn(unsigned threads) {
  return [threads](size_t count, const std::function<void(size_t)> &work) {
    inParallel(count, threads, work);
  };
}

/// The same; empty for one thread, for who has to prepare for several.
inline std::function<void(size_t, const std::function<void(size_t)> &)>
severalWorkers(unsigned threads) {
  if (threads < 2)
    return nullptr;
  return workersOn(threads);
}

} // namespace memreflens

#endif // MEMREFLENS_PROCESS_PARALLEL_H
