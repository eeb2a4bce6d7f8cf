//===- lsp/supervisor/Messages.cpp - what the client sends ----------------===//

#include "core/Version.h"
#include "lsp/supervisor/Supervisor.h"
#include "lsp/wire/OwnMethods.h"

#include <nlohmann/json.hpp>

namespace memreflens::lsp {

static bool isId(const Json &id) {
  return id.is_string() || id.is_number_integer();
}

void Supervisor::onMessage(const Json &message) {
  const Json &id = member(message, "id");
  const Json &method = member(message, "method");
  bool hasId = message.is_object() && message.contains("id");
  if (!message.is_object() || (!method.is_string() && !hasId) ||
      (method.is_string() && hasId && !isId(id))) {
    client.fail(nullptr, invalidRequest,
                "the message is no request of JSON-RPC");
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
    client.fail(id, invalidRequest, "the server was shut down");
    return;
  }
  if (method == "initialize") {
    if (isInitialized)
      client.fail(id, invalidRequest, "the server is initialized already");
    else
      onInitialize(id, params);
    return;
  }
  if (!isInitialized) {
    client.fail(id, serverNotInitialized, "the server is not initialized");
    return;
  }
  if (method == "shutdown") {
    onShutdown(id);
    return;
  }
  if (requests.findId(id)) {
    client.fail(id, invalidRequest,
                "a request with this id is not answered yet");
    return;
  }
  bool asksAnalysis = boolIn(params, "analysis", false) && analysis.isRunning();
  if (method == ownMethods::status && !asksAnalysis)
    client.reply(id, status());
  else if (method == "inlayHint/resolve") {
    Json hint = params;
    if (Json text = member(member(params, "data"), "text"); text.is_string())
      hint["tooltip"] = text;
    client.reply(id, hint);
  } else
    route(id, method, params);
}

void Supervisor::onShutdown(const Json &id) {
  isShutDown = true;
  requests.shutDown();
  client.reply(id, nullptr);
}

void Supervisor::route(const Json &id, const std::string &method,
                       const Json &params) {
  const uint64_t serial = requests.begin(id, method, params);
  if (requests.isWaitingFor(serial, &Request::upstream))
    upstream.ask(serial);
  if (requests.isWaitingFor(serial, &Request::analysis))
    analysis.ask(serial);
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
  const Request *request = requests.findId(member(params, "id"));
  if (!request)
    return;
  const uint64_t serial = request->serial;
  if (request->analysis.awaited)
    analysis.cancel(serial);
  requests.cancel(serial);
}

//===--- The start, and what the client wants -----------------------------===//

void Supervisor::onInitialize(const Json &id, const Json &params) {
  configuration.initialize(params);
  isInitialized = true;
  client.reply(
      id, {{"capabilities", configuration.capabilities()},
           {"serverInfo",
            {{"name", "memref-lens-lsp-server"}, {"version", toolVersion}}}});
  // The client goes on while the children start.
  client.flush();
  if (settings.upstream)
    upstream.start();
  if (settings.analysis)
    analysis.start();
}

void Supervisor::onConfiguration(const Json &given) {
  const Json &ours = member(given, "memrefLens");
  const Json &workspace = configuration.clientWorkspace();
  if (!ours.is_object()) {
    if (boolIn(workspace, "configuration", false))
      client.send(
          makeRequest("configuration", "workspace/configuration",
                      {{"items", Json::array({{{"section", "memrefLens"}}})}}));
    return;
  }
  configuration.change(ours);
  analysis.onConfiguration();
  for (auto &[uri, document] : store.all())
    document.own = Json::array();
  if (boolIn(member(workspace, "inlayHint"), "refreshSupport", false))
    client.send(makeRequest("refresh", "workspace/inlayHint/refresh", nullptr));
}

} // namespace memreflens::lsp
