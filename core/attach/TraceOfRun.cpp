//===- core/attach/TraceOfRun.cpp -----------------------------------------===//

#include "core/attach/TraceOfRun.h"
#include "core/pipeline/Analysis.h"

#include "mlir/Parser/Parser.h"
#include "llvm/Support/CrashRecoveryContext.h"
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

RunSource sourceOf(const RecordedRun &run, const std::string &nameOtherwise) {
  RunSource result;
  result.source.path = nameOtherwise;
  std::unique_ptr<MLIRContext> context =
      makeContext(*run.registry, optionsOf(run, /*aliases=*/false));
  std::unique_ptr<ToolReplay> replay =
      ToolReplay::open(run.tool, context.get());
  if (!replay)
    return result;
  if (auto buffer = llvm::MemoryBuffer::getFile(run.file, /*IsText=*/false);
      !run.file.empty() && buffer) {
    trace::Trace trace;
    trace::Source file{run.file, (*buffer)->getBuffer().str()};
    ParsedDocument document = parseDocument(file, *context, {}, trace);
    for (ParsedChunk &chunk : document.chunks)
      if (chunk.module &&
          firstDifference(*chunk.module, replay->after(), [](Operation *) {
            return false;
          }).empty())
        return {std::move(file), chunk.id, /*isFile=*/true};
  }
  llvm::raw_string_ostream stream(result.source.text);
  replay->after()->print(stream);
  stream << "\n";
  return result;
}

/// A run of which nothing is ours: only the tool's IR is shown.
static trace::Trace withoutAnalysis(const RecordedRun &run,
                                    const RunSource &source,
                                    const trace::RunOptions &options) {
  trace::Trace trace;
  std::unique_ptr<MLIRContext> context = makeContext(*run.registry, options);
  trace.options = options;
  ParsedDocument document = parseDocument(source.source, *context, {}, trace);
  trace::Problem problem;
  problem.chunk = source.chunk;
  problem.message = "a pass died when memref-lens ran it over the program that "
                    "the tool's passes began with";
  problem.remedy = "run 'memref-lens trace' on the program: it finds the "
                   "function that kills the pass, and shows the others";
  trace.problems.push_back(std::move(problem));
  return trace;
}

trace::Trace traceOf(const RecordedRun &run, const RunSource &source,
                     bool aliases) {
  AnalysisOptions options;
  options.run = optionsOf(run, aliases);
  options.onlyChunk = source.chunk;
  options.tool = &run.tool;
  trace::Trace trace;
  llvm::CrashRecoveryContext::Enable();
  llvm::CrashRecoveryContext recovery;
  bool survived = recovery.RunSafely(
      [&] { trace = analyse(source.source, *run.registry, options).trace; });
  llvm::CrashRecoveryContext::Disable();
  return survived ? trace : withoutAnalysis(run, source, options.run);
}

} // namespace memreflens
