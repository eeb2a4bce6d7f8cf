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

std::string htmlReport(const Lookup &lookup, const HtmlOptions &options) {
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
  addData(out, "findings",
          findingsData(
              lookup, findingsWithCauses(lookup, options.findings, options.run),
              options.function));
  ByFunction by(lookup);
  graph::StageFunctions functions(lookup.getTrace());
  for (const trace::Function &function : lookup.getTrace().functions)
    if (options.function == trace::none || options.function == function.id)
      addData(out, "function-" + std::to_string(function.id),
              functionData(lookup, by, functions, function.id, options));
  return out + "<script>" + script + "</script>\n</body>\n</html>\n";
}

} // namespace memreflens::report
