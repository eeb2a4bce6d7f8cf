//===- core/trace/Assumed.h - what a run takes for true -------------------===//
//
// Facts that no program says, stated with --assume.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_TRACE_ASSUMED_H
#define MEMREFLENS_TRACE_ASSUMED_H

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace memreflens::trace {

/// Whether a function of this name (without `@`) is one of `patterns`, in which
/// `*` stands for any letters.
bool isNamed(const std::vector<std::string> &patterns,
             std::string_view function);

/// Of an external function, beside what RunOptions has a list of its own for.
enum class StatementKind : uint8_t {
  keepsResults,    ///< it keeps what it returns, and deallocates it itself
  returnsArgument, ///< its memref result is an argument
  keepsArgument,   ///< it keeps a pointer to an argument
  releasesArgument ///< it deallocates an argument
};

struct Statement {
  StatementKind kind = StatementKind::keepsResults;
  /// `*` stands for any letters.
  std::string function;
  /// -1 where it is about results.
  int argument = -1;
};

/// "keeps-results=@pool", "releases-argument=@done:0"; nothing for other text.
std::optional<Statement> statementIn(std::string_view text);

} // namespace memreflens::trace

#endif // MEMREFLENS_TRACE_ASSUMED_H
