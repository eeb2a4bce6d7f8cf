//===- lsp/analysis/RemedyTests.cpp ---------------------------------------===//

#include "lsp/analysis/RemedyTests.h"
#include "core/check/Formats.h"
#include "core/explain/Words.h"
#include "core/files/ReadFile.h"
#include "core/files/Shipped.h"
#include "core/trace/RunArguments.h"
#include "lsp/documents/Uri.h"

#include <algorithm>
#include <utility>

namespace memreflens::lsp {

using Clock = std::chrono::steady_clock;

/// A text that is larger is checked on the command line.
static constexpr size_t mostTested = size_t(4) << 20;
static constexpr size_t mostReport = size_t(64) << 20;
static constexpr std::chrono::seconds longestTest{120};
/// More remedies of one finding make its diagnostic hard to read.
static constexpr size_t mostGains = 4;

TestedRemedies::Key TestedRemedies::keyOf(uint64_t path, const Unit &unit,
                                          const Finding &finding) {
  const uint32_t line = finding.place.line;
  return {path, line > unit.line ? uint32_t(line - unit.line) : 0,
          finding.place.column, finding.rule};
}

//===--- Of check's report ------------------------------------------------===//

/// What check tells a reader to do about a finding.
static std::vector<std::string> linesOf(const Finding &finding) {
  std::vector<std::string> lines;
  size_t helpful = 0;
  for (const SharedRemedy &one : finding.tried)
    if (one->helps && ++helpful <= mostGains)
      lines.push_back("→ " + one->remedy + ": " + one->outcome);
  if (helpful > mostGains)
    lines.push_back("→ and " + std::to_string(helpful - mostGains) +
                    " more; memref-lens check lists each");
  for (const Advice &advice : finding.remedies)
    if (!advice.isVain)
      lines.push_back("→ " + advice.words);
  if (lines.empty() && !finding.tried.empty())
    lines.push_back(std::string(noneHelps) + "; " +
                    counted(finding.tried.size(), "remedy") + " tested");
  return lines;
}

void RemedyTests::readReport(Document &document, TestedRemedies &tested) {
  std::string error;
  const std::optional<std::vector<FileReport>> files =
      readJsonReports(tested.report, error);
  if (!files || files->empty() || files->front().unreadable) {
    tested.problem = "memref-lens check could not read the file" +
                     (error.empty() ? "" : ": " + error);
    tested.report.clear();
    return;
  }
  for (const Finding &finding : files->front().findings) {
    const uint32_t line = finding.place.line;
    const Unit *unit = documents.unitAt(document, line ? line - 1 : 0);
    if (!unit)
      continue;
    const size_t number = size_t(unit - document.units.data());
    tested.lines.try_emplace(
        TestedRemedies::keyOf(document.pathKeys[number].key, *unit, finding),
        linesOf(finding));
  }
}

//===--- The run ----------------------------------------------------------===//

static bool hasFindings(const Document &document) {
  return std::ranges::any_of(document.told, [](const auto &one) {
    return !one.second.entries.empty();
  });
}

/// Whether all is known but what remedies gain.
static bool isLookedAt(const Document &document) {
  return document.isReported && document.isExplored && !document.isStale &&
         document.pathKeys.size() == document.units.size();
}

bool RemedyTests::waits(const Document &document) const {
  return state.options.findings.enabled &&
         state.options.findings.testRemedies && isLookedAt(document) &&
         document.comparedWithFile != document.hash() && hasFindings(document);
}

/// Whether its file holds the text.
static bool isInFile(const Document &document) {
  const std::string path = fileOfUri(document.uri);
  std::string problem;
  if (path.empty())
    return false;
  const std::optional<std::string> text =
      readRegularFile(path, mostTested, problem);
  return text && *text == document.text;
}

void RemedyTests::begin(Document &document) {
  document.comparedWithFile = document.hash();
  const std::string program = programBeside("memref-lens");
  auto tested = std::make_shared<TestedRemedies>();
  tested->hash = document.hash();
  if (program.empty())
    tested->problem = "there is no memref-lens beside this server";
  else if (document.text.size() > mostTested)
    tested->problem = "the file is larger than 4 MiB: memref-lens check tests "
                      "remedies on it, too";
  if (!tested->problem.empty()) {
    document.tested = std::move(tested);
    return;
  }
  if (!isInFile(document))
    return;
  output = UnnamedFile();
  if (!output.isOpen())
    return;
  ChildProgram words;
  // In the background of all else that the user does.
  words.words = {"nice",           "-n",    "10",
                 program,          "check", "--format=json",
                 "--fail-on=none", "-j2"};
  for (std::string &word : trace::argumentsOf(state.options.run))
    words.words.push_back(std::move(word));
  words.words.insert(words.words.end(), {"--", fileOfUri(document.uri)});
  words.out = fileno(output.getStream());
  child = Child::start(words);
  uri = document.uri;
  hash = document.hash();
  begun = Clock::now();
  if (!child.hasStarted()) {
    tested->problem = "memref-lens check did not start";
    document.tested = std::move(tested);
  }
}

/// What a run that has ended left.
std::shared_ptr<TestedRemedies> RemedyTests::taken() {
  auto tested = std::make_shared<TestedRemedies>();
  tested->hash = hash;
  const std::optional<ChildEnd> end = child.poll();
  if (!end && Clock::now() - begun <= longestTest)
    return nullptr;
  if (!end) {
    child.stop();
    tested->problem =
        "memref-lens check took more than " +
        std::to_string(
            std::chrono::duration_cast<std::chrono::seconds>(longestTest)
                .count()) +
        " s";
  } else if (end->signal != 0 || end->status > 1) {
    tested->problem = "memref-lens check failed: " + deathWords(*end);
  } else {
    tested->report = output.read();
    if (tested->report.size() > mostReport) {
      tested->report.clear();
      tested->problem = "its report is larger than 64 MiB";
    }
  }
  child = Child();
  output = UnnamedFile::none();
  return tested;
}

Document *RemedyTests::step() {
  if (isRunning()) {
    std::shared_ptr<TestedRemedies> tested = taken();
    if (!tested)
      return nullptr;
    Document *document = documents.find(uri, /*uses=*/false);
    // Of an earlier text, or of a file that was written meanwhile: nothing.
    if (!document || document->hash() != hash || !isLookedAt(*document) ||
        !isInFile(*document))
      return nullptr;
    if (tested->problem.empty())
      readReport(*document, *tested);
    document->tested = std::move(tested);
    return document;
  }
  for (auto &[name, document] : documents.all()) {
    if (waits(document))
      begin(document);
    if (isRunning())
      break;
  }
  return nullptr;
}

void RemedyTests::onSave(const std::string &saved) {
  if (Document *document = documents.find(saved, /*uses=*/false);
      document &&
      (!document->tested || document->tested->hash != document->hash()))
    document->comparedWithFile = 0;
}

void RemedyTests::stop() {
  if (isRunning())
    child.stop();
  child = Child();
  output = UnnamedFile::none();
}

void RemedyTests::forget() {
  stop();
  for (auto &[name, document] : documents.all()) {
    document.tested.reset();
    document.comparedWithFile = 0;
  }
}

std::string_view RemedyTests::stateOf(const Document &document) const {
  if (!state.options.findings.enabled || !state.options.findings.testRemedies)
    return "off";
  if (isRunning() && uri == document.uri && hash == document.hash())
    return "runs";
  if (document.tested && document.tested->hash == document.hash())
    return document.tested->problem.empty() ? "tested" : "failed";
  if (document.comparedWithFile == document.hash())
    return "unsaved";
  return isLookedAt(document) && !hasFindings(document) ? "nothing" : "waits";
}

} // namespace memreflens::lsp
