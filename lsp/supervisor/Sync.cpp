//===- lsp/supervisor/Sync.cpp - what the client says of its documents ----===//

#include "lsp/supervisor/Supervisor.h"
#include "lsp/wire/Strings.h"

#include <nlohmann/json.hpp>
#include <utility>

namespace memreflens::lsp {

void Supervisor::onOpen(const Json &params) {
  const Json &item = member(params, "textDocument");
  if (stringIn(item, "uri").empty())
    return;
  OpenDocument &document = store.open(item);
  requests.getHovers().forget(document.uri);
  const std::string text = jsonQuoted(document.text);
  analysis.open(document, text);
  upstream.sendText(document, text);
}

void Supervisor::onChange(const Json &params) {
  const Json &item = member(params, "textDocument");
  OpenDocument *document = store.find(stringIn(item, "uri"));
  if (!document)
    return;
  Json edits = store.change(*document, member(params, "contentChanges"),
                            configuration.getEncoding());
  document->version = integerIn(item, "version", document->version + 1);
  document->quarantined.reset();
  document->quarantineMessage.clear();
  document->strikes = 0;
  requests.getHovers().forget(document->uri);
  analysis.edit(*document, std::move(edits));
  upstream.noteEdit(*document);
}

void Supervisor::onClose(const Json &params) {
  std::string uri = stringIn(member(params, "textDocument"), "uri");
  OpenDocument *document = store.find(uri);
  if (!document)
    return;
  requests.getHovers().forget(uri);
  analysis.close(uri);
  upstream.close(*document);
  int64_t version = document->version;
  store.close(uri);
  client.send(makeNotification(
      "textDocument/publishDiagnostics",
      {{"uri", uri}, {"version", version}, {"diagnostics", Json::array()}}));
}

void Supervisor::onSave(const Json &params) {
  analysis.save(stringIn(member(params, "textDocument"), "uri"));
}

} // namespace memreflens::lsp
