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
#include "lsp/wire/Message.h"

namespace memreflens::lsp {

struct Request {
  Analyst &analyst;
  /// As they came: for who routes, and for requests of our own.
  const Json &params;
  /// Whether somebody still waits for the answer.
  Scheduler::GoesOn isWanted;
  /// Sends a part of the answer ahead of it.
  std::function<void(Json part)> sendPart;
  /// Null only for who needs none.
  Document *document = nullptr;
  /// Of the parameters, as far as they have them.
  Position position = {};
  TextRange range = {};
  /// What the answer holds besides, if it is JSON text already: `"name":...`.
  std::string rawMembers = {};
  /// Set by who cannot answer.
  std::string error = {};
  int code = requestFailed;
};

//===--- Requests.cpp -----------------------------------------------------===//
/// Has the request answered by the feature that the method names.
Json answer(const std::string &method, Request &request);

/// Makes traces of the units from `first` to `last`; false where the answer is
/// no longer wanted.
bool ensureTraces(Request &request, size_t first, size_t last);

//===--- Hover.cpp --------------------------------------------------------===//
/// Nothing where there is nothing to say.
std::optional<Hover> onHover(Request &request);

//===--- Highlights.cpp ---------------------------------------------------===//
/// Every place where the buffer under the cursor goes by a name.
std::optional<std::vector<Highlight>> onHighlight(Request &request);

//===--- InlayHints.cpp ---------------------------------------------------===//
/// Hints in the lines of a range.
std::vector<InlayHint> onInlayHint(Request &request);

//===--- CodeLens.cpp -----------------------------------------------------===//
using SendLenses = std::function<void(const std::vector<CodeLens> &)>;
/// If `sendPart` is set, all lenses go there, a few functions at a time.
std::vector<CodeLens> onCodeLens(Request &request, const SendLenses &sendPart);

//===--- CodeActions.cpp --------------------------------------------------===//
/// Actions for the function around a line; those that the client resolves are
/// without their edits.
std::vector<CodeAction> onCodeAction(Request &request,
                                     const CodeActionContext &context);
/// Nothing where it does not help.
std::optional<TextEdit> onResolveCodeAction(Analyst &analyst,
                                            const Rewrite &rewrite);

//===--- Diagnostics.cpp --------------------------------------------------===//
Report reportOf(Analyst &analyst, Document &document);

} // namespace memreflens::lsp

#endif // MEMREFLENS_LSP_ANALYSIS_FEATURES_H
