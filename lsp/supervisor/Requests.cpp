//===- lsp/supervisor/Requests.cpp ----------------------------------------===//

#include "lsp/supervisor/Requests.h"
#include "lsp/supervisor/MergedHover.h"
#include "lsp/supervisor/Watch.h"
#include "lsp/wire/OwnMethods.h"

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
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

//===--- What is asked ----------------------------------------------------===//

uint64_t Requests::begin(const Json &id, const std::string &method,
                         const Json &params) {
  const Settings &settings = configuration.getSettings();
  const bool isForUs =
      settings.analysis && (isOurs(method) || isMerged(method));
  const bool isForUpstream =
      settings.upstream && !(settings.analysis && isOurs(method));
  if (!settings.upstream && !isForUs) {
    client.fail(id, methodNotFound, "method not found: " + method);
    return 0;
  }
  const uint64_t serial = ++lastSerial;
  Request &request = pending[serial];
  request.serial = serial;
  request.id = id;
  request.method = method;
  request.params = params;
  request.uri = uriOf(params);
  request.text = hovers.textOf(request.uri);
  request.since = now();
  request.analysis.awaited = isForUs;
  request.upstream.awaited = isForUpstream;
  if (const Json &token = member(params, "workDoneToken"); !token.is_null())
    client.send(makeNotification(
        "$/progress",
        {{"token", token},
         {"value", {{"kind", "begin"}, {"title", "memref-lens"}}}}));
  return serial;
}

const Request *Requests::find(uint64_t serial) const {
  auto at = pending.find(serial);
  return at == pending.end() ? nullptr : &at->second;
}

const Request *Requests::findId(const Json &id) const {
  auto at = std::find_if(pending.begin(), pending.end(),
                         [&](auto &entry) { return entry.second.id == id; });
  return at == pending.end() ? nullptr : &at->second;
}

bool Requests::isWaitingFor(uint64_t serial, Part Request::*part) const {
  const Request *request = find(serial);
  return request && (request->*part).awaited;
}

std::vector<uint64_t> Requests::awaited(Part Request::*part) const {
  std::vector<uint64_t> serials;
  for (const auto &[serial, request] : pending)
    if ((request.*part).awaited)
      serials.push_back(serial);
  return serials;
}

//===--- What is answered -------------------------------------------------===//

void Requests::endUpstreamPart(uint64_t serial, Json result, Json error) {
  if (!isWaitingFor(serial, &Request::upstream))
    return;
  pending[serial].upstream = {false, std::move(result), std::move(error)};
  finishIfDone(serial);
}

void Requests::endAnalysisPart(uint64_t serial, Json result, Json error) {
  if (!isWaitingFor(serial, &Request::analysis))
    return;
  Request &request = pending[serial];
  if (boolIn(result, "unfinished", false)) {
    request.isUnfinished = true;
    result.erase("unfinished");
  }
  if (request.method == "textDocument/hover" && result.is_object())
    hovers.note(request.uri, request.text, request.params, result,
                !request.isUnfinished);
  request.analysis = {false, std::move(result), std::move(error)};
  finishIfDone(serial);
}

void Requests::endLate(double time,
                       const std::function<double(const Request &)> &patience) {
  std::vector<uint64_t> late;
  for (const auto &[serial, request] : pending)
    if (time - request.since > patience(request) && isMerged(request.method))
      late.push_back(serial);
  for (uint64_t serial : late) {
    // Late parts are dropped when they come.
    Request &request = pending[serial];
    if (request.upstream.awaited == request.analysis.awaited)
      continue;
    if (request.analysis.awaited && request.method == "textDocument/hover" &&
        request.text == hovers.textOf(request.uri))
      request.analysis.result = hovers.toldAt(request.uri, request.params);
    request.upstream.awaited = request.analysis.awaited = false;
    finishIfDone(serial);
  }
}

void Requests::cancel(uint64_t serial) {
  client.fail(get(serial).id, requestCancelled,
              "the client cancelled the request");
  pending.erase(serial);
}

void Requests::shutDown() {
  for (const auto &[serial, request] : pending)
    client.fail(request.id, requestCancelled, "the server was shut down");
  pending.clear();
}

void Requests::finishIfDone(uint64_t serial) {
  auto at = pending.find(serial);
  if (at == pending.end() || at->second.upstream.awaited ||
      at->second.analysis.awaited)
    return;
  Request request = std::move(at->second);
  pending.erase(at);
  Json error;
  Json result = merge(request, error);
  if (const Json &token = member(request.params, "workDoneToken");
      !token.is_null())
    client.send(makeNotification(
        "$/progress", {{"token", token}, {"value", {{"kind", "end"}}}}));
  if (error.is_object())
    client.send({{"jsonrpc", "2.0"}, {"id", request.id}, {"error", error}});
  else
    client.reply(request.id, std::move(result));
}

Json Requests::merge(const Request &request, Json &error) {
  const Part &theirs = request.upstream, &ours = request.analysis;
  if (isMerged(request.method)) {
    if (theirs.error.is_object() && ours.result.empty()) {
      error = theirs.error;
      return nullptr;
    }
    if (request.method == "textDocument/hover")
      return mergedHover(theirs.result, ours.result,
                         configuration.isPlainText());
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
      configuration.getSettings().analysis && isOurs(request.method) ? ours
                                                                     : theirs;
  error = only.error;
  return only.result;
}

} // namespace memreflens::lsp
