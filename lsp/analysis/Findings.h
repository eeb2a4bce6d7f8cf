//===- lsp/analysis/Findings.h - what check finds, in a document ----------===//
//
// The findings of `memref-lens check` for the functions of an open document,
// each once, at its place of now. Those of paths are there once the paths were
// tried.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_LSP_ANALYSIS_FINDINGS_H
#define MEMREFLENS_LSP_ANALYSIS_FINDINGS_H

#include "core/text/LineIndex.h"
#include "lsp/analysis/Analyst.h"

namespace memreflens::lsp {

/// Those of rules that are off are left out.
std::vector<PathFinding> findingsOf(Analyst &analyst, Document &document,
                                    const Unit &unit);

/// LSP's number.
int severityOf(trace::Severity severity);
/// The same, or what is set for the rule; 0 where the options turn the rule
/// off.
int severityOf(const Finding &finding, const ServerOptions &options);

/// A place of `check` (lines and bytes from 1) as a range of the client's.
class PlaceMap {
public:
  PlaceMap(const Document &document, Encoding encoding);
  /// Never empty: a place without length is the word there, and one of several
  /// lines is the rest of its first.
  TextRange toRange(const Place &place) const;

private:
  trace::Range bytesOf(const Place &place) const;

  const Document &document;
  Encoding encoding;
  /// As `check` counts them: a lone CR ends no line.
  LineIndex lines;
};

} // namespace memreflens::lsp

#endif // MEMREFLENS_LSP_ANALYSIS_FINDINGS_H
