//===- lsp/documents/Store.h - open documents, as the client has them -----===//
//
// Applies the client's edits in their order and says what they did in bytes, so
// that others can follow without positions.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_LSP_DOCUMENTS_STORE_H
#define MEMREFLENS_LSP_DOCUMENTS_STORE_H

#include "lsp/documents/Text.h"
#include "lsp/wire/Message.h"

#include <map>
#include <nlohmann/json.hpp>

namespace memreflens::lsp {

struct OpenDocument {
  std::string uri;
  std::string languageId;
  int64_t version = 0;
  std::string text;
  Lines lines;

  //===--- Upstream's server ---===//
  /// URI under which it knows the document.
  std::string upstreamUri;
  /// Version that it was sent last; nothing while it does not have it.
  std::optional<int64_t> upstreamVersion;
  /// Version that killed it.
  std::optional<int64_t> quarantined;
  std::string quarantineMessage;
  /// Deaths over requests at this version.
  int strikes = 0;

  //===--- Diagnostics, as of the versions named ---===//
  Json upstream = Json::array();
  std::optional<int64_t> upstreamDiagnosed;
  Json own = Json::array(), parser = Json::array(), failed = Json::array();
  /// The client was not told of these yet.
  bool hasNews = false;
  std::optional<int64_t> publishedVersion;
  /// Since when it waits for upstream's part, so that both come as one.
  std::optional<double> waitsSince;
};

/// `{line, character}`; zeros for what is none.
Position toPosition(const Json &json);
/// `{start, end}`.
TextRange toTextRange(const Json &json);

class Store {
public:
  OpenDocument &open(const Json &item);
  /// Applies `contentChanges`; what they were in bytes, in order.
  Json change(OpenDocument &document, const Json &changes, Encoding encoding);
  void close(const std::string &uri) { documents.erase(uri); }
  OpenDocument *find(const std::string &uri);
  OpenDocument *findUpstream(const std::string &upstreamUri);
  std::map<std::string, OpenDocument> &all() { return documents; }

private:
  std::map<std::string, OpenDocument> documents;
  int mapped = 0;
};

/// Copy of `json` with every position in it taken from one encoding to another.
/// A position belongs to the nearest `uri` around it, or else to `document`.
Json convertPositions(const Json &json, const OpenDocument *document,
                      Store &store, Encoding from, Encoding to);

} // namespace memreflens::lsp

#endif // MEMREFLENS_LSP_DOCUMENTS_STORE_H
