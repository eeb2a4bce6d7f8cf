//===- lsp/analysis/RemedyTests.h - what check gains by which remedy ------===//
//
// A remedy is tested on a copy of the whole program, which `memref-lens check`
// does: the very list that a user of the command line sees is told in the
// editor. It runs over the file as it is saved, in a process of its own, once
// the document's paths were tried and nobody asks for anything. For the thread
// of the server's loop alone.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_LSP_ANALYSIS_REMEDYTESTS_H
#define MEMREFLENS_LSP_ANALYSIS_REMEDYTESTS_H

#include "core/files/UnnamedFile.h"
#include "core/process/Child.h"
#include "lsp/analysis/DocumentStore.h"

#include <chrono>
#include <tuple>

namespace memreflens::lsp {

/// What came of the remedies of one text.
struct TestedRemedies {
  /// `fingerprint` of the text.
  uint64_t hash = 0;
  /// Why none was tested; empty if they were.
  std::string problem;
  /// What `check --format=json` wrote; empty with a problem.
  std::string report;

  /// A function with all that it calls, a line in it, a column from 1, a rule.
  using Key = std::tuple<uint64_t, uint32_t, uint32_t, std::string>;
  static Key keyOf(uint64_t path, const Unit &unit, const Finding &finding);
  /// Lines "→ remedy: gain" for the finding's diagnostic, in check's order.
  /// None for a finding that check does not have.
  std::map<Key, std::vector<std::string>> lines;
};

/// How the line begins where no remedy of a finding helps.
inline constexpr std::string_view noneHelps = "→ none found";

class RemedyTests {
public:
  RemedyTests(const AnalystState &state, DocumentStore &documents)
      : state(state), documents(documents) {}
  ~RemedyTests() { stop(); }
  RemedyTests(const RemedyTests &) = delete;
  RemedyTests &operator=(const RemedyTests &) = delete;

  bool isRunning() const { return child.hasStarted(); }
  /// Begins to test a document's remedies where one waits for it and none is
  /// tested; gives the document whose test has just ended, or else null.
  Document *step();
  /// The document is at what its file holds now, maybe.
  void onSave(const std::string &uri);
  /// What was tested, or is, is not what the options ask for now.
  void forget();
  /// "tested", "waits", "runs", "failed", "unsaved" for a text that its file
  /// does not have, "nothing" for one without findings, or "off".
  std::string_view stateOf(const Document &document) const;

private:
  bool waits(const Document &document) const;
  void begin(Document &document);
  void stop();
  std::shared_ptr<TestedRemedies> taken();
  void readReport(Document &document, TestedRemedies &tested);

  const AnalystState &state;
  DocumentStore &documents;
  Child child;
  UnnamedFile output = UnnamedFile::none();
  std::string uri;
  uint64_t hash = 0;
  std::chrono::steady_clock::time_point begun;
};

} // namespace memreflens::lsp

#endif // MEMREFLENS_LSP_ANALYSIS_REMEDYTESTS_H
