//===- cli/FileRun.cpp ----------------------------------------------------===//

#include "cli/FileRun.h"
#include "cli/ExitStatus.h"
#include "cli/Saved.h"
#include "core/explain/Words.h"
#include "core/pipeline/run/Batches.h"
#include "core/pipeline/run/Probe.h"
#include "core/process/Parallel.h"
#include "core/symexec/HeapPeak.h"
#include "core/trace/Symbol.h"

#include <unistd.h>

namespace memreflens {

unsigned threadsOf(const FileRun &run) {
  return run.request.mayHurry ? run.options.jobs : 0;
}

AnalysisOptions analysisOptions(const FileRun &run) {
  AnalysisOptions analysis;
  analysis.run = run.options.run;
  analysis.leavesIr = true;
  followWorker(run.request, /*file=*/0, analysis);
  // A stage's time would have other stages' texts in it.
  analysis.textsBeside = threadsOf(run) > 1 && run.options.stageTimeout <= 0;
  return analysis;
}

AnalysisOptions withHeap(const FileRun &run) {
  AnalysisOptions analysis = analysisOptions(run);
  analysis.measure = symexec::addHeapUse;
  analysis.workers = severalWorkers(run.options.jobs);
  return analysis;
}

int statusOf(const trace::Trace &trace) {
  for (const trace::Chunk &chunk : trace.chunks)
    if (chunk.parsed)
      return done;
  return trace.problems.empty() ? done : badInput;
}

/// "; it has @f, @g and 7 others", with bodies; empty for a file of none.
static std::string functionsOf(const trace::Trace &trace) {
  std::vector<std::string> names;
  for (const trace::Function &function : trace.functions)
    if (function.status != trace::FunctionStatus::declaration)
      names.push_back(trace::symbolText(function.title()));
  return names.empty() ? "" : "; it has " + listedFew(std::move(names));
}

bool knowsFunction(const trace::Trace &trace, const std::string &name) {
  if (name.empty())
    return true;
  for (const trace::Function &function : trace.functions)
    if (function.isCalled(name))
      return true;
  tell("memref-lens: error: no function '@%s' in '%s'%s\n", name.c_str(),
       trace.source.path.c_str(), functionsOf(trace).c_str());
  return false;
}

int finish(const FileRun &run, const trace::Trace &trace,
           const OutputWriter &write) {
  printProblems(trace, wantsColor(int(run.options.color), STDERR_FILENO));
  int status = statusOf(trace);
  if (status == done && !knowsFunction(trace, run.options.run.function))
    return wrongUsage;
  if (status == done && !writeOutput(run.options.output, write))
    return badInput;
  return status;
}

int finish(const FileRun &run, const trace::Trace &trace,
           const std::string &text) {
  return finish(run, trace, [&](std::ostream &out) { out << text; });
}

const trace::Trace &obtain(const FileRun &run, const AnalysisOptions &options,
                           int &status) {
  status = done;
  if (!isSaved(run.kind))
    return leftToExit(analyseSideBySide(run.source, run.registry, options,
                                        threadsOf(run)))
        .trace;
  SavedTrace saved;
  status = openSaved(run.options, run.source, run.kind, saved);
  return leftToExit(status == done ? std::move(*saved.trace) : trace::Trace());
}

} // namespace memreflens
