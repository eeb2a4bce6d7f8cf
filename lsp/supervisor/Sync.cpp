//===- lsp/supervisor/Sync.cpp - documents and their diagnostics ----------===//

#include "lsp/supervisor/Supervisor.h"
#include "lsp/wire/Strings.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace memreflens::lsp {

void Supervisor::onOpen(const Json &params) {
  const Json &item = member(params, "textDocument");
  if (stringIn(item, "uri").empty())
    return;
  OpenDocument &document = store.open(item);
  const std::string text = jsonQuoted(document.text);
  sendOpen(document, text);
  flushUpstream(document, text);
}

void Supervisor::onChange(const Json &params) {
  const Json &item = member(params, "textDocument");
  OpenDocument *document = store.find(stringIn(item, "uri"));
  if (!document)
    return;
  Json edits =
      store.change(*document, member(params, "contentChanges"), encoding);
  document->version = integerIn(item, "version", document->version + 1);
  document->quarantined.reset();
  document->quarantineMessage.clear();
  document->strikes = 0;
  analysis.send(makeNotification("edit", {{"uri", document->uri},
                                          {"version", document->version},
                                          {"edits", std::move(edits)}}));
  upstreamDirty.insert(document->uri);
  dirtySince = now();
}

void Supervisor::onClose(const Json &params) {
  std::string uri = stringIn(member(params, "textDocument"), "uri");
  OpenDocument *document = store.find(uri);
  if (!document)
    return;
  analysis.send(makeNotification("close", {{"uri", uri}}));
  upstreamDirty.erase(uri);
  bool isSent = document->upstreamVersion.has_value();
  std::string upstreamUri = document->upstreamUri;
  int64_t version = document->version;
  store.close(uri);
  if (isSent && upstream.isRunning())
    upstream.send(makeNotification("textDocument/didClose",
                                   {{"textDocument", {{"uri", upstreamUri}}}}));
  send(makeNotification(
      "textDocument/publishDiagnostics",
      {{"uri", uri}, {"version", version}, {"diagnostics", Json::array()}}));
}

void Supervisor::onSave(const Json &params) {
  std::string uri = stringIn(member(params, "textDocument"), "uri");
  analysis.send(makeNotification("save", {{"uri", uri}}));
}

static Json lineDiagnostic(int64_t line, const std::string &message) {
  return {{"range",
           {{"start", {{"line", line}, {"character", 0}}},
            {"end", {{"line", line}, {"character", 1}}}}},
          {"severity", 1},
          {"source", "memref-lens"},
          {"message", message}};
}

static bool hasError(const Json &diagnostics, bool isQuarantined) {
  return !isQuarantined &&
         std::any_of(diagnostics.begin(), diagnostics.end(),
                     [](const Json &one) {
                       return integerIn(one, "severity", 1) == 1;
                     });
}

Json Supervisor::mergedDiagnostics(const OpenDocument &document) const {
  bool isUpstreams = settings.upstream && !document.quarantined;
  // Places in an older text would be wrong.
  isUpstreams = isUpstreams && document.upstreamDiagnosed == document.version;
  Json merged = isUpstreams ? document.upstream : Json::array();
  if (document.quarantined)
    merged.push_back(lineDiagnostic(0, document.quarantineMessage));
  // What upstream tells of the text is not told twice; what only our limits and
  // options reject, or upstream cannot tell, is.
  if (settings.upstream && !hasError(merged, document.quarantined.has_value()))
    for (const Json &one : document.parser)
      merged.push_back(one);
  for (const Json &one : document.own)
    merged.push_back(one);
  for (const Json &one : document.failed)
    merged.push_back(
        lineDiagnostic(integerIn(one, "line", 0), stringIn(one, "message")));
  return merged;
}

void Supervisor::publish(OpenDocument &document) {
  document.hasNews = false;
  document.publishedVersion = document.version;
  document.waitsSince.reset();
  send(makeNotification("textDocument/publishDiagnostics",
                        {{"uri", document.uri},
                         {"version", document.version},
                         {"diagnostics", mergedDiagnostics(document)}}));
}

} // namespace memreflens::lsp
