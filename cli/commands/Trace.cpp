//===- cli/commands/Trace.cpp - `trace`: every decision, as data ----------===//

#include "cli/Command.h"
#include "cli/ExitStatus.h"
#include "cli/FileRun.h"
#include "cli/SharedOptions.h"
#include "cli/TraceOptions.h"
#include "core/explain/PlainText.h"
#include "core/pipeline/run/Batches.h"
#include "core/process/Parallel.h"
#include "core/trace/Json.h"
#include "core/trace/Text.h"

namespace memreflens {

/// The JSON of a program that is analysed in batches; nothing for another. The
/// whole trace is never in memory.
static std::optional<int> writeInBatches(const FileRun &run,
                                         const AnalysisOptions &options) {
  std::optional<trace::PackedTrace> packed =
      packedSideBySide(run.source, run.registry, options, threadsOf(run));
  if (!packed)
    return std::nullopt;
  return finish(run, packed->getHead(), [&](std::ostream &out) {
    writeJson(*packed, out, workersOn(run.options.jobs));
  });
}

static int runTrace(const FileRun &run) {
  const AnalysisOptions options = withHeap(run);
  const bool isText = run.options.own<TraceOptions>().format == "text";
  if (!isText && !isSaved(run.kind))
    if (const std::optional<int> status = writeInBatches(run, options))
      return *status;
  int status = done;
  const trace::Trace &trace = obtain(run, options, status);
  if (status != done)
    return status;
  if (isText)
    return finish(run, trace, plainText(toText(trace)));
  // Not as one string: the JSON may be larger than the trace.
  return finish(run, trace, [&](std::ostream &out) {
    writeJson(trace, out, workersOn(run.options.jobs));
  });
}

static std::string takeTraceFormat(const OptionUse &use, CliOptions &options) {
  if (use.value != "json" && use.value != "text")
    return "'--format' takes json or text, not '" + use.value + "'";
  options.own<TraceOptions>().format = use.value;
  return {};
}

const Command &traceCommand() {
  static const Command command{
      .name = "trace",
      .takes = "FILE [-o OUT]",
      .summary = "the trace of every decision, as JSON or text",
      .question = "every decision with its evidence, as data",
      .about = R"(usage: memref-lens trace [options] FILE

Runs the pipeline and writes every decision with its evidence, and the program
after each stage. -o NAME.json.zst writes it compressed; all that take a trace,
the viewer, too, read that.
)",
      .options = {outputOption(),
                  {.names = "--format",
                   .value = {" FORMAT", {"json", "text"}},
                   .brief = "form of the trace",
                   .help = "json (default; docs/trace.schema.json) or text",
                   .man = "`json` (the default) or `text`, a short form for "
                          "reading and for comparing with a stored copy",
                   .take = takeTraceFormat}},
      .groups = {jobsOptions(), pipelineOptions(), aliasOptions(),
                 statementOptions(), skipOptions(), commonOptions()},
      .opensSaved = true,
      .runOnFile = runTrace};
  return command;
}

} // namespace memreflens
