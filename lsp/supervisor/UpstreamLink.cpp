//===- lsp/supervisor/UpstreamLink.cpp ------------------------------------===//

#include "lsp/supervisor/UpstreamLink.h"
#include "lsp/supervisor/Diagnostics.h"
#include "lsp/wire/Strings.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

namespace memreflens::lsp {

//===--- The process ------------------------------------------------------===//

void UpstreamLink::start() {
  restartAt = 0;
  dirty.clear();
  sent.clear();
  for (auto &[uri, document] : context.store.all())
    document.upstreamVersion.reset();
  if (!child.start(context.configuration.getSettings().arguments)) {
    context.log.write(0, "cannot start MLIR's server");
    restartAt = now() + Deaths::rest;
    return;
  }
  child.send(makeRequest("initialize", "initialize",
                         context.configuration.getInitializeParams()));
  child.send(makeNotification("initialized", Json::object()));
  for (auto &[uri, document] : context.store.all())
    sendText(document);
  // Whatever has no answer, sent or not: what it was done with is known for
  // sure of nothing else.
  for (uint64_t serial : context.requests.awaited(&Request::upstream))
    sendRequest(serial);
}

void UpstreamLink::exchange(bool isOver) {
  if (!child.isRunning())
    return;
  const bool lives = child.exchange();
  while (std::optional<Frame> frame = child.next())
    if (std::optional<Json> message = parseMessage(frame->body))
      onMessage(*message);
  const std::string why = child.getEnding();
  if (!lives && !isOver)
    onDeath(why);
}

void UpstreamLink::restartIfDue(double time) {
  if (restartAt > 0 && time >= restartAt)
    start();
}

void UpstreamLink::kill(const std::string &why) {
  child.kill();
  onDeath(why);
}

void UpstreamLink::killIfStuck(double time) {
  const double limit = context.configuration.getTimeLimit();
  if (child.isRunning() && !sent.empty() && time - sent.front().since > limit)
    kill("did not end in " + std::to_string(int(limit)) + " s");
  if (child.isRunning() && isAtStaleText() &&
      time - sent.front().since > context.configuration.getSettings().patience)
    kill("was at a text that has changed since");
}

void UpstreamLink::killIfLarge() {
  if (child.memory() > context.configuration.getMemoryLimit())
    kill("exceeded its memory limit");
}

bool UpstreamLink::isAtStaleText() const {
  if (sent.empty() || sent.front().serial != 0)
    return false;
  const OpenDocument *document = context.store.find(sent.front().uri);
  return !document || document->version != sent.front().version;
}

/// Sets the document aside for what killed the server at it.
static void quarantine(OpenDocument &document, const Sent &culprit) {
  if (culprit.serial != 0) {
    if (++document.strikes >= 2)
      document.quarantined = document.version;
    return;
  }
  // An older text of it is no reason against the newest.
  if (culprit.version != document.version)
    return;
  document.quarantined = document.version;
  document.strikes = 2;
}

void UpstreamLink::onDeath(const std::string &why) {
  ++crashes;
  double time = now();
  const bool rests = deaths.add(time);
  context.log.write(0, "MLIR's server " + why);
  Sent culprit;
  if (!sent.empty()) {
    culprit = sent.front();
    sent.pop_front();
  }
  OpenDocument *document = context.store.find(culprit.uri);
  if (document)
    quarantine(*document, culprit);
  std::string report = context.reports.write("upstream", why, document);
  if (document && document->quarantined) {
    document->quarantineMessage =
        "MLIR's language server " + why +
        " on this version of the file; what it answers is skipped until the "
        "next edit";
    if (!report.empty())
      document->quarantineMessage += " (report: " + report + ")";
    publish(*document, context.configuration.getSettings(), context.client);
  }
  if (culprit.serial != 0)
    context.requests.endUpstreamPart(
        culprit.serial, nullptr,
        {{"code", internalError},
         {"message", "MLIR's language server " + why}});
  if (!rests) {
    start();
    return;
  }
  restartAt = time + Deaths::rest;
  sent.clear();
  for (uint64_t serial : context.requests.awaited(&Request::upstream))
    context.requests.endUpstreamPart(serial, nullptr, nullptr);
}

//===--- Documents --------------------------------------------------------===//

bool UpstreamLink::serves(const OpenDocument *document) const {
  return context.configuration.getSettings().upstream &&
         (!document || !document->quarantined);
}

static Json itemOf(const OpenDocument &document) {
  return {{"uri", document.upstreamUri}, {"version", document.version}};
}

void UpstreamLink::sendText(OpenDocument &document,
                            std::string_view quotedText) {
  dirty.erase(document.uri);
  if (!serves(&document) || !child.isRunning() ||
      document.upstreamVersion == document.version)
    return;
  const std::string own =
      quotedText.empty() ? jsonQuoted(document.text) : std::string();
  if (quotedText.empty())
    quotedText = own;
  Json item = itemOf(document);
  if (!document.upstreamVersion) {
    item["languageId"] = document.languageId;
    std::string begin = toBytes(item);
    begin.back() = ',';
    child.send(makeNotification("textDocument/didOpen", Json::object()),
               {"\"textDocument\":", begin, "\"text\":", quotedText, "}"});
  } else {
    child.send(makeNotification("textDocument/didChange",
                                {{"textDocument", std::move(item)}}),
               {"\"contentChanges\":[{\"text\":", quotedText, "}]"});
  }
  document.upstreamVersion = document.version;
  sent.push_back({0, document.uri, document.version, now()});
}

void UpstreamLink::noteEdit(const OpenDocument &document) {
  dirty.insert(document.uri);
  dirtySince = now();
}

void UpstreamLink::sendEdits(double time) {
  if (dirty.empty() || !sent.empty() ||
      time - dirtySince < context.configuration.getSettings().debounce)
    return;
  for (const std::string &uri : std::exchange(dirty, {}))
    if (OpenDocument *document = context.store.find(uri))
      sendText(*document);
}

void UpstreamLink::close(const OpenDocument &document) {
  dirty.erase(document.uri);
  if (document.upstreamVersion)
    child.send(
        makeNotification("textDocument/didClose",
                         {{"textDocument", {{"uri", document.upstreamUri}}}}));
}

bool UpstreamLink::willDiagnose(const OpenDocument &document) const {
  return serves(&document) && child.isRunning() &&
         document.upstreamDiagnosed != document.version;
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

void UpstreamLink::onDiagnostics(const Json &params) {
  Store &store = context.store;
  OpenDocument *document = store.findUpstream(stringIn(params, "uri"));
  if (!document)
    return;
  int64_t version = integerIn(params, "version", document->version);
  forgetDone(0, document->uri, version);
  // Places in a text that is no more would be wrong.
  if (version != document->version)
    return;
  Json mapped = mapUris(params, store, /*toUpstream=*/false);
  mapped = convertPositions(mapped, document, store, Encoding::utf8,
                            context.configuration.getEncoding());
  document->upstream = member(mapped, "diagnostics");
  document->upstreamDiagnosed = version;
  publish(*document, context.configuration.getSettings(), context.client);
}

//===--- Requests ---------------------------------------------------------===//

void UpstreamLink::ask(uint64_t serial) {
  OpenDocument *document = context.store.find(context.requests.get(serial).uri);
  if (document && document->upstreamVersion != document->version)
    sendText(*document);
  sendRequest(serial);
}

void UpstreamLink::sendRequest(uint64_t serial) {
  const Request &request = context.requests.get(serial);
  OpenDocument *document = context.store.find(request.uri);
  if (!serves(document)) {
    context.requests.endUpstreamPart(serial, nullptr, nullptr);
    return;
  }
  if (!child.isRunning()) {
    if (restartAt == 0) {
      // Sends all that has no answer, this among it.
      start();
      if (child.isRunning())
        return;
    }
    context.requests.endUpstreamPart(serial, nullptr, nullptr);
    return;
  }
  Json params =
      convertPositions(request.params, document, context.store,
                       context.configuration.getEncoding(), Encoding::utf8);
  params = mapUris(params, context.store, /*toUpstream=*/true);
  child.send(makeRequest(serial, request.method, std::move(params)));
  sent.push_back({serial, request.uri, 0, now()});
}

/// Drops what it must be done with, since it has answered something later.
void UpstreamLink::forgetDone(uint64_t serial, const std::string &uri,
                              int64_t version) {
  auto at = std::find_if(sent.begin(), sent.end(), [&](const Sent &one) {
    return serial ? one.serial == serial
                  : one.serial == 0 && one.uri == uri && one.version == version;
  });
  if (at == sent.end())
    return;
  sent.erase(sent.begin(), at + 1);
  if (!sent.empty())
    sent.front().since = now();
}

void UpstreamLink::onMessage(const Json &message) {
  if (stringIn(message, "method") == "textDocument/publishDiagnostics") {
    onDiagnostics(member(message, "params"));
    return;
  }
  const Json &id = member(message, "id");
  if (!id.is_number_unsigned())
    return;
  uint64_t serial = id.get<uint64_t>();
  forgetDone(serial, "", 0);
  const Request *request = context.requests.find(serial);
  if (!request)
    return;
  Store &store = context.store;
  const OpenDocument *document = store.find(request->uri);
  Json result = mapUris(member(message, "result"), store, /*toUpstream=*/false);
  result = convertPositions(result, document, store, Encoding::utf8,
                            context.configuration.getEncoding());
  context.requests.endUpstreamPart(serial, std::move(result),
                                   member(message, "error"));
}

} // namespace memreflens::lsp
