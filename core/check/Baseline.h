//===- core/check/Baseline.h - what is new, and what is too much ----------===//
//
// Compares findings with those of an earlier run, by fingerprints that do not
// depend on lines, and costs with a budget file:
//
//   # at most so much; `*` is each function by itself, `file` their sum
//   *     clones=0 helpers=0
//   @main checks=4 peak=600MiB
//   file  clones=3
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_CHECK_BASELINE_H
#define MEMREFLENS_CHECK_BASELINE_H

#include "core/check/Finding.h"

#include <optional>

namespace memreflens {

struct BaselineChange {
  std::vector<Finding> added;
  std::vector<Finding> fixed;
  size_t unchanged = 0;
};

BaselineChange compareWith(const std::vector<FileReport> &old,
                           const std::vector<FileReport> &now);

struct BudgetLine {
  /// `*`, `file`, or a function's name without `@`.
  std::string subject;
  std::optional<uint64_t> clones, runTimeChecks, helperCalls, peakBytes;
  /// Of peaks in one memory space, as it is called (trace::isSpaceCalled).
  std::vector<std::pair<std::string, uint64_t>> peaksIn;
};

/// Whether it states limits itself, "peak=600MiB,clones=0", and names no file.
bool isBudget(const std::string &text);
/// Of such a text: for each function.
std::vector<BudgetLine> budgetIn(std::string text, std::string &error);
/// Empty, with `error` set, if the text is no budget.
std::vector<BudgetLine> parseBudget(const std::string &text,
                                    std::string &error);

/// Adds a finding for each memory space that holds less than a function has in
/// it at its peak (SpaceCosts::capacity).
void applyCapacities(FileReport &report);
/// Adds a finding for everything that is over the budget.
void applyBudget(FileReport &report, const std::vector<BudgetLine> &budget);

} // namespace memreflens

#endif // MEMREFLENS_CHECK_BASELINE_H
