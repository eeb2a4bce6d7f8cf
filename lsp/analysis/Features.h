//===- lsp/analysis/Features.h - what each request answers ----------------===//
//
// One function and one file a feature. All words come from core/explain and
// core/graph; here they only get their places.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_LSP_ANALYSIS_FEATURES_H
#define MEMREFLENS_LSP_ANALYSIS_FEATURES_H

#include "lsp/analysis/Analyst.h"
#include "lsp/analysis/View.h"

namespace memreflens::lsp {

//===--- Hover.cpp --------------------------------------------------------===//
/// `Hover`, or null where there is nothing to say. `aliases` is the unit's
/// alias view, if what is hovered is an access or a memref; null for none.
/// `facts` are those of the op whose name is hovered; null for none.
Json hoverAt(const View &view, Position position, const View *aliases = nullptr,
             const trace::OpFacts *facts = nullptr);
/// Whether an op's name is under the cursor.
bool hoversOp(const View &view, Position position);
/// Whether a memref, or an op that may access one, is under the cursor.
bool hoversAccess(const View &view, Position position);
/// As Markdown, with nothing of the user's text taken as markup.
std::string escapeMarkdown(std::string_view text);

//===--- InlayHints.cpp ---------------------------------------------------===//
/// Adds the hints between two lines. Each one's `data` is enough to resolve it.
void addInlayHints(const View &view, uint32_t firstLine, uint32_t lastLine,
                   Json &hints);

//===--- Diagnostics.cpp --------------------------------------------------===//
/// Ours go to `own`, the parser's to `parser`: elements of JSON arrays.
void addDiagnostics(Analyst &analyst, Document &document, std::string &own,
                    std::string &parser);

//===--- CodeLens.cpp -----------------------------------------------------===//
void addCodeLenses(const View &view, Json &lenses);

//===--- Highlights.cpp ---------------------------------------------------===//
/// Every place where the buffer under the cursor goes by a name.
Json highlightsAt(const View &view, Position position);

//===--- CodeActions.cpp --------------------------------------------------===//
/// Actions for the function around a line, without their edits.
void addCodeActions(const View &view, const std::vector<PathFinding> &findings,
                    const Json &params, Json &actions);
/// The action with its edit; without, where it does not help.
Json resolveCodeAction(Analyst &analyst, Json action);

//===--- Requests.cpp -----------------------------------------------------===//
/// Answers one of our own requests (PROTOCOL.md); nothing for other methods.
std::optional<Json> answerOwn(Analyst &analyst, const std::string &method,
                              const Json &params, std::string &error);

/// The unit's view; nothing if it has no trace.
std::optional<View> viewOf(Analyst &analyst, Document &document,
                           const Unit &unit);

} // namespace memreflens::lsp

#endif // MEMREFLENS_LSP_ANALYSIS_FEATURES_H
