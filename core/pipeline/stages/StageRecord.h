//===- core/pipeline/stages/StageRecord.h - what each stage left ----------===//
//
// Puts the text of the module after each stage into the trace, as far as it
// changed, with whom the stage skipped and what a host tool made of it.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_PIPELINE_STAGES_STAGERECORD_H
#define MEMREFLENS_PIPELINE_STAGES_STAGERECORD_H

#include "core/pipeline/host/ToolSide.h"
#include "core/pipeline/record/Shorthands.h"
#include "core/pipeline/stages/Skipped.h"
#include "core/pipeline/stages/TextsBeside.h"

#include <functional>
#include <optional>

namespace memreflens {

class StageRecord {
public:
  /// All must outlive it; `upstreamTexts` takes the texts if the options want
  /// them as upstream prints them.
  StageRecord(mlir::ModuleOp module, trace::Id chunk,
              const StageOptions &options, Recorder &recorder,
              trace::Trace &trace, SkippedFunctions &skipped,
              std::vector<std::string> &upstreamTexts)
      : module(module), chunk(chunk), options(options), recorder(recorder),
        trace(trace), skipped(skipped), upstreamTexts(upstreamTexts) {}

  /// `isVerified`: the verifier accepts the module as it is.
  void add(int stage, bool isVerified, const ToolSide::Verdict &verdict);
  /// The stage left the module, and what of it is shown, as it was.
  void addUnchanged(int stage);
  /// To be called behind the last: then the trace has all of it. `meanwhile`,
  /// which may be empty, is done while the last texts are made.
  void finish(const std::function<void()> &meanwhile = nullptr);

private:
  trace::Stage entryOf(int stage) const;
  bool isShown(int stage) const;
  bool isLast(int stage) const;
  bool canPrintBeside(int stage, bool isVerified);
  void printBeside(trace::Stage entry);
  void keep(trace::Stage entry, std::string text);
  void put(trace::Stage entry);
  Named mayBeNamed();
  std::string print(bool isVerified);
  std::string withNotes(std::string text) const;

  mlir::ModuleOp module;
  trace::Id chunk;
  const StageOptions &options;
  Recorder &recorder;
  trace::Trace &trace;
  SkippedFunctions &skipped;
  std::vector<std::string> &upstreamTexts;
  std::string previous;
  Shorthands shorthands;
  /// A text that was printed had something in front of the ops, or behind.
  bool isNamed = false;
  /// Once it is over, it does not begin again.
  std::optional<TextsBeside> beside;
};

} // namespace memreflens

#endif // MEMREFLENS_PIPELINE_STAGES_STAGERECORD_H
