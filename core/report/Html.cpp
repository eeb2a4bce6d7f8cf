//===- core/report/Html.cpp - the one file around the data ----------------===//
//
// Nothing of the user's stands in the markup: it is all in JSON, which the
// script reads and shows as text. The policy names the one script and the one
// style by their digests, and lets nothing be fetched.
//
//===----------------------------------------------------------------------===//

#include "core/report/Html.h"

#include "core/check/Collect.h"
#include "core/report/Findings.h"
#include "core/report/HtmlAssets.h"
#include "core/report/HtmlColors.h"
#include "core/report/HtmlData.h"
#include "core/report/Sha256.h"

#include <mutex>
#include <set>
#include <sstream>

namespace memreflens::report {

static std::string styleText() {
  std::string light = themeVariables(graph::ThemeName::light);
  std::string dark = themeVariables(graph::ThemeName::dark);
  return ":root{color-scheme:light;" + light + "}\n" +
         "@media screen and (prefers-color-scheme:dark){:root:not([data-theme="
         "light]){color-scheme:dark;" +
         dark + "}}\n@media screen{:root[data-theme=dark]{color-scheme:dark;" +
         dark + "}}\n" + std::string(assets::style);
}

static std::string scriptText() {
  std::string out = "\"use strict\";\n(() => {\n";
  for (std::string_view part : assets::scripts)
    out.append(part);
  return out + "})();\n";
}

static std::string policy(const std::string &style, const std::string &script) {
  return "default-src 'none'; script-src 'sha256-" + sha256Base64(script) +
         "'; style-src 'sha256-" + sha256Base64(style) +
         "'; base-uri 'none'; form-action 'none'";
}

static void addData(std::string &out, const std::string &id,
                    const std::string &json) {
  out += "<script type=\"application/json\" id=\"" + id + "\">" +
         embeddable(json) + "</script>\n";
}

static std::string themeAttribute(const HtmlOptions &options) {
  if (!options.theme)
    return {};
  return *options.theme == graph::ThemeName::dark ? " data-theme=\"dark\""
                                                  : " data-theme=\"light\"";
}

static std::string opening(const HtmlOptions &options) {
  auto on = [](std::string_view tab, trace::Id function) {
    return " data-tab=\"" + std::string(tab) + "\" data-function=\"" +
           std::to_string(function) + "\"";
  };
  if (options.opensOnMemoryOf != trace::none)
    return on("memory", options.opensOnMemoryOf);
  return options.run ? on("run", options.run->entry) : std::string();
}

/// The functions of the report whose graphs are drawn: all, or of too many
/// those with findings, then the others in their order.
static std::set<trace::Id> drawnOf(const std::vector<trace::Id> &functions,
                                   const trace::Trace &trace,
                                   const FileReport &report,
                                   const HtmlOptions &options) {
  if (functions.size() <= options.mostGraphs)
    return {functions.begin(), functions.end()};
  std::set<std::string> named;
  for (const Finding &finding : report.findings)
    named.insert(finding.function);
  std::set<trace::Id> drawn;
  for (const bool isNamed : {true, false})
    for (trace::Id id : functions)
      if (drawn.size() < options.mostGraphs &&
          named.contains(trace.functions[size_t(id)].title()) == isNamed)
        drawn.insert(id);
  return drawn;
}

/// The elements with the functions' data, in their order.
static void writeFunctions(const Lookup &lookup, const FileReport &report,
                           const HtmlOptions &options, std::ostream &out) {
  const trace::Trace &trace = lookup.getTrace();
  std::vector<trace::Id> functions;
  for (const trace::Function &function : trace.functions)
    if (options.function == trace::none || options.function == function.id)
      functions.push_back(function.id);
  const std::set<trace::Id> drawn = drawnOf(functions, trace, report, options);
  PageSources sources(lookup);
  std::vector<std::string> parts(functions.size());
  std::mutex telling;
  size_t done = 0;
  auto make = [&](size_t i) {
    const trace::Id id = functions[i];
    addData(parts[i], "function-" + std::to_string(id),
            functionData(lookup, sources, id, drawn.contains(id), options));
    std::lock_guard lock(telling);
    ++done;
    if (options.onProgress)
      options.onProgress(done, functions.size());
  };
  if (options.workers)
    options.workers(functions.size(), make);
  else
    trace::workAlone(functions.size(), make);
  for (std::string &part : parts) {
    out << part;
    part = {};
  }
}

void writeHtmlReport(const Lookup &lookup, const HtmlOptions &options,
                     std::ostream &stream) {
  std::string style = styleText(), script = scriptText();
  std::string out =
      "<!DOCTYPE html>\n<html lang=\"en\"" + themeAttribute(options) +
      opening(options) +
      ">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"" +
      policy(style, script) +
      "\">\n<meta name=\"viewport\" content=\"width=device-width\">\n"
      "<title>memref-lens</title>\n<style>" +
      style + "</style>\n</head>\n";
  out.append(assets::body);
  addData(out, "index", indexData(lookup, options));
  const FileReport report =
      findingsWithCauses(lookup, options.findings, options.run);
  addData(out, "findings", findingsData(lookup, report, options.function));
  stream << out;
  writeFunctions(lookup, report, options, stream);
  stream << "<script>" << script << "</script>\n</body>\n</html>\n";
}

std::string htmlReport(const Lookup &lookup, const HtmlOptions &options) {
  std::ostringstream stream;
  writeHtmlReport(lookup, options, stream);
  return std::move(stream).str();
}

} // namespace memreflens::report
