//===- cli/CheckRun.cpp - many files, checked side by side ----------------===//

#include "cli/Check.h"
#include "cli/ComparisonOptions.h"
#include "cli/ExitStatus.h"
#include "cli/Workers.h"
#include "core/Version.h"
#include "core/causes/Overview.h"
#include "core/check/Change.h"
#include "core/check/Formats.h"
#include "core/check/HandOver.h"
#include "core/explain/PlainText.h"
#include "core/files/UnnamedFile.h"
#include "core/process/Child.h"
#include "core/trace/Names.h"
#include "core/trace/RunArguments.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <map>
#include <unistd.h>

namespace memreflens {

namespace {
/// Runs the files' checks in child processes, some at a time.
class CheckRunner {
public:
  CheckRunner(const CliOptions &options, const mlir::DialectRegistry &registry)
      : options(options), registry(registry) {}
  std::vector<FileReport> run();
  int status() const { return worst; }

private:
  int checkFile(const std::string &file, const std::string &reportPath) const;
  bool start(size_t file);
  void waitForOne();
  void take(size_t file, int status);
  void show(size_t finished) const;

  const CliOptions &options;
  const mlir::DialectRegistry &registry;
  std::map<pid_t, size_t> running;
  /// What the children leave.
  std::vector<UnnamedFile> results;
  std::vector<FileReport> reports;
  size_t finished = 0;
  int worst = done;
};
} // namespace

/// In a process of its own.
int CheckRunner::checkFile(const std::string &file,
                           const std::string &reportPath) const {
  std::optional<Input> input = inputOrComplain(file);
  if (!input)
    return badInput;
  UnnamedFile measures;
  if (!measures.isOpen())
    return failTemporary();
  CliOptions one = options;
  one.check.reportPath = reportPath;
  one.check.measuresPath = measures.getPath();
  // What the other files leave.
  one.jobs = unsigned(std::max<size_t>(options.jobs / options.files.size(), 1));
  std::optional<FileTrials> trials;
  if (options.check.triesRemedies)
    trials.emplace(one, input->source, registry,
                   /*goesAhead=*/input->kind != InputKind::bytecode);
  int status = runOnFile(one, *input, registry);
  // Of what is not bufferized, one-shot-bufferize may be told another way.
  if (trials && (status == done || (status == badInput && bufferizes(one.run))))
    trials->add();
  return status;
}

bool CheckRunner::start(size_t file) {
  results[file] = UnnamedFile();
  if (!results[file].isOpen()) {
    worst = std::max(worst, failTemporary());
    return false;
  }
  Child child = Child::run(
      [&] { return checkFile(options.files[file], results[file].getPath()); });
  if (!child.hasStarted()) {
    tell("memref-lens: error: '%s' is not checked: cannot start a process: "
         "%s\n",
         options.files[file].c_str(), std::strerror(errno));
    take(file, noResources);
    return false;
  }
  running[child.getId()] = file;
  return true;
}

void CheckRunner::take(size_t file, int status) {
  reports[file].file = options.files[file];
  std::optional<FileReport> read = reportFromBytes(results[file].read());
  results[file] = UnnamedFile::none();
  if (read)
    reports[file] = std::move(*read);
  else
    reports[file].unreadable = true;
  // A part that nobody looked at is no part without findings.
  if (reports[file].unreadable || reports[file].unparsed > 0)
    status = status == done ? int(badInput) : status;
  worst = std::max(worst, status == findings ? int(done) : status);
  ++finished;
}

void CheckRunner::waitForOne() {
  auto [child, end] = waitForAnyChild();
  auto entry = running.find(child);
  if (entry == running.end())
    return;
  size_t file = entry->second;
  running.erase(entry);
  if (end.signal != 0)
    tell("memref-lens: error: '%s' is not checked: its process was ended by "
         "signal %d (%s)\n",
         options.files[file].c_str(), end.signal, strsignal(end.signal));
  take(file, end.signal == 0 ? end.status : 70);
  show(finished);
}

void CheckRunner::show(size_t finished) const {
  if (options.files.size() > 1 && isatty(STDERR_FILENO))
    std::fprintf(stderr, "\r%zu of %zu files checked%s", finished,
                 options.files.size(),
                 finished == options.files.size() ? "\n" : "");
}

std::vector<FileReport> CheckRunner::run() {
  reports.resize(options.files.size());
  for (size_t i = 0; i < options.files.size(); ++i)
    results.push_back(UnnamedFile::none());
  for (size_t file = 0; file < options.files.size(); ++file) {
    while (running.size() >= options.jobs)
      waitForOne();
    (void)start(file);
  }
  while (!running.empty())
    waitForOne();
  return std::move(reports);
}

//===--- The command ------------------------------------------------------===//

/// Adds what is over the budget; false if the file is none.
static bool addBudget(const CheckOptions &check,
                      std::vector<FileReport> &reports) {
  for (FileReport &report : reports)
    applyCapacities(report);
  if (check.budget.empty())
    return true;
  std::string error;
  std::vector<BudgetLine> budget;
  if (isBudget(check.budget)) {
    budget = budgetIn(check.budget, error);
  } else {
    std::optional<trace::Source> text = readOrComplain(check.budget);
    if (!text)
      return false;
    budget = parseBudget(text->text, error);
  }
  if (!error.empty()) {
    tell("memref-lens: error: '%s': %s\n", check.budget.c_str(), error.c_str());
    return false;
  }
  for (FileReport &report : reports)
    applyBudget(report, budget);
  return true;
}

static bool addBaseline(const CheckOptions &check, CheckOutput &output) {
  if (check.baseline.empty())
    return true;
  std::optional<trace::Source> text = readOrComplain(check.baseline);
  if (!text)
    return false;
  std::string error;
  auto old = readJsonReports(text->text, error);
  if (!old) {
    tell("memref-lens: error: '%s' is no report: %s\n", check.baseline.c_str(),
         error.c_str());
    return false;
  }
  output.change = compareWith(*old, output.reports);
  return true;
}

static bool fails(const CheckOutput &output, const std::string &failOn) {
  if (failOn == "none")
    return false;
  for (const Finding *finding : findingsOf(output))
    if (finding->severity == trace::Severity::error ||
        (failOn == "warning" && finding->severity == trace::Severity::warning))
      return true;
  return false;
}

/// Whether the answer would be lost between the findings.
static bool isLong(const FileReport &report, const CheckOutput &output) {
  constexpr size_t screen = 10;
  return !output.change && report.findings.size() > screen;
}

static std::string render(const CliOptions &options,
                          const CheckOutput &output) {
  if (options.check.format == "json")
    return asJson(output);
  if (options.check.format == "sarif")
    return asSarif(output);
  if (options.check.format == "github")
    return plainText(asGithub(output));
  bool color =
      options.output == "-" && wantsColor(int(options.color), STDOUT_FILENO);
  const bool isOverview = options.check.format == "overview";
  std::string text;
  for (const FileReport &report : output.reports)
    if ((isOverview && (!report.unreadable || !report.findings.empty())) ||
        (!report.unreadable && isLong(report, output)))
      text += (text.empty() ? "" : "\n") +
              asText(overviewOf(report), report,
                     trace::shellArguments(options.run, report.file), color,
                     !isOverview);
  if (isOverview)
    return text;
  return (text.empty() ? text : text + "\n") + asText(output, color);
}

int runVersions(const CliOptions &options,
                const mlir::DialectRegistry &registry) {
  CliOptions both = options;
  const ComparisonOptions &wants = options.own<ComparisonOptions>();
  both.files = {wants.before, wants.after};
  both.command = findCommand("check");
  both.check.describes = true;
  both.check.triesRemedies = false;
  CheckRunner runner(both, registry);
  std::vector<FileReport> reports = runner.run();
  if (runner.status() != done)
    return runner.status();
  VersionChange change = changeBetween(reports[0], reports[1]);
  std::string text = wants.format == "json"   ? changeAsJson(change)
                     : wants.format == "text" ? changeAsText(change)
                                              : changeAsMarkdown(change);
  bool written = writeOutput(
      options.output, [&](std::ostream &out) { out << plainText(text); });
  return written ? int(done) : int(badInput);
}

int runCheck(const CliOptions &options, const mlir::DialectRegistry &registry) {
  CheckRunner runner(options, registry);
  CheckOutput output;
  output.toolVersion = toolVersion;
  output.verbose = options.check.verbose;
  output.listsAll = options.check.listsAll || options.check.verbose;
  output.tracksSentences = options.check.tracksSentences;
  output.helpUriBase = options.check.helpUriBase;
  output.reports = runner.run();
  if (!addBudget(options.check, output.reports) ||
      !addBaseline(options.check, output))
    return badInput;
  if (options.check.format == "json")
    for (const FileReport &report : output.reports)
      output.overviews.push_back(asJson(overviewOf(report)));
  std::string text = render(options, output);
  if (!writeOutput(options.output, [&](std::ostream &out) { out << text; }))
    return badInput;
  // What could not be read says more than what was found in the rest.
  if (runner.status() != done)
    return runner.status();
  return fails(output, options.check.failOn) ? int(findings) : int(done);
}

} // namespace memreflens
