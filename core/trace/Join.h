//===- core/trace/Join.h - traces of a file's functions become one --------===//
//
// Functions of a file that were analysed side by side, each batch from a text
// that is as long as the file and has everything at its place, give the trace
// that the file as a whole has: ids by stage, then in the order of the text.
// Only what one stage made in several functions may be numbered otherwise.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_TRACE_JOIN_H
#define MEMREFLENS_TRACE_JOIN_H

#include "core/trace/Model.h"
#include "core/trace/Workers.h"

#include <optional>
#include <string>
#include <vector>

namespace memreflens::trace {

/// How far each list of a trace was when a stage began.
struct StageStart {
  Id block = 0, op = 0, value = 0, event = 0, dealloc = 0;
};

/// The trace of some functions.
struct BatchTrace {
  Trace trace;
  /// From stage 0 on, which begins when all is read.
  std::vector<StageStart> starts;
  /// Number of the first dealloc that was not made.
  Id endOfDeallocs = 0;
  /// Top-level ops in front of those that it answers for, and these; what else
  /// it holds, another one has.
  size_t opsBefore = 0, opsOwn = 0;
};

/// How many ops of the module a batch has: in front of those that it answers
/// for, these, and all that were read.
struct BatchPart {
  size_t opsBefore = 0, opsOwn = 0, opsRead = 0;
};

/// The IR of the whole from those of the batches, as printed; nothing where
/// they do not fit together: of each module, one more op than was read may
/// stand at the end, and is the same in all.
std::optional<std::string>
joinModules(const std::vector<BatchPart> &batches,
            const std::vector<std::string_view> &texts);

/// Of one part of a file, without problems. Nothing where the traces do not fit
/// together.
std::optional<Trace> joinTraces(std::vector<BatchTrace> batches, Source source,
                                const Workers &workers = workAlone);

} // namespace memreflens::trace

#endif // MEMREFLENS_TRACE_JOIN_H
