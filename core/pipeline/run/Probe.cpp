//===- core/pipeline/run/Probe.cpp ----------------------------------------===//

#include "core/pipeline/run/Probe.h"
#include "core/source/Identity.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/StringMap.h"

#include <cstdio>

using namespace mlir;

namespace memreflens {

template <size_t size>
static void copyText(char (&to)[size], const std::string &text) {
  std::snprintf(to, size, "%s", text.c_str());
}

void followWorker(const WorkerRequest &request, int file,
                  AnalysisOptions &options) {
  options.quarantine = request.quarantineOf(file);
  options.verifiesLate = request.mayHurry;
  options.onStage = [progress = request.progress, file](trace::Id chunk,
                                                        int stage) {
    progress->file = file;
    progress->chunk = chunk;
    progress->stage = stage;
    progress->isPastStages = false;
  };
  options.onStagesEnd = [progress = request.progress] {
    progress->isPastStages = true;
  };
  options.onPrePass = [progress = request.progress](const std::string &pass,
                                                    const std::string &symbol) {
    copyText(progress->prePass, pass);
    copyText(progress->prePassOn, symbol);
  };
  options.onBatch = [progress = request.progress](size_t done, size_t count) {
    progress->batchesDone = int(done);
    progress->batches = int(count);
  };
}

void runProbe(const trace::Source &source, const DialectRegistry &registry,
              AnalysisOptions options, const WorkerRequest &request) {
  const WorkerProbe &probe = *request.probe;
  trace::Trace listed;
  std::unique_ptr<MLIRContext> context = makeContext(registry, options.run);
  ParsedDocument document = parseDocument(source, *context, {}, listed);
  ModuleOp module = *document.chunks[probe.chunk].module;
  (void)runPrePasses(module, probe.chunk, options.run, listed);
  std::vector<std::string> names;
  module->walk([&](func::FuncOp function) {
    if (const trace::Function *known = tracedFunction(function, listed);
        known && !function.isExternal())
      names.push_back(known->title());
  });
  request.progress->functionCount = int(names.size());
  if (probe.begin == probe.end)
    return;
  copyText(request.progress->functionName, names[probe.begin]);
  options.onStage = nullptr;
  options.onStagesEnd = nullptr;
  options.verifiesLate = false;
  options.text = StageText::none;
  options.onlyChunk = probe.chunk;
  options.lastStage = probe.stage;
  for (size_t index = 0; index < names.size(); ++index) {
    if (int(index) >= probe.begin && int(index) < probe.end)
      continue;
    Quarantined entry;
    entry.chunk = probe.chunk;
    entry.function = names[index];
    entry.status = trace::FunctionStatus::skipped;
    options.quarantine.push_back(entry);
  }
  (void)analyse(source, registry, options);
}

} // namespace memreflens
