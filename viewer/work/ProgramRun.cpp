//===- viewer/work/ProgramRun.cpp - the run, in a thread ------------------===//

#include "viewer/work/ProgramRun.h"

#include "viewer/work/Child.h"
#include "viewer/work/Files.h"

#include "core/execute/RunTables.h"
#include "core/text/Escape.h"

#include <sstream>

namespace memreflens::viewer {

static std::vector<std::string> wordsOf(const ProgramRunRequest &request,
                                        const std::string &tool,
                                        const std::string &out) {
  std::vector<std::string> words = {tool, "run", "--format", "json", "-o", out};
  words.push_back("--seed=" + std::to_string(request.seed));
  words.push_back("--entry=@" + request.function);
  std::istringstream typed(request.arguments);
  for (std::string argument; typed >> argument;)
    words.push_back("--arg=" + argument);
  for (std::string &word : argumentsOf(request.program))
    words.push_back(std::move(word));
  return words;
}

ProgramRunResult runProgram(const ProgramRunRequest &request,
                            const std::string &tool, const Program &shown,
                            Progress &progress) {
  Scratch scratch;
  if (scratch.path.empty())
    return {nullptr, "cannot make a temporary folder"};
  const std::string out = scratch.path + "/run.json";
  const std::string errors = scratch.path + "/errors";
  runChild(wordsOf(request, tool, out), errors,
           [&] { return !progress.cancelled; });
  if (progress.cancelled)
    return {nullptr, "the run was stopped"};
  const std::optional<std::string> text = readFile(out);
  if (!text) {
    std::string said = readFile(errors).value_or("");
    return {nullptr, said.empty() ? "cannot run " + tool : said};
  }
  std::string error;
  std::optional<execute::Record> record = execute::readRecord(*text, error);
  if (!record)
    return {nullptr, "what it wrote " + error};
  if (record->end == execute::RunEnd::notRun)
    return {nullptr, verdictOf(*record)};
  auto kept = execute::keptRun(std::move(*record), shown.trace, error);
  // The file may have changed since it was read.
  if (!kept)
    return {nullptr, "the run " + error};
  return {std::make_shared<const execute::KeptRun>(std::move(*kept)), ""};
}

ProgramRun::~ProgramRun() { stop(); }

void ProgramRun::start(const RunRequest &program, const std::string &tool,
                       std::shared_ptr<const Program> shown, Id function,
                       double now) {
  const trace::Function *entry = shown->lookup.function(function);
  if (!entry)
    return;
  stop();
  if (pending.valid())
    pending.wait();
  since = now;
  progress = std::make_unique<Progress>();
  ProgramRunRequest request{program, entry->name, fields.arguments,
                            fields.seed};
  pending = std::async(
      std::launch::async,
      [request = std::move(request), tool, shown = std::move(shown),
       &flag = *progress] { return runProgram(request, tool, *shown, flag); });
}

void ProgramRun::stop() {
  if (progress)
    progress->cancelled = true;
}

void ProgramRun::forget() {
  stop();
  result = {};
  fill();
}

bool ProgramRun::poll() {
  if (!pending.valid() ||
      pending.wait_for(std::chrono::seconds(0)) != std::future_status::ready)
    return false;
  ProgramRunResult done = pending.get();
  // What was counted before stays where a run is stopped.
  if (done.run || !progress->cancelled)
    result.run = std::move(done.run);
  result.error = std::move(done.error);
  fill();
  return result.run && result.error.empty();
}

const execute::Site &ProgramRun::siteOf(size_t row) const {
  return result.run->record.sites[sites[row]];
}

static const char *wordOf(execute::SiteKind kind) {
  switch (kind) {
  case execute::SiteKind::allocation:
    return "allocated";
  case execute::SiteKind::deallocation:
    return "deallocated";
  case execute::SiteKind::condition:
    return "condition";
  case execute::SiteKind::comparison:
    return "run-time alias check";
  case execute::SiteKind::call:
    return "dealloc_helper call";
  case execute::SiteKind::block:
  case execute::SiteKind::other:
    break;
  }
  return nullptr;
}

static bool isShown(const execute::Site &site) {
  return wordOf(site.kind) && isOwn(site) && site.counts.ran > 0 &&
         (site.kind != execute::SiteKind::call || site.counts.compares > 0);
}

void ProgramRun::fill() {
  table.columns = {"", "at", "op", "ran", "counts"};
  table.rows.clear();
  sites.clear();
  view.isStale = true;
  if (!result.run)
    return;
  const execute::Record &record = result.run->record;
  for (size_t i = 0; i < record.sites.size(); ++i) {
    const execute::Site &site = record.sites[i];
    if (!isShown(site))
      continue;
    Fact row;
    row.cells = {wordOf(site.kind),
                 site.line ? std::to_string(site.line) + ":" +
                                 std::to_string(site.column)
                           : "",
                 visibleText(site.value.empty() ? site.opName : site.value),
                 std::to_string(site.counts.ran) + "x", wordsOf(site)};
    table.rows.push_back(std::move(row));
    sites.push_back(i);
  }
}

} // namespace memreflens::viewer
