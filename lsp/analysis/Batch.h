//===- lsp/analysis/Batch.h -----------------------------------------------===//
//
// The trace of a few functions, where they are now.
//
// The trace of one run over a few functions. When lines come or go above them,
// the trace is moved, not made again: every sentence that is asked for later
// names the lines as they are. Documents with equal functions share it; who
// asks moves it to its lines first.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_LSP_ANALYSIS_BATCH_H
#define MEMREFLENS_LSP_ANALYSIS_BATCH_H

#include "core/check/Collect.h"
#include "core/query/Lookup.h"
#include "lsp/analysis/Units.h"
#include "lsp/documents/Text.h"

#include <memory>
#include <optional>

namespace memreflens::lsp {

class Batch {
public:
  struct Place {
    uint64_t key = 0;
    size_t line = 0;
    /// Where the unit stands in the trace's text.
    trace::Range range;
    /// It was not among the lines of the last move; `line` means nothing.
    bool isAway = false;
  };

  Batch(trace::Trace trace, std::vector<Place> places, CheckInputs inputs = {});
  ~Batch();

  /// Of one that is awake, as all that follows but the report.
  const trace::Trace &getTrace() const { return trace; }
  const Lookup &getLookup() const { return *lookup; }
  const Lines &getLines() const { return lines; }
  std::string_view text() const { return trace.source.text; }

  const Place *find(uint64_t key) const;
  bool isChunkParsed() const;
  /// What `check` finds without trying paths, at the lines of now; wakes the
  /// batch where that is not known.
  const FileReport &findings();
  bool hasFindings() const { return report.has_value(); }
  /// Puts each unit at the line given; those not given stand below them, for
  /// they may come back.
  void move(const std::map<uint64_t, size_t> &lines);
  /// None of its units stands anywhere for now: without the lines above them it
  /// takes less.
  void putAway();
  /// Keeps its records packed, in a small part of the memory.
  void sleep();
  void wake();
  bool isAsleep() const { return asleep != nullptr; }
  /// The document that it was made for.
  const std::string &uri() const { return trace.source.path; }
  size_t unitCount() const { return places.size(); }
  /// Bytes that it takes, estimated.
  size_t weight() const;
  /// What of it is in the tally, and when it was used last; for the cache.
  size_t held = 0;
  uint64_t used = 0;

private:
  void place(const std::map<uint64_t, size_t> &wanted);

  trace::Trace trace;
  std::vector<Place> places;
  CheckInputs inputs;
  Lines lines;
  std::optional<Lookup> lookup;
  /// Until the lines change, which its sentences name.
  std::optional<FileReport> report;
  /// Null while it is awake.
  struct Packed;
  std::unique_ptr<Packed> asleep;
};

/// Moves every range: those in `pieces[i].first` to where `pieces[i].second`
/// begins; all others become empty.
void moveRanges(trace::Trace &trace,
                const std::vector<std::pair<trace::Range, uint32_t>> &pieces);

} // namespace memreflens::lsp

#endif // MEMREFLENS_LSP_ANALYSIS_BATCH_H
