//===- cli/ExitStatus.h - what a command ends with ------------------------===//

#ifndef MEMREFLENS_CLI_EXITSTATUS_H
#define MEMREFLENS_CLI_EXITSTATUS_H

#include <utility>

namespace memreflens {

enum ExitStatus {
  done = 0,
  findings = 1,
  wrongUsage = 2,
  badInput = 3,
  /// The system gave no process, or too little memory.
  noResources = 71,
};

/// What a worker is done with when it ends: taken apart, one record after the
/// other, a large trace would cost more than a second.
template <class T> T &leftToExit(T value) { return *new T(std::move(value)); }

} // namespace memreflens

#endif // MEMREFLENS_CLI_EXITSTATUS_H
