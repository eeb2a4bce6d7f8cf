//===- cli/commands/Compare.cpp - `compare`: files, versions, pipelines ---===//

#include "cli/Check.h"
#include "cli/Command.h"
#include "cli/ComparisonOptions.h"
#include "cli/ExitStatus.h"
#include "cli/FileRun.h"
#include "cli/OptionActions.h"
#include "cli/Pipelines.h"
#include "cli/SharedOptions.h"
#include "cli/Verdicts.h"
#include "cli/Workers.h"
#include "core/explain/PlainText.h"
#include "core/pipeline/placement/Pipelines.h"
#include "core/trace/Sizes.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

#include <algorithm>
#include <sstream>
#include <unistd.h>

namespace memreflens {

//===--- A file against MLIR ----------------------------------------------===//

static std::string verdictsOf(const FileRun &run,
                              const FileComparison &comparison) {
  const bool isQuiet = run.options.own<ComparisonOptions>().quiet;
  std::string text;
  for (const FunctionVerdict &entry : comparison.functions)
    if (!isQuiet || entry.verdict != Verdict::identical)
      text += verdictLine(run.source.path, run.options.run, entry);
  return text;
}

static int runCompare(const FileRun &run) {
  CompareOptions options;
  options.analysis = analysisOptions(run);
  options.seconds = run.options.own<ComparisonOptions>().timeout;
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

//===--- Pipelines against each other -------------------------------------===//

static int runPipelines(const CliOptions &options,
                        const mlir::DialectRegistry &registry) {
  const ComparisonOptions &wants = options.own<ComparisonOptions>();
  WorkerOptions worker = workerOptions(options);
  PipelineTable table{wants.pipelines, {}};
  int status = done;
  for (const std::string &file : options.files) {
    std::optional<Input> input = inputOrComplain(file);
    bool isReadable = input && canBeRead(*input, registry, worker);
    status =
        std::max(status, isReadable ? comparePipelines(options, input->source,
                                                       registry, worker, table)
                                    : int(badInput));
  }
  // A table that lacks what was not run would be taken for the whole.
  if (status == noResources || status > 128)
    return status;
  std::ostringstream text;
  printTable(table, wants.format, text);
  bool written = writeOutput(
      options.output, [&](std::ostream &out) { out << plainText(text.str()); });
  return written ? status : int(badInput);
}

static int runCompareCommand(const CliOptions &options,
                             const mlir::DialectRegistry &registry) {
  const ComparisonOptions &wants = options.own<ComparisonOptions>();
  if (!wants.before.empty())
    return runVersions(options, registry);
  return wants.pipelines.empty() ? runOnEachFile(options, registry)
                                 : runPipelines(options, registry);
}

//===--- Options ----------------------------------------------------------===//

static std::string takePipelines(const OptionUse &use, CliOptions &options) {
  llvm::SmallVector<llvm::StringRef> names;
  llvm::StringRef(use.value).split(names, ',', -1, /*KeepEmpty=*/false);
  for (llvm::StringRef name : names) {
    std::string error;
    if (!parsePlacement(name, error))
      return error;
    options.own<ComparisonOptions>().pipelines.push_back(name.str());
  }
  return names.empty()
             ? "'--pipelines' takes names, such as 'classic,ownership'"
             : "";
}

/// Sizes change figures only.
static std::string takeSize(const OptionUse &use, CliOptions &options) {
  if (trace::sizeIn(use.value))
    return takeAssumption(use, options);
  return "'--assume' makes other IR than MLIR does; there is nothing to "
         "compare it with";
}

static std::string rejectLookingPast(const OptionUse &use,
                                     CliOptions &options) {
  std::string fault = takeUnregistered(use, options);
  if (!fault.empty() ||
      options.run.unregistered == trace::UnregisteredOps::reject)
    return fault;
  return "MLIR rejects every op that is not registered; with '--unregistered' "
         "there is nothing to compare with";
}

static std::vector<Option> pipelineRejections() {
  Option assume = rejectedOption("--assume", {});
  assume.take = takeSize;
  Option unregistered = rejectedOption("--unregistered", {});
  unregistered.take = rejectLookingPast;
  return {rejectedPipeline(),
          rejectedOption("--refine",
                         "'--refine' makes other IR than MLIR does; there is "
                         "nothing to compare it with"),
          assume, unregistered};
}

static std::string settleVersions(const CliOptions &options) {
  const ComparisonOptions &wants = options.own<ComparisonOptions>();
  if (!wants.pipelines.empty())
    return "'--pipelines' compares ways to deallocate in one file, '--before' "
           "and '--after' two files: one at a time";
  if (wants.format == "html")
    return "a page is made by '--pipelines'; '--before' and '--after' have md, "
           "text and json";
  if (wants.before.empty() || wants.after.empty())
    return "'--before' and '--after' name two versions of a file: both are "
           "needed";
  if (!options.files.empty())
    return "with '--before' and '--after' no other file is compared: '" +
           options.files.front() + "' is too many";
  if (wants.before == "-" && wants.after == "-")
    return "only one of '--before' and '--after' can be standard input";
  return {};
}

static std::string settleCompare(CliOptions &options) {
  const ComparisonOptions &wants = options.own<ComparisonOptions>();
  return wants.before.empty() && wants.after.empty() ? takeFiles(options)
                                                     : settleVersions(options);
}

static std::vector<Option> comparedOptions() {
  return {
      {.names = "--before",
       .value = {" OLD", {}, "*.mlir*"},
       .brief = "the version before",
       .take = takeInput<&ComparisonOptions::before>()},
      {.names = "--after",
       .value = {" NEW", {}, "*.mlir*"},
       .brief = "the version after",
       .take = takeInput<&ComparisonOptions::after>()},
      {.names = "--pipelines",
       .value = {" NAMES"},
       .brief = "ways to deallocate, side by side",
       .help = "ways to deallocate, separated by commas: what each one "
               "costs, function by function. What deallocates is ownership, "
               "dynamic (private functions return ownership) or classic (the "
               "clone-based pass of LLVM 20 and before); joined to it by "
               "'+', passes that run in front (hoist, loop-hoist, stack, "
               "drop-results, out-params) or behind (liveness), for example "
               "classic,hoist+classic,ownership",
       .man = "separated by commas. What deallocates is `ownership`, "
              "`dynamic` (private functions return ownership) or `classic` "
              "(the clone-based pass of LLVM 20 and before); joined to it by "
              "`+`, passes that run in front (`hoist`, `loop-hoist`, `stack`, "
              "`drop-results`, `out-params`) or behind (`liveness`)",
       .take = takePipelines}};
}

static std::vector<Option> compareOptions() {
  std::vector<Option> all = comparedOptions();
  all.push_back({.names = "--format",
                 .value = {" FORMAT", {"md", "text", "json", "html"}},
                 .brief = "of versions or pipelines",
                 .help = "md, text or json; of two versions md by default, of "
                         "pipelines text",
                 .take = takeOneOf<&ComparisonOptions::format>()});
  all.push_back(
      outputOption("write to a file instead of standard output, of two "
                   "versions or of pipelines"));
  all.push_back({.names = "--timeout",
                 .value = {" SECONDS"},
                 .brief = "longest run of MLIR",
                 .help = "longest that one run of MLIR may take (600)",
                 .take = takeSeconds<&ComparisonOptions::timeout>()});
  all.push_back({.names = "-q, --quiet",
                 .brief = "no line for what is identical",
                 .take = takeFlag<&ComparisonOptions::quiet>()});
  for (Option &option : pipelineRejections())
    all.push_back(std::move(option));
  return all;
}

//===--- The command ------------------------------------------------------===//

const Command &compareCommand() {
  static const Command command{
      .name = "compare",
      .takes = "FILE...",
      .summary =
          "our result against MLIR's own, stage by stage; or two versions "
          "of a file: what a change does",
      .brief = "our result against MLIR's own, stage by stage",
      .question =
          "is this what MLIR does? what does this change do? what would "
          "another pipeline cost?",
      .about = R"(usage: memref-lens compare [options] FILE...
       memref-lens compare [options] --before OLD --after NEW
       memref-lens compare [options] --pipelines NAMES FILE...

Runs MLIR's own buffer-deallocation-pipeline in a child process and compares the
program after every stage. One line a function: identical, rejected alike,
upstream crashed, upstream timed out, upstream reads freed memory, upstream order
varies (its own result changes from run to run), or DIFFERENT with the first
differing lines. Exit status 1 on DIFFERENT or a time-out.

With two versions of a file: what the change does to ownership, for a review:
functions added, removed and renamed, what their memory handling costs, findings
new and fixed, and what becomes of each buffer. Places, and the numbers of values
without a name of their own, do not count. Exit status 0 whatever has changed.
)",
      .options = compareOptions(),
      .groups = {commonOptions()},
      .showsProgress = false,
      .settle = settleCompare,
      .run = runCompareCommand,
      .runOnFile = runCompare};
  return command;
}

} // namespace memreflens
