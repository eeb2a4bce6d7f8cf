//===- viewer/work/CheckRun.cpp - what `memref-lens check` finds, in a thread
//--===//

#include "viewer/work/CheckRun.h"

#include "viewer/work/Child.h"
#include "viewer/work/Files.h"

#include "core/causes/Causes.h"
#include "core/check/Collect.h"
#include "core/check/Formats.h"

namespace memreflens::viewer {

CheckResult check(const RunRequest &request, const std::string &tool,
                  Progress &progress) {
  Scratch scratch;
  if (scratch.path.empty())
    return {{}, "cannot make a temporary folder"};
  std::string out = scratch.path + "/findings.json";
  std::string errors = scratch.path + "/errors";
  std::vector<std::string> words = {tool,        "check", "--format", "json",
                                    "--fail-on", "none",  "-o",       out};
  for (std::string &word : argumentsOf(request))
    words.push_back(std::move(word));
  runChild(words, errors, [&] { return !progress.cancelled; });
  if (progress.cancelled)
    return {{}, "the check was stopped"};
  std::string said = readFile(errors).value_or("");
  auto text = readFile(out);
  if (!text)
    return {{}, said.empty() ? "cannot run " + tool : said};
  std::string error;
  auto reports = readJsonReports(*text, error);
  if (!reports || reports->size() != 1)
    return {{}, "no findings that this viewer can show: " + error};
  FileReport report = std::move(reports->front());
  if (report.unreadable)
    return {std::move(report), "not checked, since it does not parse"};
  return {std::move(report), ""};
}

CheckResult checkSaved(const Program &program) {
  CheckResult result;
  result.report = collectFindings(program.lookup, {});
  addCauses(result.report, program.lookup);
  return result;
}

CheckRun::~CheckRun() { cancel(); }

void CheckRun::startWith(std::function<CheckResult(Progress &)> run) {
  cancel();
  // The old one looks at its own flag until it has ended.
  if (pending.valid())
    pending.wait();
  progress = std::make_unique<Progress>();
  pending =
      std::async(std::launch::async, [run = std::move(run), &flag = *progress] {
        return run(flag);
      });
}

void CheckRun::start(RunRequest request, std::string tool) {
  startWith([request = std::move(request), tool = std::move(tool)](
                Progress &flag) { return check(request, tool, flag); });
}

void CheckRun::start(std::shared_ptr<const Program> saved) {
  startWith(
      [saved = std::move(saved)](Progress &) { return checkSaved(*saved); });
}

void CheckRun::cancel() {
  if (progress)
    progress->cancelled = true;
}

std::optional<CheckResult> CheckRun::take() {
  if (!pending.valid() ||
      pending.wait_for(std::chrono::seconds(0)) != std::future_status::ready)
    return std::nullopt;
  return pending.get();
}

} // namespace memreflens::viewer
