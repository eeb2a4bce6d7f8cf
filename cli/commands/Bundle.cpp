//===- cli/commands/Bundle.cpp - `bundle`: a run, to be sent to somebody --===//

#include "core/bundle/Bundle.h"
#include "cli/Command.h"
#include "cli/ExitStatus.h"
#include "cli/FileRun.h"
#include "cli/OptionActions.h"
#include "cli/SharedOptions.h"
#include "cli/Verdicts.h"
#include "core/Version.h"
#include "core/explain/PlainText.h"
#include "core/symexec/HeapPeak.h"
#include "core/text/LineIndex.h"
#include "core/trace/Json.h"
#include "core/trace/Names.h"
#include "core/trace/Plan.h"
#include "core/trace/RunArguments.h"

#include "mlir/IR/DialectRegistry.h"
#include "llvm/Support/Path.h"

#include <algorithm>
#include <cstdio>
#include <sstream>
#include <unistd.h>

namespace memreflens {

namespace {
struct BundleOptions {
  /// Seconds for each run of upstream.
  double timeout = 600;
};
} // namespace

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
  compare.seconds = options.own<BundleOptions>().timeout;
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

static int runBundle(const FileRun &run) {
  const CliOptions &options = run.options;
  const trace::Source &source = run.source;
  const mlir::DialectRegistry &registry = run.registry;
  const AnalysisOptions analysis = analysisOptions(run);
  bundle::Bundle made;
  made.isBytecode = run.kind == InputKind::bytecode;
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

//===--- The command ------------------------------------------------------===//

const Command &bundleCommand() {
  static const Command command{
      .name = "bundle",
      .takes = "FILE",
      .summary = "the program with its trace, the IR of every stage and the "
                 "comparison in one archive, to be sent",
      .brief = "the program, its trace and the comparison in one archive",
      .question = "all of it in one archive, to be sent to somebody",
      .about = R"(usage: memref-lens bundle [options] FILE

Writes one archive (.tar.gz) with the program, the options and versions, the
trace, the program after each stage and the comparison with MLIR: all that somebody
else needs to see what you see. It has no path, name or time of this machine, but
for what the program itself says; equal programs and options give equal bytes.
'memref-lens trace', ir, explain, export and diff, and the viewer, open it.
)",
      .options = {outputOption(
                      "the archive; default: FILE's name in the current "
                      "folder, with .bundle.tar.gz for .mlir"),
                  {.names = "--timeout",
                   .value = {" SECONDS"},
                   .brief = "longest run of MLIR",
                   .help = "longest that one run of MLIR may take (600)",
                   .take = takeSeconds<&BundleOptions::timeout>()}},
      .groups = {pipelineOptions(), aliasOptions(), statementOptions(),
                 commonOptions()},
      .runOnFile = runBundle};
  return command;
}

} // namespace memreflens
