//===- cli/KeptRun.cpp ----------------------------------------------------===//

#include "cli/KeptRun.h"
#include "cli/Commands.h"
#include "cli/Input.h"
#include "core/graph/Escape.h"
#include "core/text/Fingerprint.h"
#include "core/text/Shell.h"
#include "core/trace/RunArguments.h"
#include "core/trace/StageTexts.h"

#include "llvm/ADT/StringRef.h"

namespace memreflens {

using trace::Id;
using trace::none;

/// It is in no symbol but its module's: others can be neither run nor called.
static bool isTop(const trace::Function &function) {
  return function.title() == function.name;
}

std::optional<graph::RunCounts>
KeptRun::countsOf(const trace::Function &function) const {
  if (function.chunk != chunk || !isTop(function))
    return std::nullopt;
  return execute::countsOf(record, function.name);
}

/// The part of the file that has such a text after the stage.
static Id chunkOf(const execute::Record &record, int stage,
                  const trace::Trace &trace) {
  trace::StageTexts texts(trace);
  for (const trace::Chunk &chunk : trace.chunks)
    if (std::to_string(fingerprint(texts.get(chunk.id, stage).value_or(""))) ==
        record.stageFingerprint)
      return chunk.id;
  return none;
}

/// With the options that are given now.
static std::string again(const std::string &path, const trace::Trace &trace) {
  std::string text = "run it again: memref-lens run";
  for (const std::string &argument : trace::argumentsOf(trace.options))
    text += " " + shellWord(argument);
  return text + " " + shellWord(trace.source.path) + " --format json -o " +
         shellWord(path);
}

std::optional<KeptRun> openRun(const std::string &path,
                               const trace::Trace &trace) {
  auto fail = [&](const std::string &what) {
    tell("memref-lens: error: '%s' %s\n", path.c_str(), what.c_str());
    return std::nullopt;
  };
  std::optional<trace::Source> file = readOrComplain(path);
  if (!file)
    return std::nullopt;
  std::string error;
  std::optional<execute::Record> record =
      execute::readRecord(file->text, error);
  if (!record)
    return fail(error);
  const std::string program = "'" + trace.source.path + "'";
  if (record->fingerprint != std::to_string(fingerprint(trace.source.text)))
    return fail("is a run of another program than " + program +
                ", or of an earlier text of it; " + again(path, trace));
  if (record->end == execute::RunEnd::notRun)
    return fail("has no counts: " + graph::visibleText(verdictOf(*record)));
  KeptRun kept;
  if (llvm::StringRef(record->stage)
          .take_until([](char c) { return c == ','; })
          .getAsInteger(10, kept.stage))
    return fail("is a damaged record: it does not say which stage ran");
  kept.chunk = chunkOf(*record, kept.stage, trace);
  if (kept.chunk == none)
    return fail("is a run of " + program +
                " with other options, or by another version of memref-lens: "
                "the program after stage " +
                std::to_string(kept.stage) +
                " is another one; give the options of the run" +
                (record->pipeline.empty()
                     ? std::string()
                     : ", --pipeline " + shellWord(record->pipeline)) +
                ", or " + again(path, trace));
  for (const trace::Function &function : trace.functions)
    if (function.chunk == kept.chunk && isTop(function) &&
        function.name == record->entry)
      kept.entry = function.id;
  kept.record = std::move(*record);
  return kept;
}

} // namespace memreflens
