//===- lsp/analysis/Protocol.h - answers as JSON of LSP 3.17 --------------===//
//
// The one place that knows how the protocol writes what the features answer.
// Only requests of our own make JSON themselves (Requests.cpp): most of theirs
// comes from the writers of core/graph and core/trace.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_LSP_ANALYSIS_PROTOCOL_H
#define MEMREFLENS_LSP_ANALYSIS_PROTOCOL_H

#include "lsp/analysis/Answers.h"
#include "lsp/wire/Message.h"

namespace memreflens::lsp {

//===--- What is answered -------------------------------------------------===//
// By this name nlohmann::json finds them, for lists and members as well.
void to_json(Json &json, const Position &position);
void to_json(Json &json, const TextRange &range);
void to_json(Json &json, const Hover &hover);
/// The address that has VS Code run a command of its own on a place.
std::string commandLink(std::string_view command, const std::string &uri,
                        Position position);
void to_json(Json &json, const Highlight &highlight);
void to_json(Json &json, const InlayHint &hint);
void to_json(Json &json, const CodeLens &lens);
/// With the diagnostics of the request's `context` that the action is for.
Json actionJson(const CodeAction &action, const Json &context);
/// `WorkspaceEdit` of one document.
Json editJson(const std::string &uri, const TextEdit &edit);
/// As JSON text.
std::string textOf(const Diagnostic &diagnostic);
/// The message that tells the parent.
std::string messageOf(const Report &report);

//===--- What is asked ----------------------------------------------------===//
/// The `position` of parameters; zeros for what is none.
Position positionIn(const Json &params);
/// The `range` of parameters; all of the text where there is none.
TextRange rangeIn(const Json &params);
CodeActionContext contextIn(const Json &context);
/// The `data` of an action.
Rewrite rewriteIn(const Json &data);

} // namespace memreflens::lsp

#endif // MEMREFLENS_LSP_ANALYSIS_PROTOCOL_H
