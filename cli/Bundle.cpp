//===- cli/Bundle.cpp - `bundle`: a run, to be sent to somebody -----------===//

#include "cli/Bundle.h"
#include "cli/Commands.h"
#include "cli/Input.h"
#include "core/Version.h"
#include "core/bundle/Bundle.h"
#include "core/explain/PlainText.h"
#include "core/symexec/HeapPeak.h"
#include "core/text/LineIndex.h"
#include "core/trace/Json.h"
#include "core/trace/Names.h"
#include "core/trace/Plan.h"
#include "core/trace/RunArguments.h"

#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/IR/DialectRegistry.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

#include <algorithm>
#include <cstdio>
#include <sstream>
#include <unistd.h>

namespace memreflens {

std::string verdictLine(const std::string &path, const trace::RunOptions &run,
                        const FunctionVerdict &entry) {
  std::string line = path + ": @" + plainWord(entry.function) + ": " +
                     verdictText(entry.verdict).str();
  if (entry.verdict != Verdict::identical)
    line += " (stage " + std::to_string(entry.stage) + ", " +
            std::string(trace::stageName(
                run, std::min(entry.stage, trace::lastStage({})))) +
            ")";
  if (entry.verdict == Verdict::different)
    line += "\n" + entry.detail;
  else if (!entry.detail.empty())
    line +=
        ": " + (entry.signal.empty() ? "" : entry.signal + " ") + entry.detail;
  return line + "\n";
}

/// As `memref-lens ir` joins the chunks of a file.
static std::vector<bundle::Stage> stagesOf(const Analysis &analysis) {
  std::vector<bundle::Stage> stages;
  const trace::RunOptions &run = analysis.trace.options;
  for (int number = 0; number <= trace::lastStage(run); ++number) {
    bundle::Stage stage{std::string(trace::stageName(run, number)), {}};
    bool isFirst = true;
    for (const trace::Chunk &chunk : analysis.trace.chunks) {
      if (!chunk.parsed)
        continue;
      stage.text += isFirst ? "" : "// -----\n";
      isFirst = false;
      const std::vector<std::string> &texts = analysis.upstreamTexts[chunk.id];
      if (!texts.empty())
        stage.text += texts[std::min(size_t(number), texts.size() - 1)];
    }
    stages.push_back(std::move(stage));
  }
  return stages;
}

static std::string comparisonOf(const CliOptions &options,
                                const trace::Source &source,
                                const mlir::DialectRegistry &registry,
                                const AnalysisOptions &analysis) {
  const trace::RunOptions &run = options.run;
  if (!run.passes.empty() || !run.pipeline.empty() ||
      run.refineDistinctObjects || !run.freshResults.empty() ||
      run.skipSimplificationOver ||
      run.unregistered != trace::UnregisteredOps::reject)
    return "not compared: with these options the pipeline is not MLIR's own\n";
  CompareOptions compare;
  compare.analysis = analysis;
  compare.seconds = options.timeout;
  std::string text;
  for (FunctionVerdict entry :
       compareFile(source, registry, compare).functions) {
    // By which signal MLIR dies of memory that is not its own is chance.
    if (!entry.signal.empty())
      entry.signal = "died";
    text += verdictLine(source.path, run, entry);
  }
  return text.empty() ? "no function to compare\n" : text;
}

/// What is in the program goes along, paths in its locations too.
static void notePaths(const std::string &path, const std::string &text) {
  for (const char *begin : {"loc(\"/", "= loc(\"/", "fused[\"/"}) {
    size_t at = text.find(begin);
    if (at == text.npos)
      continue;
    size_t line = LineIndex(text).lineColumn(uint32_t(at)).line;
    tell("memref-lens: note: '%s' itself names a path, in a location "
         "on line %zu: the bundle has it too\n",
         path.c_str(), line);
    return;
  }
}

/// "a.bundle.tar.gz" in the current folder, for "some/where/a.mlir".
static std::string outputOf(const CliOptions &options,
                            const std::string &path) {
  if (options.output != "-" || options.hasOutput)
    return options.output;
  llvm::StringRef name =
      path == "-" ? llvm::StringRef("stdin") : llvm::sys::path::filename(path);
  if (!name.consume_back(".mlir"))
    (void)name.consume_back(".mlirbc");
  return name.str() + ".bundle.tar.gz";
}

/// The trace as it is in the bundle: of `input.mlir`.
static Analysis analyseIn(const trace::Source &source,
                          const mlir::DialectRegistry &registry,
                          AnalysisOptions options, StageText text) {
  options.text = text;
  options.measure = symexec::addHeapUse;
  Analysis analysis = analyse(source, registry, options);
  analysis.trace.options = trace::withoutFolders(analysis.trace.options);
  return analysis;
}

int runBundle(const CliOptions &options, const trace::Source &source,
              const mlir::DialectRegistry &registry,
              const AnalysisOptions &analysis) {
  bundle::Bundle made;
  made.isBytecode = mlir::isBytecode(llvm::MemoryBufferRef(source.text, ""));
  made.toolVersion = toolVersion;
  made.llvmVersion = llvmVersion;
  made.input = source.text;
  trace::Source inside = source;
  inside.path = made.isBytecode ? bundle::bytecodeName : bundle::inputName;

  Analysis named =
      analyseIn(inside, registry, analysis, StageText::sourceNames);
  made.options = trace::argumentsOf(named.trace.options);
  std::ostringstream json;
  writeJson(named.trace, json);
  made.trace = json.str();
  named.trace.source.path = source.path;
  printProblems(named.trace, wantsColor(int(options.color), STDERR_FILENO));
  if (std::none_of(named.trace.chunks.begin(), named.trace.chunks.end(),
                   [](const trace::Chunk &chunk) { return chunk.parsed; }))
    tell("memref-lens: note: nothing of '%s' could be parsed; "
         "the bundle says why\n",
         source.path.c_str());
  made.stages =
      stagesOf(analyseIn(inside, registry, analysis, StageText::upstream));
  made.comparison = comparisonOf(options, inside, registry, analysis);
  notePaths(source.path, source.text);

  std::string error, bytes = bundle::write(made, error);
  if (bytes.empty()) {
    tell("memref-lens: error: cannot make the bundle: %s\n", error.c_str());
    return badInput;
  }
  std::string output = outputOf(options, source.path);
  if (output == "-" && isatty(STDOUT_FILENO)) {
    tell("memref-lens: error: a bundle is no text for a "
         "terminal; name a file with '-o'\n");
    return wrongUsage;
  }
  if (!writeOutput(output, [&](std::ostream &out) {
        out.write(bytes.data(), std::streamsize(bytes.size()));
      }))
    return badInput;
  if (output != "-")
    tell("memref-lens: wrote '%s' (%zu bytes)\n", output.c_str(), bytes.size());
  return done;
}

} // namespace memreflens
