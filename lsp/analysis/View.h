//===- lsp/analysis/View.h - a trace in the client's positions ------------===//
//
// What a feature gets: the trace of the function in question, and the way from
// its byte ranges to ranges of the client and back.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_LSP_ANALYSIS_VIEW_H
#define MEMREFLENS_LSP_ANALYSIS_VIEW_H

#include "lsp/analysis/Answers.h"
#include "lsp/analysis/Batch.h"
#include "lsp/analysis/Options.h"

namespace memreflens::lsp {

struct Analyst;
struct Document;

struct View {
  const std::string &uri;
  const Batch &batch;
  const ServerOptions &options;
  /// Unit of which the view is, in the trace's text.
  trace::Range range;

  const Lookup &lookup() const { return batch.getLookup(); }
  const trace::Trace &trace() const { return batch.getTrace(); }

  Position position(uint32_t offset) const {
    return batch.getLines().positionOf(batch.text(), offset, options.encoding);
  }
  TextRange toRange(trace::Range range) const;
  Location toLocation(trace::Range range) const {
    return {uri, toRange(range)};
  }
  uint32_t offsetOf(Position position) const;
  /// Functions of the unit that the stages worked on or rejected.
  std::vector<trace::Id> functions() const;
};

/// The unit's view; nothing if it has no trace.
std::optional<View> viewOf(Analyst &analyst, Document &document,
                           const Unit &unit);

} // namespace memreflens::lsp

#endif // MEMREFLENS_LSP_ANALYSIS_VIEW_H
