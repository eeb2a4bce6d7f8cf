//===- cli/Commands.cpp ---------------------------------------------------===//

#include "cli/Commands.h"
#include "cli/Bundle.h"
#include "cli/Check.h"
#include "cli/Export.h"
#include "cli/Input.h"
#include "cli/Run.h"
#include "cli/Saved.h"
#include "cli/Scopes.h"
#include "core/explain/AliasText.h"
#include "core/explain/PlainText.h"
#include "core/explain/PositionText.h"
#include "core/explain/Render.h"
#include "core/explain/TotalsText.h"
#include "core/explain/Words.h"
#include "core/graph/SvgPng.h"
#include "core/graph/memory/MemorySvg.h"
#include "core/pipeline/run/Batches.h"
#include "core/pipeline/run/Probe.h"
#include "core/pipeline/upstream/Compare.h"
#include "core/process/Parallel.h"
#include "core/query/Index.h"
#include "core/report/Html.h"
#include "core/symexec/HeapPeak.h"
#include "core/text/LineIndex.h"
#include "core/text/Shell.h"
#include "core/trace/Json.h"
#include "core/trace/Plan.h"
#include "core/trace/RunArguments.h"
#include "core/trace/Sizes.h"
#include "core/trace/StageTexts.h"
#include "core/trace/Symbol.h"
#include "core/trace/Text.h"

#include "mlir/IR/DialectRegistry.h"

#include <cstdio>
#include <unistd.h>

using namespace mlir;

