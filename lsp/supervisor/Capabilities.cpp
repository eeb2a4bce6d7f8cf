//===- lsp/supervisor/Capabilities.cpp ------------------------------------===//

#include "lsp/supervisor/Capabilities.h"

#include <nlohmann/json.hpp>

namespace memreflens::lsp {

Json upstreamCapabilities(const Json &initializeParams) {
  const Json &client =
      member(member(initializeParams, "capabilities"), "textDocument");
  const Json &literals =
      member(member(client, "codeAction"), "codeActionLiteralSupport");
  Json actions = true;
  if (literals.is_object())
    actions = {{"codeActionKinds", {"quickfix", "refactor", "info"}}};
  bool isTree = boolIn(member(client, "documentSymbol"),
                       "hierarchicalDocumentSymbolSupport", false);
  return {
      {"textDocumentSync",
       {{"openClose", true}, {"change", 1}, {"save", true}}},
      {"completionProvider",
       {{"allCommitCharacters", {"\t", ";", ",", ".", "="}},
        {"resolveProvider", false},
        {"triggerCharacters",
         {".", "%", "^", "!", "#", "(", ",", "<", ":", "[", " ", "\"", "/"}}}},
      {"definitionProvider", true},
      {"referencesProvider", true},
      {"hoverProvider", true},
      {"documentSymbolProvider", isTree},
      {"codeActionProvider", actions}};
}

} // namespace memreflens::lsp
