//===- viewer/state/Facts.h - what was recorded about a function, as rows -===//
//
// Deallocs with their lists, liveness, signatures, alias questions, findings:
// each a table of words taken from the trace and core/explain.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_VIEWER_STATE_FACTS_H
#define MEMREFLENS_VIEWER_STATE_FACTS_H

#include "viewer/state/State.h"

namespace memreflens::viewer {

enum class FactKind : uint8_t {
  deallocs,
  liveness,
  signatures,
  aliases,
  /// Of one value with every other one.
  pairs,
  findings
};
inline constexpr int factKindCount = 6;
const char *nameOf(FactKind kind);

struct Fact {
  std::vector<std::string> cells;
  /// Where a click leads.
  Id event = none, value = none;
  /// Values that it names, for "about the selected value".
  std::vector<Id> about;
  /// Byte of the source; used where there is no event.
  uint32_t offset = 0;
};

struct FactTable {
  std::vector<const char *> columns;
  std::vector<Fact> rows;
};

/// All that holds up to a decision; findings and pairs: all. `value` is that of
/// the pairs.
FactTable factsOf(const Program &program, Id function, FactKind kind, Id moment,
                  Id value = none);

/// Whether a row holds every word of the filter.
bool matches(const Fact &fact, std::string_view filter);
/// With tabs between cells, for the clipboard.
std::string tabbed(const FactTable &table, const std::vector<size_t> &rows);

} // namespace memreflens::viewer

#endif // MEMREFLENS_VIEWER_STATE_FACTS_H
