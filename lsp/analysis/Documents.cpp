//===- lsp/analysis/Documents.cpp - documents and settings come and go ----===//

#include "lsp/analysis/Analyst.h"

#include <tuple>

namespace memreflens::lsp {

void Analyst::open(const std::string &uri, int64_t version, std::string text) {
  Document &document = documents[uri];
  document.uri = uri;
  document.used = ++uses;
  document.version = version;
  document.text = std::move(text);
  document.textHash.reset();
  document.lines = Lines(document.text);
  document.reportedHash = 0;
  document.isStale = true;
  document.isReported = document.isExplored = false;
}

bool Analyst::edit(const std::string &uri, int64_t version,
                   const std::vector<ByteEdit> &edits) {
  Document *document = find(uri);
  if (!document)
    return false;
  document->version = version;
  document->textHash.reset();
  document->isStale = true;
  document->isReported = document->isExplored = false;
  for (const auto &[begin, end, text] : edits) {
    if (begin > end || end > document->text.size())
      return false;
    document->text.replace(begin, end - begin, text);
    document->lines.replace(document->text, begin, end, text.size());
  }
  return true;
}

void Analyst::close(const std::string &uri) {
  Document *document = find(uri);
  if (!document)
    return;
  shelve(*document, [](uint64_t) { return true; });
  shelvePaths(*document, [](uint64_t) { return true; });
  documents.erase(uri);
}

/// Whether reports about paths hold under the other options as well.
static bool haveSamePaths(const ServerOptions &one,
                          const ServerOptions &other) {
  auto limits = [](const ServerOptions &options) {
    return std::tuple(options.seed(), options.findings.bound,
                      options.findings.steps, options.findings.seconds,
                      options.timeLimit);
  };
  return limits(one) == limits(other);
}

void Analyst::setOptions(const ServerOptions &fresh) {
  bool keepsPaths = haveSamePaths(options, fresh);
  options = fresh;
  kept.clear();
  if (!keepsPaths)
    dropShelvedPaths();
  for (auto &[uri, document] : documents) {
    // Traces stay: a unit's key holds the options that it was analysed under.
    if (!keepsPaths)
      document.paths.clear();
    document.told.clear();
    document.dropped.clear();
    document.reportedHash = 0;
    document.isStale = true;
    document.isReported = document.isExplored = false;
  }
}

const execute::Record *Analyst::runOf(const Document &document,
                                      std::string &why) {
  namedRun.look(options.runRecord);
  return namedRun.of(document, options, why);
}

Document *Analyst::find(const std::string &uri, bool uses) {
  auto at = documents.find(uri);
  if (at == documents.end())
    return nullptr;
  if (uses)
    at->second.used = ++this->uses;
  return &at->second;
}

} // namespace memreflens::lsp
