//===- lsp/supervisor/Diagnostics.cpp -------------------------------------===//

#include "lsp/supervisor/Diagnostics.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace memreflens::lsp {

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

static Json mergedDiagnostics(const OpenDocument &document, bool hasUpstream) {
  bool isUpstreams = hasUpstream && !document.quarantined;
  // Places in an older text would be wrong.
  isUpstreams = isUpstreams && document.upstreamDiagnosed == document.version;
  Json merged = isUpstreams ? document.upstream : Json::array();
  if (document.quarantined)
    merged.push_back(lineDiagnostic(0, document.quarantineMessage));
  // What upstream tells of the text is not told twice; what only our limits and
  // options reject, or upstream cannot tell, is.
  if (hasUpstream && !hasError(merged, document.quarantined.has_value()))
    for (const Json &one : document.parser)
      merged.push_back(one);
  for (const Json &one : document.own)
    merged.push_back(one);
  for (const Json &one : document.failed)
    merged.push_back(
        lineDiagnostic(integerIn(one, "line", 0), stringIn(one, "message")));
  return merged;
}

void publish(OpenDocument &document, const Settings &settings, Client &client) {
  document.hasNews = false;
  document.publishedVersion = document.version;
  document.waitsSince.reset();
  client.send(makeNotification(
      "textDocument/publishDiagnostics",
      {{"uri", document.uri},
       {"version", document.version},
       {"diagnostics", mergedDiagnostics(document, settings.upstream)}}));
}

} // namespace memreflens::lsp
