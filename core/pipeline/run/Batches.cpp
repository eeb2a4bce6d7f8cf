//===- core/pipeline/run/Batches.cpp --------------------------------------===//

#include "core/pipeline/run/Batches.h"
#include "core/process/Parallel.h"
#include "core/source/Statements.h"

#include "mlir/IR/DialectRegistry.h"

#include <atomic>
#include <mutex>

using namespace mlir;

namespace memreflens {

/// Whether functions that do not call each other have nothing to do with each
/// other: passes that the user names may look at the whole module.
static bool isByFunction(const AnalysisOptions &options) {
  const trace::RunOptions &run = options.run;
  return run.passes.empty() && run.prePipeline.empty() && !run.bufferize &&
         run.function.empty() && !run.aliases && !options.tool &&
         !options.edit && options.quarantine.empty() &&
         options.onlyChunk == trace::none && options.parse.splitInput;
}

/// At most about so many bytes for each, and an even number of equal ones: the
/// last one must not leave a core without work. Of the text alone, since the
/// numbers in a trace depend on it.
static size_t evenShare(size_t size, size_t bytes) {
  const size_t count = (size + bytes - 1) / bytes;
  return count < 2 ? bytes : size / (count + count % 2) + 1;
}

BatchRun::BatchRun(const trace::Source &source, const AnalysisOptions &options,
                   size_t bytes)
    : source(source), options(options) {
  // What is stated is held against the whole file.
  const bool isStated =
      !options.run.contracts.empty() || !options.run.freshResults.empty() ||
      !options.run.noCapture.empty() || !statementFileOf(source.path).empty() ||
      source.text.find("memref_lens.") != std::string::npos;
  if (isByFunction(options) && !isStated)
    batches.emplace(source.text, evenShare(source.text.size(), bytes));
}

bool BatchRun::analyseAll(const DialectRegistry &registry, unsigned threads,
                          const Follow &follow, const Take &take) const {
  std::atomic<bool> isGood = true;
  std::mutex telling;
  size_t done = 0;
  auto tell = [&](size_t more) {
    std::lock_guard lock(telling);
    done += more;
    if (options.onBatch)
      options.onBatch(done, size());
  };
  auto analyseOne = [&](size_t batch) {
    if (!isGood)
      return;
    AnalysisOptions own = options;
    own.onStage = nullptr;
    own.onStagesEnd = nullptr;
    own.workers = nullptr;
    own.isBatch = own.verifiesLate = true;
    own.textsBeside = own.leavesIr = false;
    if (follow)
      follow(batch, own);
    own.parse.part = batches->partOf(batch);
    Analysis analysis = analyse(source, registry, own);
    if (!analysis.trace.problems.empty())
      isGood = false;
    else
      take(batch, std::move(analysis));
    tell(1);
  };
  tell(0);
  inParallel(size(), threads, analyseOne);
  if (!isGood && options.onBatch)
    options.onBatch(0, 0);
  if (isGood && options.onStagesEnd)
    options.onStagesEnd();
  return isGood;
}

std::optional<std::string> lastTextSideBySide(const trace::Source &source,
                                              const DialectRegistry &registry,
                                              const AnalysisOptions &options,
                                              unsigned threads) {
  BatchRun run(source, options);
  std::vector<trace::BatchPart> parts(run.size());
  std::vector<std::string> texts(run.size());
  auto take = [&](size_t batch, Analysis analysis) {
    parts[batch] = {run[batch].opsBefore, run[batch].opsOwn,
                    analysis.trace.blocks.front().ops.size()};
    texts[batch] = std::move(analysis.upstreamTexts.front().back());
  };
  if (threads == 0 || run.size() == 0 ||
      !run.analyseAll(registry, threads, {}, take))
    return std::nullopt;
  return trace::joinModules(parts, {texts.begin(), texts.end()});
}

static trace::BatchTrace batchTrace(const TextBatch &batch, Analysis analysis) {
  analysis.trace.source.text = {};
  return {std::move(analysis.trace), std::move(analysis.starts),
          analysis.endOfDeallocs, batch.opsBefore, batch.opsOwn};
}

std::optional<trace::PackedTrace>
packedSideBySide(const trace::Source &source, const DialectRegistry &registry,
                 const AnalysisOptions &options, unsigned threads) {
  BatchRun run(source, options);
  std::vector<trace::PackedBatch> parts(run.size());
  auto take = [&](size_t batch, Analysis analysis) {
    parts[batch] =
        trace::PackedBatch(batchTrace(run[batch], std::move(analysis)));
  };
  if (threads == 0 || run.size() == 0 ||
      !run.analyseAll(registry, threads, {}, take))
    return std::nullopt;
  return trace::PackedTrace::of(std::move(parts), source, workersOn(threads));
}

Analysis analyseSideBySide(const trace::Source &source,
                           const DialectRegistry &registry,
                           const AnalysisOptions &options, unsigned threads,
                           size_t bytes) {
  BatchRun run(source, options, bytes);
  std::vector<trace::BatchTrace> parts(run.size());
  auto take = [&](size_t batch, Analysis analysis) {
    parts[batch] = batchTrace(run[batch], std::move(analysis));
  };
  if (threads == 0 || run.size() == 0 ||
      !run.analyseAll(registry, threads, {}, take))
    return analyse(source, registry, options);
  Analysis joined;
  joined.upstreamTexts.emplace_back();
  std::optional<trace::Trace> trace =
      trace::joinTraces(std::move(parts), source, workersOn(threads));
  if (!trace)
    return analyse(source, registry, options);
  joined.trace = std::move(*trace);
  return joined;
}

} // namespace memreflens
