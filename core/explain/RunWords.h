//===- core/explain/RunWords.h - the options of a run, as typed -----------===//

#ifndef MEMREFLENS_EXPLAIN_RUNWORDS_H
#define MEMREFLENS_EXPLAIN_RUNWORDS_H

#include "core/trace/Model.h"

#include <string>
#include <vector>

namespace memreflens {

/// `--pre` and `func.func(buffer-hoisting)`; of a plain flag the value is "on".
struct RunWord {
  std::string flag;
  std::string value;
};

/// What makes a run other than one without options, one entry an option (of a
/// repeated one, one for each time).
std::vector<RunWord> runWords(const trace::RunOptions &run);

/// The same as arguments of `memref-lens`: `--pre=func.func(...)`.
std::vector<std::string> runArguments(const trace::RunOptions &run);

} // namespace memreflens

#endif // MEMREFLENS_EXPLAIN_RUNWORDS_H
