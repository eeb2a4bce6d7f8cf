//===- cli/commands/Export.cpp - `export`: pictures and reports -----------===//

#include "cli/Check.h"
#include "cli/Command.h"
#include "cli/ExitStatus.h"
#include "cli/Exporter.h"
#include "cli/FileRun.h"
#include "cli/OptionActions.h"
#include "cli/Saved.h"
#include "cli/Settling.h"
#include "cli/SharedOptions.h"
#include "core/pipeline/stages/PassPlan.h"
#include "core/trace/Json.h"
#include "core/trace/Plan.h"

#include "llvm/ADT/StringRef.h"

#include <unistd.h>

namespace memreflens {

static int exportSaved(const FileRun &run, const trace::Trace &trace) {
  return knowsFunction(trace, run.options.run.function)
             ? exportTrace(run.options, trace)
             : int(wrongUsage);
}

static int exportTraceFile(const FileRun &run) {
  trace::ReadResult saved = readTrace(run.source);
  if (saved)
    return exportSaved(run, *saved.trace);
  tell("memref-lens: error: '%s' is no trace: %s\n", run.source.path.c_str(),
       saved.error.c_str());
  return badInput;
}

static int exportBundle(const FileRun &run) {
  SavedTrace saved;
  int status = openSaved(run.options, run.source, run.kind, saved);
  return status == done ? exportSaved(run, *saved.trace) : status;
}

static int exportProgram(const FileRun &run) {
  AnalysisOptions wanted = withHeap(run);
  // What ran is the whole program; one function of it may be drawn.
  if (!run.options.withRun.empty())
    wanted.run.function.clear();
  const std::string &format = run.options.own<ExportOptions>().format;
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

static int runExport(const FileRun &run) {
  switch (run.kind) {
  case InputKind::bundle:
    return exportBundle(run);
  case InputKind::trace:
    return exportTraceFile(run);
  case InputKind::program:
  case InputKind::bytecode:
    return exportProgram(run);
  }
  return badInput;
}

//===--- Options ----------------------------------------------------------===//

static const std::vector<std::string> &exportFormats() {
  static const std::vector<std::string> formats = {"dot",  "svg",  "png",
                                                   "html", "json", "md"};
  return formats;
}

static std::vector<Option> pictureOptions() {
  return {
      {.names = "--view",
       .value = {" VIEW", {"cfg", "lifetimes", "memory", "arena", "tensors"}},
       .brief = "what to draw",
       .help = "cfg (default); lifetimes: from allocation over last use to "
               "deallocation, and live bytes; memory: live bytes by what "
               "holds them; arena: one piece of memory for all "
               "buffers; tensors: which tensors share a buffer, which are out "
               "of place, and the reasons (these four as svg or png)",
       .man = "`cfg` (the default); `lifetimes`: a chart of every buffer "
              "from allocation over last use to deallocation, and of the "
              "live bytes; `memory`: the live bytes over the program, by "
              "what holds them, with the peak; `arena`: one piece of memory "
              "for all buffers, time across and address up; `tensors`: what "
              "one-shot-bufferize made of the tensors, with a column for each "
              "buffer, its copies and their reasons. The last four are drawn "
              "as svg or png",
       .take = takeOneOf<&ExportOptions::view>()},
      stageOption("after which stage",
                  "draw the program after a stage (0 to 8, final, or a "
                  "name), or two of them side by side: 0..final; default: "
                  "the program as written, with decisions",
                  "draw the program after that stage, with the numbers and "
                  "names of `ir`; two of them as `0..final` are drawn side "
                  "by side with the changed lines marked. By default the "
                  "program is drawn as it was written, with the decisions of "
                  "the ownership pass and what is deallocated in the end. "
                  "`tensor-copies` is the program between the steps of "
                  "one-shot-bufferize"),
      {.names = "--theme",
       .value = {" THEME", {"light", "dark"}},
       .brief = "colours",
       .help = "light (default) or dark; html: what the page opens with "
               "(default: what the browser prefers)",
       .take = takeOneOf<&ExportOptions::theme>()},
      {.names = "--detail",
       .value = {" DETAIL", {"blocks", "ops"}},
       .brief = "how much to draw",
       .help = "ops (default): with operations; blocks: without",
       .take = takeOneOf<&ExportOptions::detail>()},
      {.names = "--highlight",
       .value = {" %NAME"},
       .brief = "emphasise a value",
       .help = "emphasise a value, dim the rest",
       .take = takeText<&ExportOptions::highlight>()}};
}

static std::vector<Option> exportOptions() {
  std::vector<Option> all = {
      outputOption(
          "file, or folder if it ends in '/'; default standard output"),
      {.names = "--format",
       .value = {" FORMAT", exportFormats()},
       .brief = "form of the result",
       .help = R"(dot, svg or png: one function's picture
html: one file to open in a browser, with source, graph, ownership table, lifetimes and stages
md: a summary with diagrams for a pull request
json: the graphs as data
default: by the ending of OUT)",
       .take = takeOneOf<&ExportOptions::format>()}};
  for (Option &option : pictureOptions())
    all.push_back(std::move(option));
  all.push_back(
      {.names = "--no-try",
       .brief = "do not test remedies",
       .help =
           "html and md: do not apply remedies to copies of the program, to "
           "be faster",
       .take = takeFlag<&CheckOptions::triesRemedies, false>()});
  all.push_back(withRunOption(
      "draw the program that ran, with its counts",
      "draw the program that ran, with how often each block, edge and op did, "
      "or "
      "with another --view what its buffers did, too; html and md: a report "
      "with "
      "the counts",
      "draw the program that ran, with how often each block, edge and op did, "
      "and what went wrong at which; with another `--view` what its buffers "
      "did "
      "beside what is predicted; html and md: a report with the counts"));
  return all;
}

/// `3`, `final`, or two stages as `0..8`.
static std::string settleExportStage(CliOptions &options) {
  const std::string &text = options.stageText;
  if (text.empty())
    return {};
  auto [first, second] = llvm::StringRef(text).split("..");
  bool isPair = llvm::StringRef(text).contains("..");
  ExportOptions &exports = options.own<ExportOptions>();
  auto stageOf = [&](llvm::StringRef name) {
    return name.str() == trace::tensorCopies ? trace::tensorCopiesStage
                                             : parseStage(name, options.run);
  };
  exports.stage = stageOf(first);
  exports.against = isPair ? stageOf(second) : -1;
  if (exports.stage == -1 || (isPair && exports.against == -1))
    return "'--stage' takes " + knownStages(options.run) +
           ", or two of them as '0..final', not '" + text + "'";
  const bool wantsCopies = exports.stage == trace::tensorCopiesStage ||
                           exports.against == trace::tensorCopiesStage;
  return wantsCopies ? faultOfTensorCopies(options) : "";
}

static std::string settleExport(CliOptions &options) {
  if (std::string fault = takeOneFile(options); !fault.empty())
    return fault;
  std::string &format = options.own<ExportOptions>().format;
  takeEnding(options.output, exportFormats(), format);
  if (format.empty())
    return "'export' needs '--format' (dot, svg, png, html, json or md), or an "
           "output that ends in one";
  return settleExportStage(options);
}

//===--- The command ------------------------------------------------------===//

const Command &exportCommand() {
  static const Command command{
      .name = "export",
      .takes = "FILE -o OUT",
      .summary = "pictures and reports: DOT, SVG, PNG, HTML, JSON, Markdown",
      .brief = "pictures and reports",
      .question = "pictures, an HTML report, a summary for a review",
      .about = R"(usage: memref-lens export [options] FILE -o OUT

Draws the control-flow graph of a function with what each block owns, retains and
deallocates, or writes a report of the whole file. FILE may be a saved trace
(.json). With -o DIR/ every function gets a file, and the folder an index.
)",
      .options = exportOptions(),
      .groups = {pipelineOptions(), aliasOptions(), statementOptions(),
                 skipOptions(), commonOptions()},
      .files = "*.(mlir|json)*",
      .opensSaved = true,
      .showsPart = true,
      .settle = settleExport,
      .runOnFile = runExport};
  return command;
}

} // namespace memreflens
