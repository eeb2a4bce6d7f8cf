//===- lsp/analysis/View.h - a trace in the client's positions ------------===//
//
// What a feature gets: the trace of the function in question, and the way from
// its byte ranges to ranges of the client and back.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_LSP_ANALYSIS_VIEW_H
#define MEMREFLENS_LSP_ANALYSIS_VIEW_H

#include "lsp/analysis/Batch.h"
#include "lsp/analysis/Options.h"

namespace memreflens::lsp {

struct View {
  const std::string &uri;
  const Batch &batch;
  const ServerOptions &options;
  /// Unit of which the view is, in the trace's text.
  trace::Range range;

  const Lookup &lookup() const { return batch.getLookup(); }
  const trace::Trace &trace() const { return batch.getTrace(); }

  Json position(uint32_t offset) const;
  Json toRange(trace::Range range) const;
  Json toLocation(trace::Range range) const;
  uint32_t offsetOf(Position position) const;
  /// Functions of the unit that the stages worked on or rejected.
  std::vector<trace::Id> functions() const;
};

/// `{line, character}` of a message; zeros for what is none.
Position toPosition(const Json &json);

} // namespace memreflens::lsp

#endif // MEMREFLENS_LSP_ANALYSIS_VIEW_H
