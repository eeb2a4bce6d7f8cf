//===- core/symexec/Budget.h - when an execution ends early ---------------===//
//
// Faults, steps, paths, memory and time are bounded; the result says by what it
// was ended.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_SYMEXEC_BUDGET_H
#define MEMREFLENS_SYMEXEC_BUDGET_H

#include "core/symexec/Context.h"

#include <chrono>

namespace memreflens::symexec {

class Budget : Part {
public:
  explicit Budget(Context &context)
      : Part(context), begun(std::chrono::steady_clock::now()) {}

  /// Some bound is reached; `ExploreResult::stopped` then says which.
  bool isOver();
  /// Words of states that are copied or compared.
  void spend(uint64_t count) { words += count; }
  /// A copied state waits, or goes on.
  void addWaiting(uint64_t count) {
    words += count;
    waitingWords += count;
  }
  void takeWaiting(uint64_t count) { waitingWords -= count; }

private:
  uint64_t words = 0, waitingWords = 0;
  std::chrono::steady_clock::time_point begun;
};

} // namespace memreflens::symexec

#endif // MEMREFLENS_SYMEXEC_BUDGET_H
