//===- viewer/panels/Comparison.h - two stages of a function, line by line ===//
//
// Worked out once, in a thread of its own: which lines stand side by side, and
// what differs within a line. Views into the trace.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_VIEWER_PANELS_COMPARISON_H
#define MEMREFLENS_VIEWER_PANELS_COMPARISON_H

#include "core/graph/StageText.h"
#include "viewer/state/State.h"

#include <future>

namespace memreflens::viewer {

/// Bytes of a line that the other one has not.
struct Span {
  size_t begin = 0, end = 0;
  bool operator==(const Span &) const = default;
};

struct ComparedRow {
  /// Line numbers from 0; -1 where the other side has more lines.
  int left = -1, right = -1;
  bool isChanged = false;
  Span leftSpan, rightSpan;
};

struct ComparisonKey {
  uint64_t program = 0;
  Id function = none;
  int before = 0, after = 0;
  bool operator==(const ComparisonKey &) const = default;
};

struct Comparison {
  ComparisonKey key;
  bool isLeftThere = false, isRightThere = false;
  /// What the lines are views into.
  std::shared_ptr<graph::StageFunctions> functions;
  std::vector<std::string_view> left, right;
  std::vector<ComparedRow> rows;
  /// First row of each run of changed ones.
  std::vector<size_t> changes;
  size_t removed = 0, added = 0, longest = 0;
  /// Memory and i1s of the function by their names, without `%`.
  std::map<std::string, Id, std::less<>> values;
};

Comparison compare(const Program &program, const ComparisonKey &key);

/// Words of a line of IR.
enum class TokenKind : uint8_t {
  plain,
  value,
  block,
  symbol,
  type,
  number,
  op,
  freeing,
  quoted
};
struct Token {
  TokenKind kind = TokenKind::plain;
  size_t begin = 0, end = 0;
};
std::vector<Token> tokensOf(std::string_view line);

/// Keeps the last comparison that was asked for.
class ComparisonCache {
public:
  /// Null while it is in the making; `wait` makes it at once.
  const Comparison *get(const Program &program, const ComparisonKey &key,
                        bool wait);

private:
  std::shared_ptr<const Program> kept;
  Comparison made;
  std::future<Comparison> pending;
};

} // namespace memreflens::viewer

#endif // MEMREFLENS_VIEWER_PANELS_COMPARISON_H
