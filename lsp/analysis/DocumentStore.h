//===- lsp/analysis/DocumentStore.h - the open documents ------------------===//
//
// Their texts, as the editor has them, and the units in these. Called by the
// thread of the server's loop alone.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_LSP_ANALYSIS_DOCUMENTSTORE_H
#define MEMREFLENS_LSP_ANALYSIS_DOCUMENTSTORE_H

#include "lsp/analysis/TraceCache.h"

namespace memreflens::lsp {

class DocumentStore {
public:
  DocumentStore(AnalystState &state, TraceCache &cache)
      : state(state), cache(cache) {}

  void open(const std::string &uri, int64_t version, std::string text);
  /// One after the other; false where they do not fit the text.
  bool edit(const std::string &uri, int64_t version,
            const std::vector<ByteEdit> &edits);
  void close(const std::string &uri);
  /// Null if it is not open. `uses`: somebody looks at it.
  Document *find(const std::string &uri, bool uses = true);
  std::map<std::string, Document> &all() { return documents; }
  const std::map<std::string, Document> &all() const { return documents; }
  /// All is to be looked at again, under other options.
  void outdate(bool keepsPaths);

  /// Finds the units of the newest text.
  void refresh(Document &document);
  const Unit *unitAt(Document &document, size_t line);
  /// Lets traces go where they are too many: those of texts that are gone, then
  /// those of documents that nobody looked at for long. Not those of `busy`,
  /// nor of the document used last. Views of the others end with it.
  void trim(const Document *busy);

private:
  Document *leastUsed(const Document *busy);

  AnalystState &state;
  TraceCache &cache;
  uint64_t uses = 0;
  std::map<std::string, Document> documents;
};

} // namespace memreflens::lsp

#endif // MEMREFLENS_LSP_ANALYSIS_DOCUMENTSTORE_H
