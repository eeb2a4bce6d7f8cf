//===- core/report/Differences.cpp ----------------------------------------===//

#include "core/report/Differences.h"
#include "core/report/Markdown.h"
#include "core/text/Escape.h"

#include <nlohmann/json.hpp>

namespace memreflens::report {

using namespace diff;
using Json = nlohmann::ordered_json;

/// "appeared", "renamed, was @old"; empty for one that only changed.
static std::string fateOf(const FunctionDifference &function) {
  if (function.change != Change::changed)
    return std::string(nameOf(function.change));
  return function.oldName.empty() ? "" : "renamed, was @" + function.oldName;
}

static std::string headOf(const FunctionDifference &function) {
  std::string fate = fateOf(function), counts = countsText(countsOf(function));
  std::string head = "@" + function.name;
  head += fate.empty() ? "" : " (" + fate + ")";
  return head + (counts.empty() ? "" : ": " + counts);
}

static std::string orNothing(const std::string &value) {
  return value.empty() ? "(not given)" : value;
}

//===--- Text -------------------------------------------------------------===//

static std::string sideLine(const char *sign, const Told &told) {
  std::string place = told.place.empty() ? "" : told.place + "  ";
  return "  " + std::string(sign) + " " + visibleText(place + told.sentence) +
         "\n";
}

static std::string asText(const DecisionDifference &decision) {
  std::string text;
  if (decision.change != Change::appeared)
    text += sideLine("-", decision.before);
  if (decision.change != Change::went)
    text += sideLine("+", decision.after);
  return text;
}

std::string differencesAsText(const TraceDifference &difference) {
  std::string text = "--- " + visibleText(difference.before) + "\n+++ " +
                     visibleText(difference.after) + "\n";
  for (const SideDifference &side : difference.sides)
    text += visibleText(side.what + ": " + orNothing(side.before) + " -> " +
                        orNothing(side.after)) +
            "\n";
  text += summaryOf(difference) + "\n";
  for (const DecisionDifference &problem : difference.problems)
    text += asText(problem);
  for (const FunctionDifference &function : difference.functions) {
    text += "\n" + visibleText(headOf(function)) + "\n";
    for (const DecisionDifference &decision : function.decisions)
      text += " " + std::string(wordOf(decision.kind)) + " " +
              std::string(nameOf(decision.change)) + "\n" + asText(decision);
  }
  return text;
}

//===--- Markdown ---------------------------------------------------------===//

static std::string code(std::string_view text) {
  return "<code>" + markdownEscaped(text) + "</code>";
}

static std::string asMarkdown(const Told &told) {
  return (told.place.empty() ? "" : code(told.place) + " ") +
         markdownEscaped(told.sentence);
}

static std::string asMarkdown(const DecisionDifference &decision,
                              const std::string &kind) {
  std::string line = "- " + (kind.empty() ? "" : kind + " ") + "**" +
                     std::string(nameOf(decision.change)) + "**: ";
  if (decision.change == Change::appeared)
    return line + asMarkdown(decision.after) + "\n";
  line += asMarkdown(decision.before);
  if (decision.change == Change::changed)
    line += "<br>now: " + asMarkdown(decision.after);
  return line + "\n";
}

static std::string sidesTable(const TraceDifference &difference) {
  if (difference.sides.empty())
    return {};
  std::string text = "\n| | before | after |\n|---|---|---|\n";
  for (const SideDifference &side : difference.sides)
    text += "| " + markdownEscaped(side.what) + " | " +
            code(orNothing(side.before)) + " | " + code(orNothing(side.after)) +
            " |\n";
  return text;
}

std::string differencesAsMarkdown(const TraceDifference &difference) {
  std::string text = "## Decisions: " + code(difference.before) + " → " +
                     code(difference.after) + "\n" + sidesTable(difference) +
                     "\n" + markdownEscaped(summaryOf(difference)) + "\n";
  if (!difference.problems.empty())
    text += "\n";
  for (const DecisionDifference &problem : difference.problems)
    text += asMarkdown(problem, "");
  for (const FunctionDifference &function : difference.functions) {
    text += "\n### " + markdownEscaped(headOf(function)) + "\n\n";
    for (const DecisionDifference &decision : function.decisions)
      text += asMarkdown(decision, std::string(wordOf(decision.kind)));
  }
  return text;
}

//===--- JSON -------------------------------------------------------------===//

static Json asJson(const Told &told) {
  Json json = Json::object();
  if (!told.place.empty())
    json["place"] = told.place;
  json["sentence"] = told.sentence;
  if (told.event != trace::none)
    json["event"] = told.event;
  return json;
}

static Json asJson(const DecisionDifference &decision, bool withKind) {
  Json json = Json::object();
  if (withKind)
    json["kind"] = nameOf(decision.kind);
  json["change"] = nameOf(decision.change);
  if (decision.change != Change::appeared)
    json["before"] = asJson(decision.before);
  if (decision.change != Change::went)
    json["after"] = asJson(decision.after);
  return json;
}

static Json asJson(const Counts &counts) {
  Json json = Json::object();
  for (size_t kind = 0; kind < kindCount; ++kind)
    for (Change change : {Change::appeared, Change::went, Change::changed})
      if (size_t count = counts[kind][size_t(change)])
        json[std::string(nameOf(DecisionKind(kind)))]
            [std::string(nameOf(change))] = count;
  return json;
}

static Json asJson(const FunctionDifference &function) {
  Json json = {{"name", function.name},
               {"change", function.oldName.empty()
                              ? std::string(nameOf(function.change))
                              : "renamed"}};
  if (!function.oldName.empty())
    json["oldName"] = function.oldName;
  json["counts"] = asJson(countsOf(function));
  json["decisions"] = Json::array();
  for (const DecisionDifference &decision : function.decisions)
    json["decisions"].push_back(asJson(decision, true));
  return json;
}

std::string differencesAsJson(const TraceDifference &difference) {
  Json json = {
      {"before", difference.before},   {"after", difference.after},
      {"equal", difference.isEqual()}, {"summary", summaryOf(difference)},
      {"sides", Json::array()},        {"equalFunctions", difference.equal},
      {"functions", Json::array()},    {"problems", Json::array()}};
  for (const SideDifference &side : difference.sides)
    json["sides"].push_back(
        {{"what", side.what}, {"before", side.before}, {"after", side.after}});
  for (const FunctionDifference &function : difference.functions)
    json["functions"].push_back(asJson(function));
  for (const DecisionDifference &problem : difference.problems)
    json["problems"].push_back(asJson(problem, false));
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

} // namespace memreflens::report
