//===- lsp/supervisor/Configuration.cpp -----------------------------------===//

#include "lsp/supervisor/Configuration.h"
#include "core/process/CodeGenerators.h"
#include "lsp/supervisor/Capabilities.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace memreflens::lsp {

Configuration::Configuration(const Settings &settings)
    : settings(settings), timeLimit(settings.timeLimit),
      memoryLimit(settings.memoryLimit) {}

/// The first of the client's encodings that we know, as it prefers them.
static Encoding agreedEncoding(const Json &params) {
  const Json &offered = member(
      member(member(params, "capabilities"), "general"), "positionEncodings");
  if (offered.is_array())
    for (const Json &one : offered)
      for (Encoding known : {Encoding::utf8, Encoding::utf16, Encoding::utf32})
        if (one.is_string() && one.get<std::string>() == nameOf(known))
          return known;
  return Encoding::utf16;
}

static bool wantsPlainText(const Json &params) {
  const Json &formats = member(
      member(member(member(params, "capabilities"), "textDocument"), "hover"),
      "contentFormat");
  if (!formats.is_array() || formats.empty())
    return false;
  return std::none_of(formats.begin(), formats.end(),
                      [](const Json &format) { return format == "markdown"; });
}

void Configuration::initialize(const Json &params) {
  initializeParams = params.is_object() ? params : Json::object();
  encoding = agreedEncoding(params);
  plainText = wantsPlainText(params);
  const Json &options = member(params, "initializationOptions");
  const Json &ours = member(options, "memrefLens");
  if (options.is_object())
    values = ours.is_object() ? ours : options;
  readLimits();
}

void Configuration::change(const Json &given) {
  values = given;
  readLimits();
}

/// Limits of the command line stay where the configuration has none.
void Configuration::readLimits() {
  auto positive = [&](const char *name) -> double {
    const Json &value = member(member(values, "limits"), name);
    double number = value.is_number() ? value.get<double>() : 0;
    return number > 0 && number < 1e9 ? number : 0;
  };
  timeLimit = positive("time") > 0 ? positive("time") : settings.timeLimit;
  memoryLimit = positive("memory") > 0 ? size_t(positive("memory") * (1 << 20))
                                       : settings.memoryLimit;
}

const Json &Configuration::clientWorkspace() const {
  return member(member(initializeParams, "capabilities"), "workspace");
}

bool Configuration::resolvesActions() const {
  const Json &action =
      member(member(member(initializeParams, "capabilities"), "textDocument"),
             "codeAction");
  const Json &properties =
      member(member(action, "resolveSupport"), "properties");
  return boolIn(action, "dataSupport", false) && properties.is_array() &&
         std::find(properties.begin(), properties.end(), "edit") !=
             properties.end();
}

bool Configuration::needsCodeGenerators() const {
  return mayNeedCodeGenerators(toBytes(member(values, "pipeline")));
}

Json Configuration::capabilities() const {
  Json all = settings.upstream ? upstreamCapabilities(initializeParams)
                               : Json::object();
  all.update(ownCapabilities());
  return all;
}

Json Configuration::ownCapabilities() const {
  Json own = {{"positionEncoding", std::string(nameOf(encoding))},
              {"textDocumentSync",
               {{"openClose", true}, {"change", 2}, {"save", true}}}};
  if (!settings.analysis)
    return own;
  own["hoverProvider"] = true;
  own["inlayHintProvider"] = {{"resolveProvider", true}};
  own["codeLensProvider"] = {{"resolveProvider", false}};
  own["documentHighlightProvider"] = true;
  own["codeActionProvider"] = true;
  if (resolvesActions())
    own["codeActionProvider"] = {
        {"codeActionKinds", {"quickfix", "refactor.rewrite"}},
        {"resolveProvider", true}};
  own["experimental"] = {{"memrefLens", {{"protocol", 1}}}};
  return own;
}

} // namespace memreflens::lsp
