//===- lsp/supervisor/UpstreamLink.cpp - MLIR's own server, kept alive ----===//
//
// It takes whole texts only, and URIs of few schemes, and counts columns in
// bytes; here edits are gathered and all of that is translated. It works off
// what it gets in order, so the oldest thing that it was sent is what it died
// of.
//
//===----------------------------------------------------------------------===//

#include "lsp/supervisor/Supervisor.h"
#include "lsp/wire/Strings.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace memreflens::lsp {

static Json itemOf(const OpenDocument &document) {
  return {{"uri", document.upstreamUri}, {"version", document.version}};
}

void Supervisor::startUpstream() {
  restartUpstreamAt = 0;
  upstreamDirty.clear();
  upstreamSent.clear();
  for (auto &[uri, document] : store.all())
    document.upstreamVersion.reset();
  if (!upstream.start(settings.arguments)) {
    log(0, "cannot start MLIR's server");
    restartUpstreamAt = now() + Deaths::rest;
    return;
  }
  upstream.send(makeRequest("initialize", "initialize", initializeParams));
  upstream.send(makeNotification("initialized", Json::object()));
  for (auto &[uri, document] : store.all())
    flushUpstream(document);
  // Whatever has no answer, sent or not: what it was done with is known for
  // sure of nothing else.
  for (uint64_t serial : awaitedOf(&Pending::upstream))
    sendUpstream(serial);
}

std::vector<uint64_t> Supervisor::awaitedOf(Part Pending::*part) const {
  std::vector<uint64_t> serials;
  for (const auto &[serial, request] : pending)
    if ((request.*part).awaited)
      serials.push_back(serial);
  return serials;
}

bool Supervisor::hasUpstream(const OpenDocument *document) const {
  return settings.upstream && (!document || !document->quarantined);
}

void Supervisor::flushUpstream(OpenDocument &document, std::string_view text) {
  upstreamDirty.erase(document.uri);
  if (!hasUpstream(&document) || !upstream.isRunning() ||
      document.upstreamVersion == document.version)
    return;
  const std::string own =
      text.empty() ? jsonQuoted(document.text) : std::string();
  if (text.empty())
    text = own;
  Json item = itemOf(document);
  if (!document.upstreamVersion) {
    item["languageId"] = document.languageId;
    std::string begin = toBytes(item);
    begin.back() = ',';
    upstream.send(makeNotification("textDocument/didOpen", Json::object()),
                  {"\"textDocument\":", begin, "\"text\":", text, "}"});
  } else {
    upstream.send(makeNotification("textDocument/didChange",
                                   {{"textDocument", std::move(item)}}),
                  {"\"contentChanges\":[{\"text\":", text, "}]"});
  }
  document.upstreamVersion = document.version;
  upstreamSent.push_back({0, document.uri, document.version, now()});
}

/// The URIs under which upstream knows the documents, or those of the client.
static Json mapUris(const Json &json, Store &store, bool toUpstream) {
  if (json.is_string()) {
    const std::string &text = json.get_ref<const std::string &>();
    OpenDocument *document =
        toUpstream ? store.find(text) : store.findUpstream(text);
    if (!document)
      return json;
    return toUpstream ? document->upstreamUri : document->uri;
  }
  if (json.is_array()) {
    Json made = Json::array();
    for (const Json &one : json)
      made.push_back(mapUris(one, store, toUpstream));
    return made;
  }
  if (!json.is_object())
    return json;
  Json made = Json::object();
  for (const auto &[name, value] : json.items()) {
    OpenDocument *document =
        toUpstream ? store.find(name) : store.findUpstream(name);
    std::string key = !document    ? name
                      : toUpstream ? document->upstreamUri
                                   : document->uri;
    bool isUri = name == "uri" || value.is_structured();
    made[key] = isUri ? mapUris(value, store, toUpstream) : value;
  }
  return made;
}

