//===- lsp/supervisor/Requests.cpp - routing and merging ------------------===//

#include "core/text/Fingerprint.h"
#include "lsp/supervisor/Supervisor.h"
#include "lsp/wire/OwnMethods.h"

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <unistd.h>
#include <utility>

namespace memreflens::lsp {

/// Answered by both.
static bool isMerged(const std::string &method) {
  return method == "textDocument/hover" || method == "textDocument/codeAction";
}

/// Answered by our analysis alone.
static bool isOurs(const std::string &method) {
  static constexpr const char *ofLsp[] = {
      "textDocument/inlayHint", "textDocument/codeLens",
      "textDocument/documentHighlight", "codeAction/resolve"};
  return std::ranges::find(ofLsp, method) != std::end(ofLsp) ||
         std::ranges::find(ownMethods::all, method) !=
             std::end(ownMethods::all);
}

static std::string uriOf(const Json &params) {
  std::string uri = stringIn(member(params, "textDocument"), "uri");
  return uri.empty() ? stringIn(params, "uri") : uri;
}

void Supervisor::route(const Json &id, const std::string &method,
                       const Json &params) {
  uint64_t serial = ++lastSerial;
  Pending &request = pending[serial];
  request.id = id;
  request.method = method;
  request.params = params;
  request.uri = uriOf(params);
  request.since = now();
  OpenDocument *document = store.find(request.uri);
  bool isForUs = settings.analysis && (isOurs(method) || isMerged(method));
  bool isForUpstream =
      settings.upstream && !(settings.analysis && isOurs(method));
  if (!settings.upstream && !isForUs) {
    pending.erase(serial);
    fail(id, methodNotFound, "method not found: " + method);
    return;
  }
  if (const Json &token = member(params, "workDoneToken"); !token.is_null())
    send(makeNotification(
        "$/progress",
        {{"token", token},
         {"value", {{"kind", "begin"}, {"title", "memref-lens"}}}}));
  request.analysis.awaited = isForUs;
  request.upstream.awaited = isForUpstream;
  if (isForUpstream) {
    if (document && document->upstreamVersion != document->version)
      flushUpstream(*document);
    sendUpstream(serial);
  }
  if (isForUs && pending.contains(serial))
    sendAnalysis(serial);
}

void Supervisor::endUpstreamPart(uint64_t serial, Json result, Json error) {
  auto at = pending.find(serial);
  if (at == pending.end() || !at->second.upstream.awaited)
    return;
  at->second.upstream = {false, std::move(result), std::move(error)};
  finishIfDone(serial);
}

void Supervisor::endAnalysisPart(uint64_t serial, Json result, Json error) {
  auto at = pending.find(serial);
  if (at == pending.end() || !at->second.analysis.awaited)
    return;
  if (boolIn(result, "unfinished", false)) {
    at->second.isUnfinished = true;
    result.erase("unfinished");
  }
  at->second.analysis = {false, std::move(result), std::move(error)};
  finishIfDone(serial);
}

void Supervisor::finishIfDone(uint64_t serial) {
  auto at = pending.find(serial);
  if (at == pending.end() || at->second.upstream.awaited ||
      at->second.analysis.awaited)
    return;
  Pending request = std::move(at->second);
  pending.erase(at);
  Json error;
  Json result = merge(request, error);
  if (const Json &token = member(request.params, "workDoneToken");
      !token.is_null())
    send(makeNotification("$/progress",
                          {{"token", token}, {"value", {{"kind", "end"}}}}));
  if (error.is_object())
    send({{"jsonrpc", "2.0"}, {"id", request.id}, {"error", error}});
  else
    reply(request.id, std::move(result));
}

Json Supervisor::merge(const Pending &request, Json &error) {
  const Part &theirs = request.upstream, &ours = request.analysis;
  if (isMerged(request.method)) {
    if (theirs.error.is_object() && ours.result.empty()) {
      error = theirs.error;
      return nullptr;
    }
    if (request.method == "textDocument/hover")
      return mergeHover(request);
    if (!ours.result.is_array() || ours.result.empty())
      return theirs.result;
    Json all = theirs.result.is_array() ? theirs.result : Json::array();
    for (const Json &one : ours.result)
      all.push_back(one);
    return all;
  }
  if (request.method == ownMethods::status) {
    Json all = status();
    if (ours.result.is_object()) {
      all["analysisDocuments"] = member(ours.result, "documents");
      all["analysisWork"] = member(ours.result, "work");
    }
    return all;
  }
  const Part &only =
      settings.analysis && isOurs(request.method) ? ours : theirs;
  error = only.error;
  return only.result;
}

/// Upstream's Markdown without its marks: fences, and pairs of single
/// backticks. Any others are of names.
static std::string asPlainText(const std::string &markdown) {
  std::string made;
  bool isFenced = false;
  for (size_t at = 0; at < markdown.size();) {
    size_t end = std::min(markdown.find('\n', at), markdown.size());
    std::string line = markdown.substr(at, end - at);
    at = end + 1;
    isFenced ^= line.starts_with("```");
    if (line.starts_with("```") || line == "***")
      continue;
    if (!isFenced && std::count(line.begin(), line.end(), '`') % 2 == 0 &&
        line.find("``") == line.npos)
      std::erase(line, '`');
    made += line + "\n";
  }
  return made;
}

/// Bytes of what MLIR's server itself writes with such marks: "<Block #1>" and
/// "#[0, 1]".
static size_t ownMarks(std::string_view text) {
  for (auto [begin, end] : {std::pair{"<Block #", '>'}, {"[", ']'}}) {
    std::string_view start = begin;
    if (!text.starts_with(start))
      continue;
    size_t last = text.find_first_not_of("0123456789, ", start.size());
    bool isFollowed =
        last != text.npos && last + 1 < text.size() &&
        std::string_view("([:").find(text[last + 1]) != std::string_view::npos;
    if (last != text.npos && text[last] == end && !isFollowed)
      return last + 1;
  }
  return 0;
}

/// Text between the fences and spans of code of MLIR's server, which puts names
/// of the program there as they are: an image in one would be fetched.
static std::string inertLine(std::string_view line) {
  constexpr std::string_view ruleOfServer = "***";
  if (line == ruleOfServer)
    return std::string(line);
  // Spans of code are pairs of single marks.
  bool hasSpans = std::count(line.begin(), line.end(), '`') % 2 == 0 &&
                  line.find("``") == line.npos;
  bool isInSpan = false;
  std::string made;
  while (!line.empty()) {
    char c = line.front();
    isInSpan ^= hasSpans && c == '`';
    size_t own = isInSpan ? 0 : ownMarks(line);
    if (own != 0) {
      made += line.substr(0, own);
      line.remove_prefix(own);
      continue;
    }
    bool isMarkup =
        std::string_view("[]<>~\\*&|").find(c) != std::string_view::npos;
    if ((isMarkup && !isInSpan) || (c == '`' && !hasSpans))
      made += '\\';
    made += c;
    line.remove_prefix(1);
  }
  return made;
}

static std::string inertText(std::string_view text) {
  std::string made;
  while (!text.empty()) {
    size_t end = text.find('\n');
    made += inertLine(text.substr(0, end));
    if (end == text.npos)
      break;
    made += '\n';
    text.remove_prefix(end + 1);
  }
  return made;
}

static std::string inertMarkdown(std::string_view text) {
  constexpr std::string_view mark = "```";
  // A name may hold line breaks; the code behind the last of these cannot.
  size_t code = text.rfind("```mlir\n");
  if (code == text.npos)
    return inertText(text);
  size_t end = text.find("\n```", code);
  end = end == text.npos ? text.size() : end + 1 + mark.size();
  std::string_view inner =
      text.substr(code + mark.size(), end - code - 2 * mark.size());
  bool isFence = code == 0 || text[code - 1] == '\n';
  // In the middle of a line such marks end where the next ones are.
  bool isWhole = isFence || (inner.find(mark) == inner.npos &&
                             !text.substr(end).starts_with('`'));
  if (!isWhole)
    return inertText(text);
  return inertText(text.substr(0, code)) +
         std::string(text.substr(code, end - code)) +
         inertText(text.substr(end));
}

Json Supervisor::mergeHover(const Pending &request) {
  Json theirs = request.upstream.result, ours = request.analysis.result;
  if (!isPlainText && theirs.is_object() && theirs.contains("contents") &&
      stringIn(theirs["contents"], "kind") == "markdown")
    theirs["contents"]["value"] =
        inertMarkdown(stringIn(theirs["contents"], "value"));
  if (isPlainText && theirs.is_object() && theirs.contains("contents")) {
    std::string text = stringIn(theirs["contents"], "value");
    theirs["contents"] = {{"kind", "plaintext"}, {"value", asPlainText(text)}};
  }
  if (!ours.is_object())
    return theirs;
  if (!theirs.is_object())
    return ours;
  // Who owns it is what is asked for here; what it is comes last.
  std::string first = stringIn(member(ours, "contents"), "value");
  while (!first.empty() && first.back() == '\n')
    first.pop_back();
  theirs["contents"]["value"] = first + (isPlainText ? "\n\n" : "\n\n---\n\n") +
                                stringIn(member(theirs, "contents"), "value");
  return theirs;
}

Json Supervisor::status() {
  auto child = [](const Child &one, size_t waiting, int crashes) -> Json {
    return {{"running", one.isRunning()},
            {"processId", one.isRunning() ? one.processId() : 0},
            {"memory", one.memory()},
            {"queue", waiting},
            {"crashes", crashes}};
  };
  Json documents = Json::array();
  for (const auto &[uri, document] : store.all()) {
    Json entry = {{"uri", uri},
                  {"version", document.version},
                  {"bytes", document.text.size()},
                  {"hash", fingerprint(document.text)},
                  {"quarantined", document.quarantined.has_value()}};
    if (document.upstreamVersion)
      entry["upstreamVersion"] = *document.upstreamVersion;
    documents.push_back(std::move(entry));
  }
  Json ours = child(analysis, analysisSent.size(), analysisCrashes);
  if (!work.keys.empty())
    ours["at"] = {{"uri", work.uri}, {"stage", work.stage}};
  return {{"processId", getpid()},
          {"requests", pending.size()},
          {"documents", documents},
          {"upstream", child(upstream, upstreamSent.size(), upstreamCrashes)},
          {"analysis", ours}};
}

} // namespace memreflens::lsp
