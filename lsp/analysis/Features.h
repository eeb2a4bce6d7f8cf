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

struct Request {
  Analyst &analyst;
  const Json &params;
  /// Whether somebody still waits for the answer.
  Analyst::GoesOn isWanted;
  /// Sends a part of the answer ahead of it.
  std::function<void(Json part)> sendPart;
  /// Null only for who needs none.
  Document *document = nullptr;
  /// What the answer holds besides, if it is JSON text already: `"name":...`.
  std::string rawMembers = {};
  /// Set by who cannot answer.
  std::string error = {};
  int code = requestFailed;
};

//===--- Requests.cpp -----------------------------------------------------===//
/// Has the request answered by the feature that the method names.
Json answer(const std::string &method, Request &request);

/// The unit's view; nothing if it has no trace.
std::optional<View> viewOf(Analyst &analyst, Document &document,
                           const Unit &unit);
/// Makes traces of the units from `first` to `last`; false where the answer is
/// no longer wanted.
bool ensureTraces(Request &request, size_t first, size_t last);

//===--- Hover.cpp --------------------------------------------------------===//
/// `Hover`, or null where there is nothing to say.
Json onHover(Request &request);

//===--- Highlights.cpp ---------------------------------------------------===//
/// Every place where the buffer under the cursor goes by a name.
Json onHighlight(Request &request);

//===--- InlayHints.cpp ---------------------------------------------------===//
/// Hints between two lines. Each one's `data` is enough to resolve it.
Json onInlayHint(Request &request);

//===--- CodeLens.cpp -----------------------------------------------------===//
/// With a token for partial results, all lenses go there, a few functions at a
/// time.
Json onCodeLens(Request &request);

//===--- CodeActions.cpp --------------------------------------------------===//
/// Actions for the function around a line; those that the client resolves are
/// without their edits.
Json onCodeAction(Request &request);
/// The action with its edit; without, where it does not help.
Json onResolveCodeAction(Request &request);

//===--- Diagnostics.cpp --------------------------------------------------===//
/// The message that tells the parent what was found in a document.
std::string reportOf(Analyst &analyst, Document &document);

} // namespace memreflens::lsp

#endif // MEMREFLENS_LSP_ANALYSIS_FEATURES_H