void Supervisor::sendUpstream(uint64_t serial) {
  const Pending &request = pending[serial];
  OpenDocument *document = store.find(request.uri);
  if (!hasUpstream(document)) {
    endUpstreamPart(serial, nullptr, nullptr);
    return;
  }
  if (!upstream.isRunning()) {
    if (restartUpstreamAt == 0) {
      // Sends all that has no answer, this among it.
      startUpstream();
      if (upstream.isRunning())
        return;
    }
    endUpstreamPart(serial, nullptr, nullptr);
    return;
  }
  Json params = convertPositions(request.params, document, store, encoding,
                                 Encoding::utf8);
  params = mapUris(params, store, /*toUpstream=*/true);
  upstream.send(makeRequest(serial, request.method, std::move(params)));
  upstreamSent.push_back({serial, request.uri, 0, now()});
}

bool Supervisor::isUpstreamAtStaleText() {
  if (upstreamSent.empty() || upstreamSent.front().serial != 0)
    return false;
  const OpenDocument *document = store.find(upstreamSent.front().uri);
  return !document || document->version != upstreamSent.front().version;
}

/// Drops what it must be done with, since it has answered something later.
void Supervisor::forgetDoneUpstream(uint64_t serial, const std::string &uri,
                                    int64_t version) {
  auto at = std::find_if(
      upstreamSent.begin(), upstreamSent.end(), [&](const Sent &sent) {
        return serial ? sent.serial == serial
                      : sent.serial == 0 && sent.uri == uri &&
                            sent.version == version;
      });
  if (at == upstreamSent.end())
    return;
  upstreamSent.erase(upstreamSent.begin(), at + 1);
  if (!upstreamSent.empty())
    upstreamSent.front().since = now();
}

void Supervisor::onUpstreamMessage(const Json &message) {
  if (stringIn(message, "method") == "textDocument/publishDiagnostics") {
    onUpstreamDiagnostics(member(message, "params"));
    return;
  }
  const Json &id = member(message, "id");
  if (!id.is_number_unsigned())
    return;
  uint64_t serial = id.get<uint64_t>();
  forgetDoneUpstream(serial, "", 0);
  auto at = pending.find(serial);
  if (at == pending.end())
    return;
  const OpenDocument *document = store.find(at->second.uri);
  Json result = mapUris(member(message, "result"), store, /*toUpstream=*/false);
  result = convertPositions(result, document, store, Encoding::utf8, encoding);
  endUpstreamPart(serial, std::move(result), member(message, "error"));
}

void Supervisor::onUpstreamDiagnostics(const Json &params) {
  OpenDocument *document = store.findUpstream(stringIn(params, "uri"));
  if (!document)
    return;
  int64_t version = integerIn(params, "version", document->version);
  forgetDoneUpstream(0, document->uri, version);
  // Places in a text that is no more would be wrong.
  if (version != document->version)
    return;
  Json mapped = mapUris(params, store, /*toUpstream=*/false);
  mapped = convertPositions(mapped, document, store, Encoding::utf8, encoding);
  document->upstream = member(mapped, "diagnostics");
  document->upstreamDiagnosed = version;
  publish(*document);
}

void Supervisor::onUpstreamDeath(const std::string &why) {
  ++upstreamCrashes;
  double time = now();
  const bool rests = upstreamDeaths.add(time);
  log(0, "MLIR's server " + why);
  Sent culprit;
  if (!upstreamSent.empty()) {
    culprit = upstreamSent.front();
    upstreamSent.pop_front();
  }
  OpenDocument *document = store.find(culprit.uri);
  if (document && culprit.serial == 0) {
    // An older text of it is no reason against the newest.
    if (culprit.version == document->version) {
      document->quarantined = document->version;
      document->strikes = 2;
    }
  } else if (document && ++document->strikes >= 2) {
    document->quarantined = document->version;
  }
  std::string report = writeCrashReport("upstream", why, document);
  if (document && document->quarantined) {
    document->quarantineMessage =
        "MLIR's language server " + why +
        " on this version of the file; what it answers is skipped until the "
        "next edit";
    if (!report.empty())
      document->quarantineMessage += " (report: " + report + ")";
    publish(*document);
  }
  if (culprit.serial != 0)
    endUpstreamPart(culprit.serial, nullptr,
                    {{"code", internalError},
                     {"message", "MLIR's language server " + why}});
  if (!rests) {
    startUpstream();
    return;
  }
  restartUpstreamAt = time + Deaths::rest;
  upstreamSent.clear();
  for (uint64_t serial : awaitedOf(&Pending::upstream))
    endUpstreamPart(serial, nullptr, nullptr);
}

} // namespace memreflens::lsp
