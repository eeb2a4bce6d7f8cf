//===- core/check/Formats.cpp - text and GitHub annotations ---------------===//

#include "core/check/Formats.h"
#include "core/explain/PlainText.h"
#include "core/explain/Words.h"
#include "core/trace/Names.h"
#include "core/trace/Symbol.h"

#include <map>
#include <set>
#include <tuple>

namespace memreflens {

std::vector<const Finding *> findingsOf(const CheckOutput &output) {
  std::vector<const Finding *> found;
  if (output.change) {
    for (const Finding &finding : output.change->added)
      found.push_back(&finding);
    return found;
  }
  for (const FileReport &report : output.reports)
    for (const Finding &finding : report.findings)
      found.push_back(&finding);
  return found;
}

const Cause *causeOf(const CheckOutput &output, const Finding &finding) {
  for (const FileReport &report : output.reports)
    if (report.file == finding.file)
      return finding.cause >= 0 && size_t(finding.cause) < report.causes.size()
                 ? &report.causes[size_t(finding.cause)]
                 : nullptr;
  return nullptr;
}

/// Control characters of the user's file cannot write to the terminal.
static std::string shown(const std::string &text) { return plainWord(text); }

static std::string position(const Place &place) {
  if (place.line == 0)
    return "-";
  return std::to_string(place.line) + ":" + std::to_string(place.column);
}

namespace {
struct TextStyle {
  bool color = false, tracksSentences = false;
};
} // namespace

/// With the line that makes it, where that is asked for.
static std::string shown(const Sentence &sentence, const TextStyle &style) {
  return plainWord(sentence) +
         (style.tracksSentences ? "  [" + sentence.madeAt().text() + "]" : "");
}

static std::string notes(const char *label,
                         const std::vector<FindingNote> &list,
                         const TextStyle &style) {
  std::string text;
  for (const FindingNote &note : list) {
    std::string where = position(note.place);
    where.resize(std::max<size_t>(where.size(), 7), ' ');
    text += std::string("  ") + label + "  " + where + " " +
            shown(note.text, style) + "\n";
  }
  return text;
}

bool isLimited(const Exploration &exploration) {
  return !exploration.complete || !exploration.assumed.empty() ||
         !exploration.unfollowed.empty();
}

std::string boundsLine(const Exploration &exploration) {
  std::string text =
      trace::symbolText(exploration.function) + ": " + exploration.bounds;
  for (size_t i = 0; i < exploration.assumed.size(); ++i)
    text += (i == 0 ? "; taken for granted: " : ", ") + exploration.assumed[i];
  for (size_t i = 0; i < exploration.unfollowed.size(); ++i)
    text += (i == 0 ? "; not followed after the dealloc: " : ", ") +
            exploration.unfollowed[i];
  return text;
}

namespace {
/// What was tried is said once for all findings of a rule in a function.
using Told = std::set<std::string>;
} // namespace

/// Declarations as they are to be changed; of many the first.
static std::string editText(const std::vector<std::string> &edit,
                            bool verbose) {
  constexpr size_t most = 4;
  std::string text;
  for (size_t i = 0; i < edit.size() && (verbose || i < most); ++i)
    text += "  edit  " + shown(edit[i]) + "\n";
  if (!verbose && edit.size() > most)
    text += "        " + counted((edit.size() - most) / 2, "more declaration") +
            " (--verbose lists all)\n";
  return text;
}

static std::string triedText(const Finding &finding, bool verbose, Told &told) {
  std::string text;
  for (const SharedRemedy &entry : finding.tried) {
    std::string line = std::string(entry->helps ? "  fix   " : "  no fix  ") +
                       shown(entry->remedy) + ": " + shown(entry->outcome) +
                       "\n";
    std::string key = finding.file + "\n" + finding.function + "\n" +
                      finding.rule + "\n" + line;
    if ((!entry->helps && !verbose) || !told.insert(key).second)
      continue;
    text += line;
    if (entry->helps)
      for (const std::string &command : entry->commands)
        text +=
            (&command == &entry->commands.front() ? "  run   " : "  or    ") +
            shown(command) + "\n";
    if (entry->helps && verbose)
      for (const std::string &line : entry->code)
        text += "  C++   " + shown(line) + "\n";
    // The same one whatever else a remedy does.
    const std::string edit = editText(entry->edit, verbose);
    if (entry->helps && told.insert(finding.file + "\n" + edit).second)
      text += edit;
  }
  return text;
}

/// One line for each remedy that helps, for formats without a place for them.
std::string helpfulLines(const Finding &finding) {
  std::string text;
  for (const Advice &remedy : finding.remedies)
    text += "\nhelp: " + remedy.words;
  for (const SharedRemedy &entry : finding.tried)
    if (entry->helps)
      text += "\nfix: " + entry->remedy + ": " + entry->outcome;
  return text;
}

/// "a.mlir:9:3: error: ... [double-free]".
static std::string headText(const Finding &finding, const Place &place,
                            const Sentence &message, const TextStyle &style) {
  const bool color = style.color;
  const char *strong = color ? "\033[1m" : "", *plain = color ? "\033[0m" : "";
  const char *tint = !color                                       ? ""
                     : finding.severity == trace::Severity::error ? "\033[1;31m"
                     : finding.severity == trace::Severity::warning
                         ? "\033[1;35m"
                         : "\033[1;36m";
  std::string text = strong + shown(finding.file) + ":";
  if (place.line)
    text += position(place) + ":";
  return text + plain + " " + tint +
         std::string(trace::nameOf(finding.severity)) + ":" + plain + " " +
         shown(message, style) + " [" + finding.rule + "]\n";
}

static std::string helpText(const Finding &finding, const TextStyle &style) {
  std::string text;
  for (const Advice &remedy : finding.remedies)
    text += "  help  " + shown(remedy.words, style) + "\n";
  return text;
}

static std::string findingText(const Finding &finding, const TextStyle &style) {
  return headText(finding, finding.place, finding.message, style) +
         notes("fact", finding.related, style) +
         notes("path", finding.path, style) + helpText(finding, style);
}

//===--- One entry a cause ------------------------------------------------===//

namespace {
/// Findings of one rule with one cause: a network has thousands of buffers
/// that are deallocated late because of one pass that does not run.
struct Entry {
  /// Null where none was looked for.
  const Cause *cause = nullptr;
  std::vector<const Finding *> findings;
};
} // namespace

/// In the order of the first finding of each; an error has its own.
static std::vector<Entry> entriesOf(const CheckOutput &output) {
  std::vector<Entry> entries;
  std::map<std::tuple<std::string, int64_t, std::string, std::string>, size_t>
      numbers;
  for (const Finding *finding : findingsOf(output)) {
    const Cause *cause = causeOf(output, *finding);
    const bool isAlone =
        output.listsAll || finding->severity == trace::Severity::error;
    const auto [number, isNew] =
        numbers.try_emplace({finding->file, finding->cause,
                             cause ? "" : finding->function, finding->rule},
                            entries.size());
    if (isNew || isAlone)
      entries.push_back({cause, {finding}});
    else
      entries[number->second].findings.push_back(finding);
  }
  return entries;
}

/// The cause once, and the places behind it.
static std::string groupText(const Entry &entry, const TextStyle &style) {
  constexpr size_t shownAtMost = 5;
  const Finding &first = *entry.findings.front();
  std::string text;
  std::vector<FindingNote> places;
  for (const Finding *finding : entry.findings)
    places.push_back({finding->place, finding->message});
  if (entry.cause && isShared(entry.cause->kind)) {
    text = headText(first,
                    entry.cause->place.line ? entry.cause->place : first.place,
                    entry.cause->sentence, style);
  } else {
    text = headText(first, first.place, first.message, style) +
           notes("fact", first.related, style) +
           notes("path", first.path, style);
    places.erase(places.begin());
  }
  const size_t more = places.size() - std::min(places.size(), shownAtMost);
  places.resize(places.size() - more);
  text += notes("at  ", places, style);
  if (more > 0)
    text += "  and   " + counted(more, "more place") + "\n";
  return text + helpText(first, style);
}

/// "1 error, 2 notes": what there is none of is not told.
static std::string
without0(const std::vector<std::pair<size_t, const char *>> &counts,
         const char *nothing) {
  std::string text;
  for (const auto &[count, what] : counts)
    if (count > 0)
      text += (text.empty() ? "" : ", ") + counted(count, what);
  return text.empty() ? nothing : text;
}

/// Beside the baseline.
static std::string changeLine(const BaselineChange &change) {
  std::string text =
      without0({{change.added.size(), "new finding"}}, "no new findings");
  if (!change.fixed.empty())
    text += ", " + grouped(change.fixed.size()) + " fixed";
  if (change.unchanged > 0)
    text += ", " + grouped(change.unchanged) + " unchanged";
  return text + "\n";
}

std::string asText(const CheckOutput &output, bool color) {
  std::string text;
  size_t errors = 0, warnings = 0, others = 0;
  const TextStyle style = {color, output.tracksSentences};
  Told told;
  bool isFolded = false;
  for (const Entry &entry : entriesOf(output)) {
    const bool isGroup = entry.findings.size() > 1;
    isFolded |= isGroup;
    text += isGroup ? groupText(entry, style)
                    : findingText(*entry.findings.front(), style);
    for (const Finding *finding : entry.findings) {
      text += triedText(*finding, output.verbose, told);
      (finding->severity == trace::Severity::error     ? errors
       : finding->severity == trace::Severity::warning ? warnings
                                                       : others)++;
    }
  }
  std::set<std::string> functions, cut, unfollowed;
  for (const FileReport &report : output.reports)
    for (const Exploration &exploration : report.explorations) {
      // Parts of a file may have functions of one name, at other places.
      std::string key = report.file + "\n" + exploration.function + "\n" +
                        position(exploration.place);
      functions.insert(key);
      if (!exploration.complete)
        cut.insert(key);
      if (!exploration.unfollowed.empty())
        unfollowed.insert(key);
      if (output.verbose || isLimited(exploration))
        text +=
            shown(report.file) + ": " + shown(boundsLine(exploration)) + "\n";
    }
  for (const FileReport &report : output.reports)
    if (!report.tensors.bounded.empty())
      text += shown(report.file) + ": " + report.tensors.bounded + "\n";
  for (const FileReport &report : output.reports)
    if (!report.untried.empty())
      text += shown(report.file) + ": " +
              counted(report.untried.size(), "more remedy") +
              " not tested: larger than --try-ops allows\n";
  if (output.change)
    text += changeLine(*output.change);
  // Their errors are told where they are read.
  size_t unparsed = 0;
  for (const FileReport &report : output.reports) {
    const size_t parts = std::max<size_t>(report.unparsed, report.unreadable);
    unparsed += parts;
    // One that a pass in front did not take has a finding.
    const size_t told = size_t(
        std::ranges::count_if(report.findings, [](const Finding &finding) {
          return finding.function.empty() &&
                 finding.rule == ruleIds::stageFailed;
        }));
    errors += parts - std::min(parts, told);
  }
  text += counted(output.reports.size(), "file") + ": " +
          without0({{errors, "error"}, {warnings, "warning"}, {others, "note"}},
                   "no findings");
  // Of what is rejected there is no result to explore.
  const size_t whole = functions.size() - cut.size();
  if (whole > 0)
    text += "; all paths of " + counted(whole, "function") + " tried";
  if (!cut.empty())
    text += whole > 0 ? ", of " + grouped(cut.size()) + " not all"
                      : "; not all paths of " +
                            counted(cut.size(), "function") + " tried";
  if (!unfollowed.empty())
    text += ", buffers of " + grouped(unfollowed.size()) +
            " not followed to their last use";
  if (unparsed > 0)
    text += "; " + counted(unparsed, "part") +
            (unparsed == 1 ? " is" : " are") + " not read, and not checked";
  if (isFolded)
    text += "; --all shows each place with its facts";
  return text + "\n";
}

//===--- GitHub -----------------------------------------------------------===//

static std::string escaped(const std::string &text, bool isProperty) {
  std::string plain;
  for (char letter : text) {
    if (letter == '%')
      plain += "%25";
    else if (letter == '\r')
      plain += "%0D";
    else if (letter == '\n')
      plain += "%0A";
    else if (isProperty && letter == ':')
      plain += "%3A";
    else if (isProperty && letter == ',')
      plain += "%2C";
    else
      plain += letter;
  }
  return plain;
}

/// Columns in UTF-16 code units; an annotation of several lines has none.
static std::string placeText(const Place &place) {
  if (place.line == 0)
    return {};
  std::string text = ",line=" + std::to_string(place.line);
  uint32_t column = place.utf16Column ? place.utf16Column : place.column;
  uint32_t end = place.utf16EndColumn ? place.utf16EndColumn : place.endColumn;
  if (place.endLine > place.line)
    return text + ",endLine=" + std::to_string(place.endLine);
  text += ",col=" + std::to_string(column);
  if (end > column)
    text += ",endColumn=" + std::to_string(end);
  return text;
}

std::string asGithub(const CheckOutput &output) {
  std::string text;
  for (const Finding *finding : findingsOf(output)) {
    text += finding->severity == trace::Severity::error     ? "::error"
            : finding->severity == trace::Severity::warning ? "::warning"
                                                            : "::notice";
    text += " file=" + escaped(finding->file, true) + placeText(finding->place);
    std::string message = finding->message + helpfulLines(*finding);
    text += ",title=" + escaped(finding->rule, true) +
            "::" + escaped(message, false) + "\n";
  }
  for (const FileReport &report : output.reports)
    for (const Exploration &exploration : report.explorations)
      if (isLimited(exploration))
        text += "::notice file=" + escaped(report.file, true) +
                placeText(exploration.place) +
                ",title=paths::" + escaped(boundsLine(exploration), false) +
                "\n";
  return text;
}

} // namespace memreflens