namespace memreflens {

namespace {
/// A command on one file.
struct Run {
  const CliOptions &options;
  const trace::Source &source;
  const DialectRegistry &registry;
  const WorkerRequest &request;
  int file = 0;
};
} // namespace

/// Threads for the functions of a file; 0: it is analysed as a whole.
static unsigned threadsOf(const Run &run) {
  return run.request.mayHurry ? run.options.jobs : 0;
}

static AnalysisOptions analysisOptions(const Run &run) {
  AnalysisOptions analysis;
  analysis.run = run.options.run;
  analysis.leavesIr = true;
  followWorker(run.request, run.file, analysis);
  // A stage's time would have other stages' texts in it.
  analysis.textsBeside = threadsOf(run) > 1 && run.options.stageTimeout <= 0;
  return analysis;
}

/// For what shows or keeps peaks.
static AnalysisOptions withHeap(const Run &run) {
  AnalysisOptions analysis = analysisOptions(run);
  analysis.measure = symexec::addHeapUse;
  analysis.workers = severalWorkers(run.options.jobs);
  return analysis;
}

/// 3 if nothing could be analysed.
static int statusOf(const trace::Trace &trace) {
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

static bool knowsFunction(const trace::Trace &trace, const std::string &name) {
  if (name.empty())
    return true;
  for (const trace::Function &function : trace.functions)
    if (function.isCalled(name))
      return true;
  tell("memref-lens: error: no function '@%s' in '%s'%s\n", name.c_str(),
       trace.source.path.c_str(), functionsOf(trace).c_str());
  return false;
}

/// Prints what was wrong, then the result; the exit status.
static int finish(const Run &run, const trace::Trace &trace,
                  const OutputWriter &write) {
  printProblems(trace, wantsColor(int(run.options.color), STDERR_FILENO));
  int status = statusOf(trace);
  if (status == done && !knowsFunction(trace, run.options.run.function))
    return wrongUsage;
  if (status == done && !writeOutput(run.options.output, write))
    return badInput;
  return status;
}

static int finish(const Run &run, const trace::Trace &trace,
                  const std::string &text) {
  return finish(run, trace, [&](std::ostream &out) { out << text; });
}

/// The trace of a program, or the one that the file is: `status` is `done`
/// unless that cannot be shown.
static const trace::Trace &obtain(const Run &run,
                                  const AnalysisOptions &options, int &status) {
  status = done;
  if (!isSaved(run.source))
    return leftToExit(analyseSideBySide(run.source, run.registry, options,
                                        threadsOf(run)))
        .trace;
  SavedTrace saved;
  status = openSaved(run.options, run.source, saved);
  return leftToExit(status == done ? std::move(*saved.trace) : trace::Trace());
}

//===--- trace, ir, explain -----------------------------------------------===//

static int runTrace(const Run &run) {
  int status = done;
  const trace::Trace &trace = obtain(run, withHeap(run), status);
  if (status != done)
    return status;
  if (run.options.format == "text")
    return finish(run, trace, plainText(toText(trace)));
  // Not as one string: the JSON may be larger than the trace.
  return finish(run, trace, [&](std::ostream &out) {
    writeJson(trace, out, workersOn(run.options.jobs));
  });
}

/// Functions by their peaks, the largest first.
static std::string memoryText(std::vector<memory::MemoryUse> uses, bool all,
                              const std::string &words) {
  static constexpr size_t mostFunctions = 3, mostRows = 10;
  std::ranges::stable_sort(uses, std::ranges::greater(),
                           &memory::MemoryUse::peakBytes);
  std::string text;
  for (size_t i = 0; i < uses.size(); ++i) {
    if (!all && i == mostFunctions) {
      text += "\nand " + counted(uses.size() - i, "other function") +
              ", none with a larger peak; --all shows them\n";
      break;
    }
    text += (i ? "\n" : "") + memory::textOf(uses[i], all      ? SIZE_MAX
                                                      : i == 0 ? mostRows
                                                               : 0);
  }
  const bool isHigh = std::ranges::any_of(
      uses, [](const auto &use) { return gainsAfterLastUse(use); });
  return text +
         (isHigh ? "\nwhat to do about it: memref-lens " + words + "\n" : "");
}

/// The function that ran, else the one with the largest peak.
static const memory::MemoryUse *
largestOf(const std::vector<memory::MemoryUse> &uses) {
  for (const memory::MemoryUse &use : uses)
    if (use.measured)
      return &use;
  auto largest =
      std::ranges::max_element(uses, {}, &memory::MemoryUse::peakBytes);
  return largest == uses.end() ? nullptr : &*largest;
}

/// `error` says why there is none.
static std::string memoryIn(const std::string &format, const Lookup &lookup,
                            const std::vector<memory::MemoryUse> &uses,
                            const execute::KeptRun *kept, std::string &error) {
  const memory::MemoryUse *largest = largestOf(uses);
  if (!largest) {
    error = "nothing to draw: no function with a body was traced";
    return {};
  }
  if (format == "html") {
    report::HtmlOptions html;
    html.function = uses.size() == 1 ? largest->function : trace::none;
    html.opensOnMemoryOf = largest->function;
    html.run = kept;
    return report::htmlReport(lookup, html);
  }
  const std::string svg = memory::plotSvg(*largest, graph::ThemeName::light);
  if (format == "svg")
    return svg;
  graph::Image image = graph::pngOf(svg);
  error = std::move(image.error);
  return std::move(image.bytes);
}

/// A size that is stated of nothing is a slip.
static void tellUnusedSizes(const trace::Trace &trace) {
  for (const std::string &text : trace.options.sizes) {
    const std::optional<trace::StatedSize> size = trace::sizeIn(text);
    auto isNamed = [&](const trace::Value &value) {
      return !value.generated && value.name == size->value;
    };
    auto isCalled = [&](const trace::Function &function) {
      return function.name == size->function && !function.blocks.empty() &&
             size_t(size->argument) <
                 trace.blocks[size_t(function.blocks.front())].arguments.size();
    };
    if (size &&
        (size->value.empty() ? !std::ranges::any_of(trace.functions, isCalled)
                             : !std::ranges::any_of(trace.values, isNamed)))
      tell("memref-lens: warning: '--assume %s' is about nothing in the "
           "program\n",
           text.c_str());
  }
}

static int runMemory(const Run &run) {
  const std::string &format = run.options.memoryFormat;
  if (format == "png" && run.options.output == "-" && isatty(STDOUT_FILENO)) {
    tell("memref-lens: error: a PNG does not go to a terminal; name a file "
         "with -o\n");
    return wrongUsage;
  }
  AnalysisOptions options = withHeap(run);
  const bool hasRun = !run.options.withRun.empty();
  if (hasRun)
    options.run.function.clear();
  else
    options.text = StageText::none;
  int status = done;
  const trace::Trace &trace = obtain(run, options, status);
  if (status != done)
    return status;
  std::optional<execute::KeptRun> kept;
  if (hasRun && statusOf(trace) == done &&
      !(kept = openRun(run.options.withRun, trace)))
    return badInput;
  tellUnusedSizes(trace);
  const Lookup lookup(trace);
  std::vector<memory::MemoryUse> uses;
  for (const trace::Function &function : trace.functions)
    if (function.status == trace::FunctionStatus::traced &&
        (run.options.run.function.empty() ||
         function.isCalled(run.options.run.function)))
      uses.push_back(memory::memoryOf(lookup, function.id));
  for (memory::MemoryUse &use : uses)
    if (kept)
      kept->addTo(use, lookup);
  if (format == "json")
    return finish(run, trace, memory::asJson(uses));
  if (format.empty() || format == "text") {
    // What is to be done is told of the whole file.
    trace::RunOptions all = run.options.run;
    all.function.clear();
    return finish(
        run, trace,
        plainText(memoryText(std::move(uses), run.options.showsAll,
                             trace::shellArguments(all, run.source.path))));
  }
  // What was wrong is told first.
  if (uses.empty() && (statusOf(trace) != done ||
                       !knowsFunction(trace, run.options.run.function)))
    return finish(run, trace, std::string());
  std::string error;
  const std::string made =
      memoryIn(format, lookup, uses, kept ? &*kept : nullptr, error);
  if (!error.empty())
    return complain(badInput, error);
  return finish(run, trace, made);
}

static int runSavedIr(const Run &run) {
  SavedTrace saved;
  std::string text;
  if (int status = openSavedIr(run.options, run.source, saved, text);
      status != done)
    return status;
  return finish(run, *saved.trace, text);
}

static int runIr(const Run &run) {
  if (isSaved(run.source))
    return runSavedIr(run);
  AnalysisOptions options = analysisOptions(run);
  options.lastStage = run.options.stage;
  options.text =
      run.options.sourceNames ? StageText::sourceNames : StageText::upstream;
  options.lastTextOnly = !run.options.sourceNames;
  options.isRecorded = run.options.sourceNames;
  if (!options.isRecorded)
    if (std::optional<std::string> joined = lastTextSideBySide(
            run.source, run.registry, options, threadsOf(run)))
      return writeOutput(run.options.output,
                         [&](std::ostream &out) { out << *joined; })
                 ? int(done)
                 : int(badInput);
  Analysis analysis =
      options.isRecorded
          ? analyseSideBySide(run.source, run.registry, options, threadsOf(run))
          : analyse(run.source, run.registry, options);
  std::string text;
  bool first = true;
  for (const trace::Chunk &chunk : analysis.trace.chunks) {
    if (!chunk.parsed)
      continue;
    // As mlir-opt --split-input-file joins its outputs.
    if (!first)
      text += "// -----\n";
    first = false;
    const std::vector<std::string> &upstream = analysis.upstreamTexts[chunk.id];
    if (!run.options.sourceNames)
      text += upstream.empty() ? std::string() : upstream.back();
    else if (!chunk.stages.empty())
      // The last stage that ran, where that is not the one asked for.
      text +=
          trace::stageText(analysis.trace, chunk.id, chunk.stages.back().number)
              .value_or("");
  }
  return finish(run, analysis.trace, text);
}

static std::string explainPosition(const trace::Trace &trace,
                                   const Position &position, bool color,
                                   std::string &error) {
  LineIndex lines(trace.source.text);
  if (position.line > lines.lineCount()) {
    error = pastTheEnd(position.line, lines);
    return {};
  }
  std::vector<Explanation> found;
  if (position.column > 0) {
    found = explainAt(trace, lines.offset({position.line, position.column}));
  } else {
    uint32_t begin = lines.offset({position.line, 1});
    uint32_t end = begin + uint32_t(lines.line(position.line).size());
    found = explainAt(trace, trace::Range{begin, end});
  }
  if (trace.options.aliases && position.column > 0)
    for (Explanation &one : explainAliasesAt(
             Lookup(trace), lines.offset({position.line, position.column})))
      found.push_back(std::move(one));
  std::string text;
  for (const Explanation &explanation : found)
    text += renderText(trace, explanation, color);
  if (found.empty())
    error = "nothing about buffers at " + std::to_string(position.line) +
            (position.column ? ":" + std::to_string(position.column) : "");
  return text;
}

/// All functions, each batch of them in words as soon as it is analysed;
/// nothing where the file is not cut.
static std::optional<std::string>
explainSideBySide(const Run &run, const AnalysisOptions &options, bool color) {
  BatchRun batches(run.source, options);
  std::vector<std::string> texts(batches.size());
  std::vector<Totals> totals(batches.size());
  auto explain = [&](size_t batch, Analysis analysis) {
    texts[batch] = renderFunctions(analysis.trace, {color, {}}, totals[batch]);
  };
  if (threadsOf(run) == 0 || batches.size() == 0 ||
      !batches.analyseAll(run.registry, threadsOf(run), {}, explain))
    return std::nullopt;
  std::string text;
  Totals sum;
  for (size_t batch = 0; batch < batches.size(); ++batch) {
    text += texts[batch];
    sum += totals[batch];
  }
  return text + totalsLine(sum) + "\n";
}

static int runExplain(const Run &run) {
  AnalysisOptions options = analysisOptions(run);
  options.text = StageText::none;
  bool isOfAll = run.options.position.line == 0 && !isSaved(run.source);
  bool color = run.options.output == "-" &&
               wantsColor(int(run.options.color), STDOUT_FILENO);
  if (std::optional<std::string> text =
          isOfAll ? explainSideBySide(run, options, color) : std::nullopt)
    return writeOutput(run.options.output,
                       [&](std::ostream &out) { out << *text; })
               ? int(done)
               : int(badInput);
  int opened = done;
  const trace::Trace &trace = obtain(run, options, opened);
  if (opened != done)
    return opened;
  if (run.options.position.line == 0 && run.options.run.aliases)
    return finish(
        run, trace,
        plainText(renderAliases(Lookup(trace), run.options.run.function)));
  if (run.options.position.line == 0)
    return finish(run, trace,
                  renderReport(trace, {color, run.options.run.function}));
  std::string error;
  std::string text = explainPosition(trace, run.options.position, color, error);
  int status = finish(run, trace, text);
  if (status == done && !error.empty())
    tell("memref-lens: note: %s\n", error.c_str());
  return status;
}

//===--- export -----------------------------------------------------------===//

static int runExport(const Run &run) {
  if (isBundle(run.source)) {
    SavedTrace saved;
    if (int status = openSaved(run.options, run.source, saved); status != done)
      return status;
    return knowsFunction(*saved.trace, run.options.run.function)
               ? exportTrace(run.options, *saved.trace)
               : int(wrongUsage);
  }
  if (isSavedTrace(run.source)) {
    trace::ReadResult saved = trace::readJson(run.source.text);
    if (!saved) {
      tell("memref-lens: error: '%s' is no trace: %s\n",
           run.source.path.c_str(), saved.error.c_str());
      return badInput;
    }
    if (!knowsFunction(*saved.trace, run.options.run.function))
      return wrongUsage;
    return exportTrace(run.options, *saved.trace);
  }
  AnalysisOptions wanted = withHeap(run);
  // What ran is the whole program; one function of it may be drawn.
  if (!run.options.withRun.empty())
    wanted.run.function.clear();
  const std::string &format = run.options.exports.format;
  std::function<FileReport(const trace::Trace &)> findingsOf;
  if (format == "html" || format == "md")
    findingsOf = lookForFindings(run.options, run.source, run.registry, wanted,
                                 threadsOf(run));
  Analysis analysis = analyse(run.source, run.registry, wanted);
  printProblems(analysis.trace,
                wantsColor(int(run.options.color), STDERR_FILENO));
  int status = statusOf(analysis.trace);
  if (status != done)
    return status;
  if (!knowsFunction(analysis.trace, run.options.run.function))
    return wrongUsage;
  if (!findingsOf)
    return exportTrace(run.options, analysis.trace);
  FileReport findings = findingsOf(analysis.trace);
  return exportTrace(run.options, analysis.trace, &findings);
}

//===--- check ------------------------------------------------------------===//

static int runCheckOnFile(const Run &run) {
  Measures measures;
  FileReport report = checkSource(run.source, run.registry, run.options.check,
                                  withHeap(run), threadsOf(run), measures);
  const bool isUnreadable = report.unreadable;
  if (!writeReport(std::move(report), run.options.reportPath) ||
      (run.options.check.triesRemedies &&
       !writeMeasures(measures, run.options.measuresPath)))
    return badInput;
  return isUnreadable ? badInput : done;
}

//===--- compare ----------------------------------------------------------===//

static std::string verdictsOf(const Run &run,
                              const FileComparison &comparison) {
  std::string text;
  for (const FunctionVerdict &entry : comparison.functions)
    if (!run.options.quiet || entry.verdict != Verdict::identical)
      text += verdictLine(run.source.path, run.options.run, entry);
  return text;
}

static int runCompare(const Run &run) {
  CompareOptions options;
  options.analysis = analysisOptions(run);
  options.seconds = run.options.timeout;
  FileComparison comparison = compareFile(run.source, run.registry, options);
  printProblems(comparison.trace,
                wantsColor(int(run.options.color), STDERR_FILENO));
  if (!print(plainText(verdictsOf(run, comparison))))
    return badInput;
  if (comparison.isDifferent())
    return findings;
  // A part that could not be compared is no part that is identical.
  const bool isWhole =
      llvm::all_of(comparison.trace.chunks,
                   [](const trace::Chunk &part) { return part.parsed; });
  return isWhole ? done : badInput;
}

int runCommand(const CliOptions &options,
               const std::vector<trace::Source> &sources,
               const DialectRegistry &registry, const WorkerRequest &request) {
  if (const WorkerProbe *probe = request.probe) {
    const trace::Source &source = sources[size_t(probe->file)];
    runProbe(source, registry,
             analysisOptions({options, source, registry, request, probe->file}),
             request);
    return done;
  }
  int status = done;
  for (size_t file = 0; file < sources.size(); ++file) {
    Run run{options, sources[file], registry, request, int(file)};
    int one = done;
    switch (options.command) {
    case Command::trace:
      one = runTrace(run);
      break;
    case Command::memory:
      one = runMemory(run);
      break;
    case Command::ir:
      one = runIr(run);
      break;
    case Command::explain:
      one = runExplain(run);
      break;
    case Command::exportFiles:
      one = runExport(run);
      break;
    case Command::compare:
      one = runCompare(run);
      break;
    case Command::check:
      one = runCheckOnFile(run);
      break;
    case Command::scopes:
      one = runScopes(options, sources[file], registry);
      break;
    case Command::bundle:
      one = runBundle(options, sources[file], registry, analysisOptions(run));
      break;
    case Command::run:
      one = runProgram(options, sources[file], registry, analysisOptions(run));
      break;
    case Command::help:
    case Command::version:
    case Command::diff:
      break;
    }
    // A difference says more than a file that did not parse.
    status = status == findings || one == findings ? int(findings)
                                                   : std::max(status, one);
  }
  return status;
}

} // namespace memreflens
