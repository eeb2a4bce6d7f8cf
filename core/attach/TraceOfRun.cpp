//===- core/attach/TraceOfRun.cpp -----------------------------------------===//

#include "core/attach/TraceOfRun.h"
#include "core/files/ReadFile.h"
#include "core/pipeline/run/Analysis.h"
#include "core/pipeline/run/Probe.h"
#include "core/pipeline/upstream/PassNames.h"
#include "core/symexec/HeapPeak.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace mlir;

namespace memreflens {

static trace::RunOptions optionsOf(const RecordedRun &run, bool aliases) {
  trace::RunOptions options;
  options.allowUnregisteredDialect = run.allowsUnregistered;
  options.aliases = aliases;
  setPrintedPasses(run.passes, options);
  return options;
}

/// As much as the command line reads.
static constexpr size_t maxFileBytes = size_t(64) << 20;

RunSource sourceOf(const RecordedRun &run, const std::string &nameOtherwise) {
  RunSource result;
  result.source.path = nameOtherwise;
  std::unique_ptr<MLIRContext> context =
      makeContext(*run.registry, optionsOf(run, /*aliases=*/false));
  trace::Trace trace;
  trace::Source file{run.file, {}};
  ParsedDocument document;
  // The program says what its file is called: it may be anything.
  std::string error;
  if (auto text = readRegularFile(run.file, maxFileBytes, error)) {
    file.text = std::move(*text);
    document = parseDocument(file, *context, {}, trace);
  }
  std::vector<ModuleOp> modules;
  for (ParsedChunk &chunk : document.chunks)
    if (chunk.module)
      modules.push_back(*chunk.module);
  std::unique_ptr<ToolReplay> replay =
      ToolReplay::open(run.tool, context.get(), modules);
  if (!replay)
    return result;
  for (ParsedChunk &chunk : document.chunks)
    if (chunk.module &&
        firstDifference(*chunk.module, replay->after(), [](Operation *) {
          return false;
        }).empty())
      return {std::move(file), chunk.id, /*isFile=*/true};
  llvm::raw_string_ostream stream(result.source.text);
  replay->after()->print(stream);
  stream << "\n";
  return result;
}

int traceOf(const RecordedRun &run, const RunSource &source,
            const TracingOptions &options,
            const std::function<void(const trace::Trace &)> &use) {
  // In this process only: the tool may have made its passes without names.
  registerPipelinePasses();
  AnalysisOptions analysis;
  analysis.run = optionsOf(run, options.aliases);
  analysis.onlyChunk = source.chunk;
  analysis.tool = &run.tool;
  analysis.measure = symexec::addHeapUse;
  WorkerOptions worker;
  worker.stageSeconds = options.stageSeconds;
  worker.run = analysis.run;
  return runInWorker(
      [&](const WorkerRequest &request) {
        followWorker(request, /*file=*/0, analysis);
        if (request.probe)
          runProbe(source.source, *run.registry, analysis, request);
        else
          use(analyse(source.source, *run.registry, analysis).trace);
        return 0;
      },
      worker);
}

} // namespace memreflens
