//===- core/process/ChildProcess.h - what every child of ours does --------===//
//
// For the processes that are forked to run what may die: to be called in the
// child.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_PROCESS_CHILDPROCESS_H
#define MEMREFLENS_PROCESS_CHILDPROCESS_H

#include <cstddef>
#include <sys/types.h>

namespace memreflens {

/// A child whose parent is killed must not live on: it may never end. `parent`
/// is the process that forks, taken before. Does nothing but on Linux.
void endWithParent(pid_t parent);

/// Standard output and error go nowhere from here on: what a pass says of a
/// program that the user never wrote is for nobody.
void discardOutput();

/// Writes all of it; ends the process where nobody reads it.
void writeAll(int descriptor, const void *data, size_t size);

} // namespace memreflens

#endif // MEMREFLENS_PROCESS_CHILDPROCESS_H
