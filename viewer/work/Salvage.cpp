//===- viewer/work/Salvage.cpp - what can be shown of a broken file -------===//

#include "viewer/work/Salvage.h"

#include "core/trace/Json.h"

#include <charconv>

namespace memreflens::viewer {

static bool isCutOff(std::string_view text) {
  size_t last = text.find_last_not_of(" \r\n\t");
  return text.starts_with("{\"schemaVersion\":" +
                          std::to_string(trace::schemaVersion) + ",") &&
         last != text.npos && !text.substr(0, last + 1).ends_with("]}");
}

/// The writer puts one record on a line, and the events last.
static std::string upToLastEvent(std::string_view text) {
  size_t events = text.find("\n\"events\":[");
  size_t end = text.rfind("},\n");
  if (events == text.npos || end == text.npos || end < events)
    return "";
  return std::string(text.substr(0, end + 1)) + "],\"problems\":[]}";
}

static std::string sourceAlone(std::string_view text) {
  size_t begin = text.find("\n\"source\":");
  size_t end = begin == text.npos ? begin : text.find("},\n", begin);
  if (end == text.npos)
    return "";
  std::string rest(text.substr(0, end + 1));
  for (const char *list :
       {"chunks", "functions", "blocks", "ops", "values", "events", "problems"})
    rest += std::string(",\"") + list + "\":[]";
  return rest + "}";
}

std::optional<trace::Trace> salvageTrace(std::string_view text,
                                         const std::string &error) {
  if (!isCutOff(text))
    return std::nullopt;
  for (const std::string &rest : {upToLastEvent(text), sourceAlone(text)}) {
    if (rest.empty())
      continue;
    trace::ReadResult read = trace::readJson(rest);
    if (!read)
      continue;
    trace::Problem problem;
    problem.message = error;
    problem.remedy = "write the trace again: the file ends early, and only "
                     "what stands before its end is shown";
    read.trace->problems.push_back(std::move(problem));
    return std::move(read.trace);
  }
  return std::nullopt;
}

bool isText(std::string_view bytes) {
  return bytes.find('\0') == bytes.npos && !bytes.starts_with("ML\xefR");
}

static std::optional<trace::Severity> severityAt(std::string_view &text) {
  using trace::Severity;
  for (auto [word, severity] : {std::pair{" error: ", Severity::error},
                                {" warning: ", Severity::warning},
                                {" remark: ", Severity::remark},
                                {" note: ", Severity::note}})
    if (text.starts_with(word)) {
      text.remove_prefix(std::string_view(word).size());
      return severity;
    }
  return std::nullopt;
}

static uint32_t offsetOf(const std::string &text, uint32_t line,
                         uint32_t column) {
  size_t offset = 0;
  for (; line > 1 && offset != text.npos; --line)
    offset = std::min(text.find('\n', offset), text.size() - 1) + 1;
  return uint32_t(
      std::min<size_t>(offset + (column ? column - 1 : 0), text.size()));
}

/// Reads "12:" off the front; false if there is none.
static bool takeNumber(std::string_view &text, uint32_t &number) {
  auto [end, failure] =
      std::from_chars(text.data(), text.data() + text.size(), number);
  if (failure != std::errc() || end == text.data() + text.size() || *end != ':')
    return false;
  text.remove_prefix(size_t(end - text.data()) + 1);
  return true;
}

/// "…/file.mlir:3:10: error: message".
static std::optional<trace::Problem> problemIn(std::string_view line,
                                               const trace::Source &source) {
  for (size_t at = line.find(':'); at != line.npos;
       at = line.find(':', at + 1)) {
    std::string_view rest = line.substr(at + 1);
    uint32_t row = 0, column = 0;
    if (!takeNumber(rest, row) || !takeNumber(rest, column))
      continue;
    auto severity = severityAt(rest);
    if (!severity)
      continue;
    trace::Problem problem;
    problem.severity = *severity;
    problem.message = rest;
    problem.range.begin = offsetOf(source.text, row, column);
    problem.range.end = std::min<uint32_t>(problem.range.begin + 1,
                                           uint32_t(source.text.size()));
    return problem;
  }
  return std::nullopt;
}

trace::Trace traceOfErrors(trace::Source source, const std::string &errors) {
  trace::Trace trace;
  trace.source = std::move(source);
  std::string_view rest = errors;
  while (!rest.empty()) {
    size_t end = rest.find('\n');
    if (auto problem = problemIn(rest.substr(0, end), trace.source))
      trace.problems.push_back(std::move(*problem));
    rest = end == rest.npos ? "" : rest.substr(end + 1);
  }
  if (trace.problems.empty()) {
    trace::Problem problem;
    problem.message = errors;
    trace.problems.push_back(std::move(problem));
  }
  return trace;
}

} // namespace memreflens::viewer
