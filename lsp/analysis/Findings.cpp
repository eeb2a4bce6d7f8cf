//===- lsp/analysis/Findings.cpp ------------------------------------------===//

#include "lsp/analysis/Findings.h"
#include "core/check/Rules.h"

#include <algorithm>
#include <cctype>
#include <tuple>

namespace memreflens::lsp {

//===--- Places -----------------------------------------------------------===//

PlaceMap::PlaceMap(const Document &document, Encoding encoding)
    : document(document), encoding(encoding), lines(document.text) {}

static bool isWord(char letter) {
  return std::isalnum(static_cast<unsigned char>(letter)) ||
         std::string_view("_.$%@^#-").find(letter) != std::string_view::npos;
}

trace::Range PlaceMap::bytesOf(const Place &place) const {
  const std::string &text = document.text;
  auto offsetOf = [&](uint32_t line, uint32_t column) {
    if (line == 0 || line > lines.lineCount())
      return size_t(0);
    return std::min(size_t(lines.startOf(line)) + column - 1, text.size());
  };
  size_t begin = offsetOf(place.line, place.column);
  size_t end = std::max(begin, offsetOf(place.endLine, place.endColumn));
  end = std::min(end, text.find('\n', begin));
  if (end == begin)
    while (end < text.size() && isWord(text[end]))
      ++end;
  return {uint32_t(begin), uint32_t(end)};
}

TextRange PlaceMap::toRange(const Place &place) const {
  trace::Range range = bytesOf(place);
  return document.lines.rangeOf(document.text, range.begin, range.end,
                                encoding);
}

//===--- Findings ---------------------------------------------------------===//

int severityOf(trace::Severity severity) {
  return severity == trace::Severity::error     ? 1
         : severity == trace::Severity::warning ? 2
                                                : 3;
}

int severityOf(const Finding &finding, const ServerOptions &options) {
  const Rule *rule = findRule(finding.rule);
  if (!rule || !options.findings.enabled ||
      !isWanted(*rule, options.findings.rules))
    return 0;
  const DiagnosticOptions &set = options.diagnostics;
  std::optional<int> wanted =
      rule->group == RuleGroup::rejected         ? set.rejections
      : rule->editorGroup == EditorGroup::clones ? set.clones
      : rule->editorGroup == EditorGroup::checks ? set.checks
                                                 : std::nullopt;
  if (wanted)
    return *wanted;
  return severityOf(finding.severity);
}

/// Of what is in no function, the first unit of its batch tells.
static bool belongsTo(const Finding &finding, const Unit &unit,
                      const Document &document, const Batch *batch) {
  if (unit.isChunk)
    return true;
  if (!finding.function.empty())
    return finding.function == bareName(unit);
  size_t line = finding.place.line ? finding.place.line - 1 : 0;
  const Unit *owner = nullptr;
  for (const Unit &other : document.units) {
    auto at = document.traces.find(other.key);
    bool isOfBatch = at != document.traces.end() && at->second.get() == batch;
    if (isOfBatch && (!owner || other.line <= line))
      owner = &other;
  }
  return owner == &unit;
}

static const Cause *causeOf(const FileReport &report, const Finding &finding) {
  return finding.cause >= 0 && size_t(finding.cause) < report.causes.size()
             ? &report.causes[size_t(finding.cause)]
             : nullptr;
}

static void addUnit(Analyst &analyst, Document &document, const Unit &unit,
                    std::vector<PathFinding> &found) {
  auto at = document.traces.find(unit.key);
  if (at == document.traces.end())
    return;
  Batch &batch = *at->second;
  batch.move(document.lineOfKey);
  const FileReport &report = batch.findings();
  for (const Finding &finding : report.findings)
    if (belongsTo(finding, unit, document, &batch))
      found.push_back({finding, false, {}, causeOf(report, finding)});
  analyst.paths.findPathKeys(document);
  size_t number = size_t(&unit - document.units.data());
  auto paths = document.paths.find(document.pathKeys[number].key);
  if (paths == document.paths.end())
    return;
  for (PathFinding &one : paths->second->at(document.lineOfKey))
    found.push_back(std::move(one));
}

std::vector<PathFinding> findingsOf(Analyst &analyst, Document &document,
                                    const Unit &unit) {
  std::vector<PathFinding> found;
  addUnit(analyst, document, unit, found);
  std::erase_if(found, [&](const PathFinding &one) {
    return severityOf(one.finding, analyst.options) == 0;
  });
  return found;
}

} // namespace memreflens::lsp
