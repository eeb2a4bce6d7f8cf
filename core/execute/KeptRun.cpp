//===- core/execute/KeptRun.cpp -------------------------------------------===//

#include "core/execute/KeptRun.h"
#include "core/text/Escape.h"
#include "core/text/Fingerprint.h"
#include "core/trace/StageTexts.h"

#include <charconv>

namespace memreflens::execute {

using trace::Id;
using trace::none;

/// It is in no symbol but its module's: others can be neither run nor called.
static bool isTop(const trace::Function &function) {
  return function.title() == function.name;
}

bool KeptRun::has(const trace::Function &function) const {
  return function.chunk == chunk && isTop(function);
}

std::optional<RunCounts>
KeptRun::countsOf(const trace::Function &function) const {
  if (!has(function))
    return std::nullopt;
  return execute::countsOf(record, function.name);
}

/// The part of the file that has such a text after the stage.
static Id chunkOf(const Record &record, int stage, const trace::Trace &trace) {
  trace::StageTexts texts(trace);
  for (const trace::Chunk &chunk : trace.chunks)
    if (std::to_string(fingerprint(texts.get(chunk.id, stage).value_or(""))) ==
        record.stageFingerprint)
      return chunk.id;
  return none;
}

/// Of "8, canonicalize".
std::optional<int> stageOf(const Record &record) {
  int stage = 0;
  const char *begin = record.stage.data();
  const auto [end, error] =
      std::from_chars(begin, begin + record.stage.size(), stage);
  return error == std::errc() && end != begin ? std::optional(stage)
                                              : std::nullopt;
}

std::optional<KeptRun> keptRun(Record record, const trace::Trace &trace,
                               std::string &error) {
  const std::string program = "'" + trace.source.path + "'";
  KeptRun kept;
  if (record.fingerprint != std::to_string(fingerprint(trace.source.text))) {
    error = "is a run of another program than " + program +
            ", or of an earlier text of it";
  } else if (record.end == RunEnd::notRun) {
    error = "has no counts: " + visibleText(verdictOf(record));
  } else if (std::optional<int> stage = stageOf(record); !stage) {
    error = "is a damaged record: it does not say which stage ran";
  } else if ((kept.chunk = chunkOf(record, *stage, trace)) == none) {
    error = "is a run of " + program +
            " with other options, or by another version of memref-lens: the "
            "program after stage " +
            std::to_string(*stage) + " is another one";
    if (record.pipeline != trace.options.pipeline)
      error += record.pipeline.empty() ? "; give no --pipeline"
                                       : "; give --pipeline " + record.pipeline;
  } else {
    kept.stage = *stage;
    for (const trace::Function &function : trace.functions)
      if (kept.has(function) && function.name == record.entry)
        kept.entry = function.id;
    kept.record = std::move(record);
    return kept;
  }
  return std::nullopt;
}

} // namespace memreflens::execute
