//===- cli/commands/Explain.cpp - `explain`: what becomes of a buffer -----===//

#include "cli/Command.h"
#include "cli/ExitStatus.h"
#include "cli/ExplainOptions.h"
#include "cli/FileRun.h"
#include "cli/OpCommand.h"
#include "cli/OptionActions.h"
#include "cli/Reduce.h"
#include "cli/SharedOptions.h"
#include "cli/Workers.h"
#include "core/explain/AliasText.h"
#include "core/explain/PlainText.h"
#include "core/explain/PositionText.h"
#include "core/explain/Render.h"
#include "core/explain/TotalsText.h"
#include "core/pipeline/run/Batches.h"
#include "core/reduce/Target.h"
#include "core/text/LineIndex.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/FileSystem.h"

#include <unistd.h>

namespace memreflens {

//===--- Of a file --------------------------------------------------------===//

static std::string explainPosition(const trace::Trace &trace,
                                   const Position &position,
                                   const ReportOptions &shown,
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
    text += renderText(trace, explanation, shown);
  if (found.empty())
    error = "nothing about buffers at " + std::to_string(position.line) +
            (position.column ? ":" + std::to_string(position.column) : "");
  return text;
}

/// All functions, each batch of them in words as soon as it is analysed;
/// nothing where the file is not cut.
static std::optional<std::string>
explainSideBySide(const FileRun &run, const AnalysisOptions &options,
                  const ReportOptions &shown) {
  BatchRun batches(run.source, options);
  std::vector<std::string> texts(batches.size());
  std::vector<Totals> totals(batches.size());
  auto explain = [&](size_t batch, Analysis analysis) {
    texts[batch] = renderFunctions(analysis.trace, shown, totals[batch]);
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
  return text + renderTotals(sum, shown);
}

static int runExplain(const FileRun &run) {
  const Position &position = run.options.own<ExplainOptions>().position;
  AnalysisOptions options = analysisOptions(run);
  options.text = StageText::none;
  bool isOfAll = position.line == 0 && !isSaved(run.kind);
  ReportOptions shown;
  shown.color = run.options.output == "-" &&
                wantsColor(int(run.options.color), STDOUT_FILENO);
  shown.tracksSentences = run.options.own<ExplainOptions>().tracksSentences;
  if (std::optional<std::string> text =
          isOfAll ? explainSideBySide(run, options, shown) : std::nullopt)
    return writeOutput(run.options.output,
                       [&](std::ostream &out) { out << *text; })
               ? int(done)
               : int(badInput);
  int opened = done;
  const trace::Trace &trace = obtain(run, options, opened);
  if (opened != done)
    return opened;
  const std::string &function = run.options.run.function;
  if (position.line == 0 && run.options.run.aliases)
    return finish(run, trace,
                  plainText(renderAliases(Lookup(trace), function)));
  if (position.line == 0) {
    shown.function = function;
    return finish(run, trace, renderReport(trace, shown));
  }
  std::string error;
  std::string text = explainPosition(trace, position, shown, error);
  int status = finish(run, trace, text);
  if (status == done && !error.empty())
    tell("memref-lens: note: %s\n", error.c_str());
  return status;
}

//===--- Of an op, and of a place -----------------------------------------===//

/// `--op`, with a file or without.
static int runOp(const CliOptions &options,
                 const mlir::DialectRegistry &registry) {
  std::optional<Input> input;
  if (!options.files.empty() &&
      !(input = inputOrComplain(options.files.front())))
    return badInput;
  WorkerOptions worker = workerOptions(options);
  if (input && !canBeRead(*input, registry, worker))
    return badInput;
  return runInWorker(
      [&](const WorkerRequest &request) {
        return request.probe
                   ? int(done)
                   : explainOpNamed(options, input ? &input->source : nullptr,
                                    registry);
      },
      worker);
}

static int runReduction(const CliOptions &options,
                        const mlir::DialectRegistry &registry) {
  std::optional<Input> input = inputOrComplain(options.files.front());
  if (!input || !isTaken(options, *input, registry))
    return badInput;
  return runReduce(options, *input, registry, workerOptions(options));
}

static int runExplainCommand(const CliOptions &options,
                             const mlir::DialectRegistry &registry) {
  const ExplainOptions &wants = options.own<ExplainOptions>();
  if (!wants.op.empty())
    return runOp(options, registry);
  return wants.reduce.wanted ? runReduction(options, registry)
                             : runOnEachFile(options, registry);
}

//===--- Options ----------------------------------------------------------===//

static std::string takeReduce(const OptionUse &use, CliOptions &options) {
  options.own<ExplainOptions>().reduce.wanted = true;
  options.own<ExplainOptions>().reduce.kind = use.value;
  std::string fault = faultOfWish(use.value);
  return fault.empty() ? fault : "'--reduce' " + fault;
}

static std::string takeReduceSeconds(const OptionUse &use,
                                     CliOptions &options) {
  return readSeconds(use, options.own<ExplainOptions>().reduce.seconds);
}

/// `a.mlir:12:3` where no file of that whole name exists.
static void splitPosition(CliOptions &options) {
  std::string &file = options.files.front();
  if (llvm::sys::fs::exists(file))
    return;
  llvm::StringRef rest = file;
  unsigned numbers[2] = {0, 0};
  int found = 0;
  while (found < 2) {
    auto [head, tail] = rest.rsplit(':');
    unsigned number = 0;
    if (tail.empty() || tail.getAsInteger(10, number) || number == 0)
      break;
    numbers[found++] = number;
    rest = head;
  }
  if (found == 0)
    return;
  options.own<ExplainOptions>().position =
      found == 2 ? Position{numbers[1], numbers[0]} : Position{numbers[0], 0};
  file = rest.str();
}

/// `--op` needs no file; `--format` needs `--op`.
static std::string settleOp(const CliOptions &options) {
  const ExplainOptions &wants = options.own<ExplainOptions>();
  if (wants.op.empty())
    return "'--format' of explain goes with '--op'; 'memref-lens trace' writes "
           "all decisions as JSON";
  if (wants.reduce.wanted)
    return "'--reduce' is about a place in a file, '--op' about an op's name; "
           "ask for one of them";
  if (options.files.size() > 1)
    return "one file at a time, please: '" + options.files[1] + "' is too many";
  return {};
}

static std::string settleExplain(CliOptions &options) {
  ExplainOptions &wants = options.own<ExplainOptions>();
  if (!wants.op.empty() || wants.format != "text")
    return settleOp(options);
  if (std::string fault = takeOneFile(options); !fault.empty())
    return fault;
  splitPosition(options);
  if (wants.reduce.wanted && wants.position.line == 0)
    return "'--reduce' needs a place: FILE:LINE or FILE:LINE:COL";
  if (wants.reduce.wanted && options.run.aliases)
    return "'--reduce' writes a program, without '--aliases'";
  return {};
}

static std::vector<Option> opOptions() {
  return {{.names = "--op",
           .value = {" DIALECT.OP"},
           .brief = "what an op needs",
           .help = "of this op, in place of the buffers of a file",
           .man =
               "in place of that, what an op needs: its interfaces, traits "
               "and external models in this registry, which conditions of the "
               "pass it meets, what the pass does to it (which `i1` values it "
               "appends, and where), and the lines of ODS and C++ that it "
               "lacks. No file is needed; of a file, each op of that name is "
               "told of as well, as the program is written",
           .take = takeText<&ExplainOptions::op>()},
          {.names = "--format",
           .value = {" FORMAT", {"text", "json"}},
           .brief = "form, with --op",
           .help = "with --op: text (default) or json",
           .take = takeOneOf<&ExplainOptions::format>()},
          outputOption()};
}

static std::vector<Option> reduceOptions() {
  return {
      {.names = "--reduce",
       .value = {"[=KIND]",
                 {"clone", "check", "rejection", "crash", "finding:"}},
       .brief = "write the smallest program that shows it",
       .help =
           "write the smallest program that still shows what is at the "
           "place, with comments that say what: clone, check (run-time alias "
           "check), rejection, crash or finding:RULE (of 'memref-lens "
           "check'); default: the most telling",
       .man =
           "write the smallest program that still shows what is at the "
           "place, in front of it comments that say what it shows, by which "
           "commands it is seen, and the issue of MLIR's where one is known. "
           "KIND is `clone` (bufferization.clone), `check` (a run-time alias "
           "check, a call of dealloc_helper, a free under a condition), "
           "`rejection`, `crash` (of a stage, or of MLIR's own pipeline) or "
           "`finding:`RULE (a rule of `memref-lens check`); without it, the "
           "most telling of what is there is taken. Functions, ops, blocks, "
           "arguments, results, shapes and attributes are removed as long as "
           "the same thing is shown: of the same value or op, for the same "
           "cause. Each program on the way is verified, and run through the "
           "whole pipeline in a process of its own. Needs a place; only the "
           "part of the file around it, between `// -----` lines, is used",
       .take = takeReduce},
      {.names = "--reduce-seconds",
       .value = {" N"},
       .brief = "longest that this may take",
       .help =
           "longest that this may take (120; 0: no limit); Ctrl-C, too, ends "
           "it with what there is",
       .man = "longest that the reduction may take (120; 0: no limit). What "
              "there is by then is written, with a note; so it is with an "
              "interrupt (Ctrl-C)",
       .take = takeReduceSeconds}};
}

static std::vector<Option> explainOptions() {
  std::vector<Option> all = opOptions();
  for (Option &option : reduceOptions())
    all.push_back(std::move(option));
  all.push_back({.names = "--track-sentences",
                 .brief = "behind each line, the line of our source that "
                          "makes it",
                 .take = takeFlag<&ExplainOptions::tracksSentences>(),
                 .isHidden = true});
  return all;
}

//===--- The command ------------------------------------------------------===//

const Command &explainCommand() {
  static const Command command{
      .name = "explain",
      .takes = "FILE[:LINE[:COL]]",
      .summary =
          "the fate of every buffer; with a position, everything about the "
          "value, op or block there",
      .brief = "the fate of every buffer",
      .question = "what becomes of this buffer, and why? what does my op need? "
                  "which memrefs may be one?",
      .about = R"(usage: memref-lens explain [options] FILE[:LINE[:COL]]
       memref-lens explain --op DIALECT.OP [options] [FILE]

Runs the buffer deallocation pipeline and tells the fate of every buffer: where
it is deallocated and under which condition, who owns it, why it is cloned, why a
run-time alias check is left, why a function is rejected. With a line, or a line
and a column (from 1), everything about what stands there.

With --op, what an op needs: its interfaces and traits in this registry, which
conditions of the pass it meets, what the pass does to it, and the lines that it
lacks, to paste; with a FILE also of each op of that name in it.
)",
      .options = explainOptions(),
      .groups = {jobsOptions(), pipelineOptions(), aliasOptions(),
                 statementOptions(), skipOptions(), commonOptions()},
      .opensSaved = true,
      .showsPart = true,
      .settle = settleExplain,
      .run = runExplainCommand,
      .runOnFile = runExplain};
  return command;
}

} // namespace memreflens
