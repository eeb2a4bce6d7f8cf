//===- cli/commands/Check.cpp - `check`: rejected, costly, unsound --------===//

#include "cli/Check.h"
#include "cli/Command.h"
#include "cli/ExitStatus.h"
#include "cli/FileRun.h"
#include "cli/OptionActions.h"
#include "cli/SharedOptions.h"
#include "core/check/Rules.h"

#include "llvm/ADT/StringRef.h"

#include <algorithm>

namespace memreflens {

static int runCheckOnFile(const FileRun &run) {
  const CheckOptions &check = run.options.check;
  Measures measures;
  FileReport report = checkSource(run.source, run.registry, check,
                                  withHeap(run), threadsOf(run), measures);
  const bool isUnreadable = report.unreadable;
  if (!writeReport(std::move(report), check.reportPath) ||
      (check.triesRemedies && !writeMeasures(measures, check.measuresPath)))
    return badInput;
  return isUnreadable ? badInput : done;
}

static int runCheckCommand(const CliOptions &options,
                           const mlir::DialectRegistry &registry) {
  if (std::ranges::any_of(options.check.rules, isFormerName))
    tell("memref-lens: warning: --rules: 'refused' is deprecated; the group is "
         "'rejected'\n");
  return runCheck(options, registry);
}

//===--- Options ----------------------------------------------------------===//

static std::string takeRules(const OptionUse &use, CliOptions &options) {
  std::vector<std::string> &rules = options.check.rules;
  llvm::SmallVector<llvm::StringRef> words;
  llvm::StringRef(use.value).split(words, ',', -1, /*KeepEmpty=*/false);
  for (llvm::StringRef word : words)
    rules.push_back(word.trim().str());
  std::string unknown = unknownRule(rules);
  return unknown.empty() ? unknown
                         : "'--rules' knows no rule or group '" + unknown +
                               "'; docs/rules has a page for each";
}

static std::string settleCheck(CliOptions &options) {
  return options.withRun.empty() ? takeFiles(options) : takeOneFile(options);
}

static std::vector<Option> reportOptions() {
  return {
      {.names = "--format",
       .value = {" FORMAT", {"text", "json", "sarif", "github"}},
       .brief = "form of the report",
       .help = "text (default), json, sarif (2.1.0), or github (workflow "
               "annotations)",
       .take = takeOneOf<&CheckOptions::format>()},
      {.names = "--fail-on",
       .value = {" SEVERITY", {"error", "warning", "none"}},
       .brief = "what makes the exit status 1",
       .help = "error (default), warning or none: what makes the exit status 1",
       .take = takeOneOf<&CheckOptions::failOn>()},
      {.names = "--rules",
       .value = {" LIST", {"rejected", "cost", "unsound"}},
       .brief = "only these rules",
       .help = "only these, or all but those with a leading '-': ids and the "
               "groups rejected (deprecated: refused), cost and unsound",
       .take = takeRules},
      {.names = "--baseline",
       .value = {" OLD.json", {}, "*.json"},
       .brief = "report only what is new",
       .help = "report only what an earlier '--format json' does not have, "
               "wherever its lines are now",
       .take = takeInput<&CheckOptions::baseline>()},
      {.names = "--budget",
       .value = {" FILE", {}, "*"},
       .brief = "limits",
       .help = "limits: lines such as '@f clones=0 peak=600MiB', with checks= "
               "and helpers= too; '*' is each function, 'file' their sum; what "
               "is over a peak is told by buffer",
       .take = takeInput<&CheckOptions::budget>()},
      {.names = "--budget",
       .value = {" LIMITS"},
       .help = "the same for each function, without a file: "
               "peak=600MiB,clones=0"}};
}

static std::vector<Option> exploreOptions() {
  return {
      {.names = "-j, --jobs",
       .value = {" N"},
       .brief = "files, batches of functions and remedies at a time",
       .help = "files at a time; where there are fewer, also batches of "
               "functions and remedies tested at a time (default: all cores)",
       .take = takeNumber<&CliOptions::jobs>(1),
       .mayStick = true},
      {.names = "--bound",
       .value = {" N"},
       .brief = "times through a loop",
       .help = "times that a loop without a known end is gone through (3)",
       .take = takeNumber<&CheckOptions::bound>(0)},
      {.names = "--path-seconds",
       .value = {" SECONDS"},
       .brief = "longest for one function",
       .help = "longest that the paths of one function may take (20); bounds "
               "of ops and memory, the same on every machine, nearly always "
               "end them sooner",
       .take = takeSeconds<&CheckOptions::seconds>()},
      {.names = "--no-try",
       .brief = "do not test remedies",
       .help = "do not apply remedies to copies of the program, to see what "
               "they gain",
       .take = takeFlag<&CheckOptions::triesRemedies, false>()},
      {.names = "--try-ops",
       .value = {" N"},
       .brief = "ops of all copies",
       .help = "ops that these copies may have, all in all, for each file "
               "(500000; 0: no limit); the remedies that promise most come "
               "first",
       .take = takeNumber<&CheckOptions::tryOps>(0)}};
}

static std::vector<Option> textOptions() {
  return {
      {.names = "--all",
       .brief = "an entry for each finding, not for each cause",
       .help = "text: an entry for each finding with its facts, not one for "
               "each cause with its places",
       .man = "as text: an entry for each finding with its facts, not one "
              "for each cause with its places. An error always has its own",
       .take = takeFlag<&CheckOptions::listsAll>()},
      {.names = "-v, --verbose",
       .brief = "also what was tested and does not help",
       .help = "text: the same, with the remedies that were tested and do "
               "not help, and how far the paths of each function were tried",
       .take = takeFlag<&CheckOptions::verbose>()},
      {.names = "--track-sentences",
       .brief = "behind each sentence, the line of our source that makes it",
       .take = takeFlag<&CheckOptions::tracksSentences>(),
       .isHidden = true},
      withRunOption(
          "what run-time alias checks found",
          "what run-time alias checks found in one run of the file",
          "tell what the run-time alias checks found in one run of the "
          "file"),
      {.names = "--help-uri-base",
       .value = {" URI"},
       .brief = "where the rules are described",
       .help = "sarif: where the pages of docs/rules are",
       .take = takeText<&CheckOptions::helpUriBase>()},
      outputOption(),
      rejectedPipeline()};
}

static std::vector<Option> checkOptions() {
  std::vector<Option> all = reportOptions();
  for (Option &option : exploreOptions())
    all.push_back(std::move(option));
  for (Option &option : textOptions())
    all.push_back(std::move(option));
  return all;
}

//===--- The command ------------------------------------------------------===//

const Command &checkCommand() {
  static const Command command{
      .name = "check",
      .takes = "FILE...",
      .summary = "what is rejected, what costs, what is unsound: all paths of "
                 "every function tried",
      .brief = "what is rejected, what costs, what is unsound",
      .question =
          "what is rejected, what costs, what is unsound? for people, CI "
          "and code scanning",
      .about = R"(usage: memref-lens check [options] FILE...

Finds, all at once: every op for which the pipeline rejects a function, and what
to do about it; what its result costs (clones, run-time alias checks,
dealloc_helper calls, late deallocs); and what is unsound. For that, all paths of
each function of the pipeline's result are tried, and of the input where it
deallocates by hand: leaks, double frees, uses after free, deallocs of what
belongs to others, with the path that leads there. Exit status 1 if there are
findings; docs/rules has a page for each rule.
)",
      .options = checkOptions(),
      .groups = {statementOptions(), commonOptions()},
      .settle = settleCheck,
      .run = runCheckCommand,
      .runOnFile = runCheckOnFile};
  return command;
}

} // namespace memreflens
