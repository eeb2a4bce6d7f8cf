//===- core/check/Sarif.cpp - findings for code scanning ------------------===//

#include "core/check/Formats.h"
#include "core/check/Rules.h"
#include "core/text/Fingerprint.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <map>

namespace memreflens {

using Json = nlohmann::ordered_json;

static const char *levelOf(trace::Severity severity) {
  switch (severity) {
  case trace::Severity::error:
    return "error";
  case trace::Severity::warning:
    return "warning";
  default:
    return "note";
  }
}

/// A path as a URI: what is not plain is percent-encoded.
static std::string uriOf(const std::string &path) {
  std::string uri = path.starts_with("/") ? "file://" : "";
  static const char *digits = "0123456789ABCDEF";
  for (unsigned char letter : path) {
    bool isPlain = std::isalnum(letter) || letter == '/' || letter == '-' ||
                   letter == '_' || letter == '.' || letter == '~';
    if (isPlain)
      uri += char(letter);
    else
      uri += {'%', digits[letter >> 4], digits[letter & 15]};
  }
  return uri;
}

static Json locationOf(const std::string &file, const Place &place) {
  Json physical = {{"artifactLocation", {{"uri", uriOf(file)}}}};
  if (place.line) {
    uint32_t column = place.utf16Column ? place.utf16Column : place.column;
    uint32_t end =
        place.utf16EndColumn ? place.utf16EndColumn : place.endColumn;
    Json region = {{"startLine", place.line},
                   {"startColumn", std::max(1u, column)}};
    if (place.endLine > place.line ||
        (place.endLine == place.line && end > column)) {
      region["endLine"] = place.endLine;
      region["endColumn"] = std::max(1u, end);
    }
    physical["region"] = region;
  }
  return {{"physicalLocation", physical}};
}

static Json withMessage(Json location, const std::string &text) {
  location["message"] = {{"text", text}};
  return location;
}

static Json ruleJson(const Rule &rule, const std::string &base) {
  Json json = {{"id", rule.id},
               {"shortDescription", {{"text", rule.title}}},
               {"fullDescription", {{"text", rule.title}}},
               {"help", {{"text", "See " + pageOf(rule)}}},
               {"defaultConfiguration", {{"level", levelOf(rule.severity)}}},
               {"properties", {{"tags", {nameOf(rule.group)}}}}};
  // An absolute URI, or none: SARIF 3.49.12.
  if (!base.empty())
    json["helpUri"] =
        base + (base.ends_with("/") ? "" : "/") + std::string(rule.id) + ".md";
  return json;
}

/// Bounds of the path explorer that limit what the absence of a result means.
static Json notifications(const CheckOutput &output) {
  Json list = Json::array();
  for (const FileReport &report : output.reports)
    for (const Exploration &exploration : report.explorations)
      if (isLimited(exploration))
        list.push_back(
            {{"level", "note"},
             {"message", {{"text", boundsLine(exploration)}}},
             {"locations", {locationOf(report.file, exploration.place)}}});
  return list;
}

/// In the text of a link: SARIF 3.11.6.
static std::string linkText(const std::string &text) {
  std::string escaped;
  for (char letter : text) {
    if (letter == '\\' || letter == '[' || letter == ']')
      escaped += '\\';
    escaped += letter;
  }
  return escaped;
}

/// The same for all results of a cause, from run to run: SARIF 3.27.4.
static std::string guidOf(const std::string &file, const Cause &cause) {
  std::string key = file + "\n" + std::string(nameOf(cause.kind)) + "\n" +
                    cause.function + "\n" + cause.rule + "\n" + cause.sentence;
  char text[40];
  uint64_t high = fingerprint(key), low = fingerprint(key + "\n");
  // In the form of one that is made of a name: RFC 9562, 5.5.
  std::snprintf(text, sizeof text, "%08x-%04x-5%03x-%04x-%012llx",
                unsigned(high >> 32), unsigned(high >> 16) & 0xffff,
                unsigned(high) & 0xfff, (unsigned(low >> 48) & 0x3fff) | 0x8000,
                static_cast<unsigned long long>(low & 0xffffffffffffULL));
  return text;
}

/// Groups the results of one cause: by its id for who reads it, and, since
/// code scanning shows only what a message links to, as a location.
static void addCause(Json &result, const Finding &finding, const Cause &cause) {
  result["correlationGuid"] = guidOf(finding.file, cause);
  if (cause.place.line == 0)
    return;
  Json location =
      withMessage(locationOf(finding.file, cause.place), cause.sentence);
  location["id"] = 1;
  Json &related = result["relatedLocations"];
  if (!related.is_array())
    related = Json::array();
  related.insert(related.begin(), std::move(location));
  std::string text = result["message"]["text"];
  // All of it is read with links in it.
  result["message"]["text"] =
      linkText(text) + "\ncause: [" + linkText(cause.sentence) + "](1)";
}

static Json resultJson(const Finding &finding, size_t ruleIndex) {
  std::string text = finding.message + helpfulLines(finding);
  Json result = {{"ruleId", finding.rule},
                 {"ruleIndex", ruleIndex},
                 {"level", levelOf(finding.severity)},
                 {"message", {{"text", text}}},
                 {"locations", {locationOf(finding.file, finding.place)}},
                 {"partialFingerprints",
                  {{"memrefLens/v1", finding.oldFingerprint},
                   {"memrefLens/v2", finding.fingerprint}}}};
  if (!finding.function.empty())
    result["locations"][0]["logicalLocations"] = {
        {{"name", finding.function}, {"kind", "function"}}};
  if (!finding.related.empty()) {
    result["relatedLocations"] = Json::array();
    for (const FindingNote &note : finding.related)
      result["relatedLocations"].push_back(
          withMessage(locationOf(finding.file, note.place), note.text));
  }
  if (!finding.path.empty()) {
    Json steps = Json::array();
    for (const FindingNote &note : finding.path)
      steps.push_back(
          {{"location",
            withMessage(locationOf(finding.file, note.place), note.text)}});
    result["codeFlows"] = {
        {{"threadFlows", {{{"locations", std::move(steps)}}}}}};
  }
  return result;
}

std::string asSarif(const CheckOutput &output) {
  std::map<std::string, size_t> indexes;
  Json rules = Json::array(), results = Json::array();
  for (const Rule &rule : allRules()) {
    indexes[std::string(rule.id)] = rules.size();
    rules.push_back(ruleJson(rule, output.helpUriBase));
  }
  for (const Finding *finding : findingsOf(output)) {
    Json result = resultJson(*finding, indexes[finding->rule]);
    if (const Cause *cause = causeOf(output, *finding))
      addCause(result, *finding, *cause);
    if (output.change)
      result["baselineState"] = "new";
    results.push_back(std::move(result));
  }
  Json driver = {{"name", "memref-lens"},
                 {"version", output.toolVersion},
                 {"rules", std::move(rules)}};
  bool readAll =
      std::none_of(output.reports.begin(), output.reports.end(),
                   [](const FileReport &report) { return report.unreadable; });
  Json invocation = {{"executionSuccessful", readAll},
                     {"toolExecutionNotifications", notifications(output)}};
  Json run = {{"tool", {{"driver", std::move(driver)}}},
              {"invocations", Json::array({std::move(invocation)})},
              {"columnKind", "utf16CodeUnits"},
              {"results", std::move(results)}};
  Json root = {{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
               {"version", "2.1.0"},
               {"runs", Json::array({std::move(run)})}};
  return root.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

} // namespace memreflens
