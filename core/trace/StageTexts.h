//===- core/trace/StageTexts.h - the IR after each stage, whole again -----===//
//
// A stage changes little of a program, so a trace keeps the lines that changed
// (`Stage::delta`). This makes the text of a stage from them, and the lines
// from two texts.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_TRACE_STAGETEXTS_H
#define MEMREFLENS_TRACE_STAGETEXTS_H

#include "core/trace/Model.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace memreflens::trace {

/// Steps that lead from `before` to `after`. Time grows as the texts do (times
/// a logarithm), so the steps are few, but not always the fewest.
std::vector<TextStep> textSteps(std::string_view before,
                                std::string_view after);

/// The text to which the steps lead. What reaches past the end of `before` does
/// nothing, so that any trace has a text.
std::string applySteps(std::string_view before,
                       const std::vector<TextStep> &steps);

/// Makes `stage`'s text the given one, in the shorter of the two forms.
void keepText(Stage &stage, std::string_view before, std::string text);

/// The texts of a trace's stages, each made once. The trace must outlive it and
/// not change; not for several threads.
class StageTexts {
public:
  explicit StageTexts(const Trace &trace) : trace(trace) {}
  const Trace &getTrace() const { return trace; }

  /// Text of the chunk after a stage: that of the last stage up to `number`
  /// that changed it; with `tensorCopiesStage` (Plan.h), that of the last run
  /// of one-shot-bufferize. Nothing if the chunk has no such stage.
  std::optional<std::string_view> get(Id chunk, int number);

private:
  const Trace &trace;
  std::map<std::pair<Id, int>, std::string> made;
};

/// The same for one question; those who have more keep a `StageTexts`.
std::optional<std::string> stageText(const Trace &trace, Id chunk, int number);

} // namespace memreflens::trace

#endif // MEMREFLENS_TRACE_STAGETEXTS_H
