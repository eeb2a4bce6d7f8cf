//===- lsp/supervisor/Messages.cpp - what the client sends ----------------===//

#include "core/Version.h"
#include "lsp/supervisor/Capabilities.h"
#include "lsp/supervisor/Supervisor.h"
#include "lsp/wire/OwnMethods.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <unistd.h>

namespace memreflens::lsp {

void Supervisor::onFrame(const Frame &frame) {
  if (!frame.error.empty()) {
    log(0, frame.error);
    fail(nullptr, parseError, frame.error);
    return;
  }
  std::optional<Json> message = parseMessage(frame.body);
  if (!message) {
    fail(nullptr, parseError, "the message is no JSON, or nests too deep");
    return;
  }
  if (settings.logLevel >= 2)
    log(2, "--> " + frame.body);
  lastMessages.push_back(frame.body.substr(0, 2000));
  if (lastMessages.size() > 20)
    lastMessages.pop_front();
  onMessage(*message);
}

static bool isId(const Json &id) {
  return id.is_string() || id.is_number_integer();
}

void Supervisor::onMessage(const Json &message) {
  const Json &id = member(message, "id");
  const Json &method = member(message, "method");
  bool hasId = message.is_object() && message.contains("id");
  if (!message.is_object() || (!method.is_string() && !hasId) ||
      (method.is_string() && hasId && !isId(id))) {
    fail(nullptr, invalidRequest, "the message is no request of JSON-RPC");
    return;
  }
  const Json &params = member(message, "params");
  if (!method.is_string())
    onResponse(message);
  else if (hasId)
    onRequest(id, method.get<std::string>(), params);
  else
    onNotification(method.get<std::string>(), params);
}

void Supervisor::onRequest(const Json &id, const std::string &method,
                           const Json &params) {
  if (isShutDown) {
    fail(id, invalidRequest, "the server was shut down");
    return;
  }
  if (method == "initialize") {
    if (isInitialized)
      fail(id, invalidRequest, "the server is initialized already");
    else
      onInitialize(id, params);
    return;
  }
  if (!isInitialized) {
    fail(id, serverNotInitialized, "the server is not initialized");
    return;
  }
  if (method == "shutdown") {
    isShutDown = true;
    for (auto &[serial, request] : pending)
      fail(request.id, requestCancelled, "the server was shut down");
    pending.clear();
    reply(id, nullptr);
    return;
  }
  bool isTwice = std::any_of(pending.begin(), pending.end(), [&](auto &entry) {
    return entry.second.id == id;
  });
  if (isTwice) {
    fail(id, invalidRequest, "a request with this id is not answered yet");
    return;
  }
  bool asksAnalysis = boolIn(params, "analysis", false) && analysis.isRunning();
  if (method == ownMethods::status && !asksAnalysis)
    reply(id, status());
  else if (method == "inlayHint/resolve") {
    Json hint = params;
    if (Json text = member(member(params, "data"), "text"); text.is_string())
      hint["tooltip"] = text;
    reply(id, hint);
  } else
    route(id, method, params);
}

void Supervisor::onNotification(const std::string &method, const Json &params) {
  if (method == "exit") {
    isOver = true;
    return;
  }
  if (!isInitialized || isShutDown)
    return;
  if (method == "textDocument/didOpen")
    onOpen(params);
  else if (method == "textDocument/didChange")
    onChange(params);
  else if (method == "textDocument/didClose")
    onClose(params);
  else if (method == "textDocument/didSave")
    onSave(params);
  else if (method == "$/cancelRequest")
    onCancel(params);
  else if (method == "workspace/didChangeConfiguration")
    onConfiguration(member(params, "settings"));
}

void Supervisor::onResponse(const Json &message) {
  // The only request of ours is for the configuration.
  const Json &result = member(message, "result");
  if (result.is_array() && !result.empty() && result[0].is_object())
    onConfiguration({{"memrefLens", result[0]}});
}

void Supervisor::onCancel(const Json &params) {
  const Json &id = member(params, "id");
  auto at = std::find_if(pending.begin(), pending.end(),
                         [&](auto &entry) { return entry.second.id == id; });
  if (at == pending.end())
    return;
  fail(id, requestCancelled, "the client cancelled the request");
  if (at->second.analysis.awaited)
    analysis.send(makeNotification("cancel", {{"id", at->first}}));
  pending.erase(at);
}

//===--- initialize -------------------------------------------------------===//

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

void Supervisor::onInitialize(const Json &id, const Json &params) {
  initializeParams = params.is_object() ? params : Json::object();
  encoding = agreedEncoding(params);
  isPlainText = wantsPlainText(params);
  const Json &options = member(params, "initializationOptions");
  const Json &ours = member(options, "memrefLens");
  if (options.is_object())
    configuration = ours.is_object() ? ours : options;
  readLimits();
  isInitialized = true;
  Json capabilities = settings.upstream ? upstreamCapabilities(initializeParams)
                                        : Json::object();
  capabilities.update(ownCapabilities());
  reply(id, {{"capabilities", capabilities},
             {"serverInfo",
              {{"name", "memref-lens-lsp-server"}, {"version", toolVersion}}}});
  // The client goes on while the children start.
  clientOut.flush(STDOUT_FILENO);
  if (settings.upstream)
    startUpstream();
  if (settings.analysis)
    startAnalysis();
}

static bool resolvesActions(const Json &params) {
  const Json &action = member(
      member(member(params, "capabilities"), "textDocument"), "codeAction");
  const Json &properties =
      member(member(action, "resolveSupport"), "properties");
  return boolIn(action, "dataSupport", false) && properties.is_array() &&
         std::find(properties.begin(), properties.end(), "edit") !=
             properties.end();
}

Json Supervisor::ownCapabilities() const {
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
  if (resolvesActions(initializeParams))
    own["codeActionProvider"] = {
        {"codeActionKinds", {"quickfix", "refactor.rewrite"}},
        {"resolveProvider", true}};
  own["experimental"] = {{"memrefLens", {{"protocol", 1}}}};
  return own;
}

/// Limits of the command line stay where the configuration has none.
void Supervisor::readLimits() {
  auto positive = [&](const char *name) -> double {
    const Json &value = member(member(configuration, "limits"), name);
    double number = value.is_number() ? value.get<double>() : 0;
    return number > 0 && number < 1e9 ? number : 0;
  };
  timeLimit = positive("time") > 0 ? positive("time") : settings.timeLimit;
  memoryLimit = positive("memory") > 0 ? size_t(positive("memory") * (1 << 20))
                                       : settings.memoryLimit;
}

void Supervisor::onConfiguration(const Json &given) {
  const Json &ours = member(given, "memrefLens");
  if (ours.is_object()) {
    const bool neededThem = needsCodeGenerators();
    configuration = ours;
    readLimits();
    // Another program has them.
    if (analysis.isRunning() && neededThem != needsCodeGenerators())
      startAnalysis();
    else
      sendOptions();
    for (auto &[uri, document] : store.all())
      document.own = Json::array();
    const Json &workspace =
        member(member(initializeParams, "capabilities"), "workspace");
    if (boolIn(member(workspace, "inlayHint"), "refreshSupport", false))
      send(makeRequest("refresh", "workspace/inlayHint/refresh", nullptr));
    return;
  }
  const Json &workspace =
      member(member(initializeParams, "capabilities"), "workspace");
  if (boolIn(workspace, "configuration", false))
    send(makeRequest("configuration", "workspace/configuration",
                     {{"items", Json::array({{{"section", "memrefLens"}}})}}));
}

} // namespace memreflens::lsp
