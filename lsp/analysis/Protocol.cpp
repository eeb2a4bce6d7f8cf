//===- lsp/analysis/Protocol.cpp ------------------------------------------===//

#include "lsp/analysis/Protocol.h"
#include "lsp/documents/Store.h"

#include <cctype>
#include <nlohmann/json.hpp>

namespace memreflens::lsp {

/// Of each diagnostic of ours.
static constexpr char source[] = "memref-lens";

//===--- What is answered -------------------------------------------------===//

void to_json(Json &json, const Position &position) {
  json = {{"line", position.line}, {"character", position.character}};
}

void to_json(Json &json, const TextRange &range) {
  json = {{"start", range.start}, {"end", range.end}};
}

static void to_json(Json &json, const Location &location) {
  json = {{"uri", location.uri}, {"range", location.range}};
}

void to_json(Json &json, const Hover &hover) {
  const char *kind = hover.isMarkdown ? "markdown" : "plaintext";
  json = {{"contents", {{"kind", kind}, {"value", hover.text}}}};
  if (hover.range)
    json["range"] = *hover.range;
  // For the supervisor, which takes it out.
  if (hover.isUnfinished)
    json["unfinished"] = true;
}

std::string commandLink(std::string_view command, const std::string &uri,
                        Position position) {
  const Json arguments = {uri, position.line, position.character};
  std::string link = "command:" + std::string(command) + "?";
  for (const unsigned char letter : toBytes(arguments)) {
    constexpr const char *digits = "0123456789ABCDEF";
    if (std::isalnum(letter) != 0)
      link += char(letter);
    else
      (link += '%').append({digits[letter / 16], digits[letter % 16]});
  }
  return link;
}

void to_json(Json &json, const Highlight &highlight) {
  constexpr int read = 2, write = 3;
  json = {{"range", highlight.range},
          {"kind", highlight.isDefinition ? write : read}};
}

static void to_json(Json &json, const LabelPart &part) {
  json = {{"value", part.text}};
  if (!part.tooltip.empty())
    json["tooltip"] = part.tooltip;
  if (part.location)
    json["location"] = *part.location;
}

void to_json(Json &json, const InlayHint &hint) {
  constexpr int type = 1;
  json = {{"position", hint.position},
          {"label", hint.label},
          {"kind", type},
          {"paddingLeft", true},
          {"data", {{"uri", hint.uri}, {"text", hint.text}}}};
}

void to_json(Json &json, const CodeLens &lens) {
  Json command = {{"title", lens.title}, {"command", lens.command}};
  if (!lens.arguments.empty())
    command["arguments"] = lens.arguments;
  json = {{"range", lens.range}, {"command", std::move(command)}};
}

static void to_json(Json &json, const TextEdit &edit) {
  json = {{"range", edit.range}, {"newText", edit.text}};
}

static void to_json(Json &json, const Rewrite &rewrite) {
  json = {{"memrefLens", "rewrite"},
          {"uri", rewrite.uri},
          {"function", rewrite.function},
          {"line", rewrite.line},
          {"pass", rewrite.pass}};
  if (!rewrite.rules.empty())
    json["rules"] = rewrite.rules;
  if (!rewrite.arguments.empty())
    json["arguments"] = rewrite.arguments;
}

Json editJson(const std::string &uri, const TextEdit &edit) {
  return {{"changes", {{uri, Json::array({edit})}}}};
}

Json actionJson(const CodeAction &action, const Json &context) {
  Json json = {
      {"title", action.title}, {"kind", action.kind}, {"data", action.rewrite}};
  for (size_t number : action.diagnostics)
    json["diagnostics"].push_back(member(context, "diagnostics")[number]);
  if (action.isPreferred)
    json["isPreferred"] = true;
  if (action.edit)
    json["edit"] = editJson(action.rewrite.uri, *action.edit);
  return json;
}

static void to_json(Json &json, const Diagnostic::Related &related) {
  json = {{"location", related.location}, {"message", related.message}};
}

std::string textOf(const Diagnostic &diagnostic) {
  Json json = {{"range", diagnostic.range},
               {"severity", diagnostic.severity},
               {"source", source},
               {"message", diagnostic.message}};
  if (diagnostic.related)
    json["relatedInformation"] = *diagnostic.related;
  if (const auto &found = diagnostic.found) {
    json["code"] = found->rule;
    json["data"] = {{"function", found->function},
                    {"facts", found->facts},
                    {"steps", found->steps},
                    {"asWritten", found->asWritten}};
    if (!found->rulePage.empty())
      json["codeDescription"] = {{"href", found->rulePage}};
  }
  return toBytes(json);
}

std::string messageOf(const Report &report) {
  Json params = {{"uri", report.uri}, {"version", report.version}};
  if (report.isUnchanged) {
    params["unchanged"] = true;
    return toBytes(makeNotification("diagnostics", std::move(params)));
  }
  Json failed = Json::array();
  for (const Report::Failure &one : report.failed)
    failed.push_back({{"line", one.line}, {"message", one.message}});
  return toBytes(makeNotification("diagnostics", std::move(params)),
                 "\"own\":[" + report.own + "],\"parser\":[" + report.parser +
                     "],\"failed\":" + toBytes(failed));
}

//===--- What is asked ----------------------------------------------------===//

Position positionIn(const Json &params) {
  return toPosition(member(params, "position"));
}

TextRange rangeIn(const Json &params) {
  const Json &range = member(params, "range");
  if (!range.is_object())
    return {{}, {UINT32_MAX, UINT32_MAX}};
  return toTextRange(range);
}

/// The strings of an array; none of what is no array.
static std::vector<std::string> stringsIn(const Json &list) {
  std::vector<std::string> found;
  if (list.is_array())
    for (const Json &one : list)
      if (one.is_string())
        found.push_back(one.get<std::string>());
  return found;
}

CodeActionContext contextIn(const Json &context) {
  CodeActionContext found;
  if (member(context, "only").is_array())
    found.only = stringsIn(member(context, "only"));
  const Json &diagnostics = member(context, "diagnostics");
  if (!diagnostics.is_array())
    return found;
  for (const Json &one : diagnostics) {
    const Json &data = member(one, "data");
    if (stringIn(one, "source") == source)
      found.diagnostics.push_back({stringIn(one, "code"),
                                   stringIn(data, "function"),
                                   boolIn(data, "asWritten", false)});
    else
      found.diagnostics.emplace_back();
  }
  return found;
}

Rewrite rewriteIn(const Json &data) {
  Rewrite found = {stringIn(data, "uri"), stringIn(data, "function"),
                   size_t(integerIn(data, "line", 0)), stringIn(data, "pass"),
                   stringsIn(member(data, "rules"))};
  for (const Json &one : member(data, "arguments"))
    if (one.is_number_unsigned())
      found.arguments.push_back(one.get<uint32_t>());
  return found;
}

} // namespace memreflens::lsp
