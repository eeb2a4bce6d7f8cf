//===- lsp/analysis/Units.h - a file as functions that stand alone --------===//
//
// Cuts a text at its top-level functions without parsing it, so that an edit
// costs the analysis of one function, and a syntax error one function's
// answers. Where a function cannot be told from what is around it, the unit is
// the chunk.
//
//   #map = ...                    environment of both functions
//   func.func @f(...) { ... }     unit
//   func.func @g(...) { ... }     unit; sees @f as a declaration
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_LSP_ANALYSIS_UNITS_H
#define MEMREFLENS_LSP_ANALYSIS_UNITS_H

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace memreflens::lsp {

/// What the functions of a chunk share.
struct Environment {
  /// A text on one line, and numbers of the aliases that it names.
  struct Entry {
    std::string text;
    std::vector<size_t> aliases;
  };
  /// In text order, so that each follows those that it names.
  std::vector<Entry> aliases;
  /// `module ... {` and `}`; empty without one.
  Entry moduleHead, moduleTail;
  /// By symbol: declaration of a function, text of another op.
  std::map<std::string, Entry> symbols;
};

struct Unit {
  size_t begin = 0, end = 0;
  /// 0-based line of `begin`, which starts a line.
  size_t line = 0;
  int chunk = 0;
  bool isChunk = false;
  /// Function's symbol; empty for a chunk.
  std::string name;
  /// Symbols that its text refers to.
  std::vector<std::string> references;
  /// Aliases that it, or what it refers to, is written with; in order.
  std::vector<size_t> aliases;
  /// Equal for units that must have equal traces but for their lines.
  uint64_t key = 0;
  std::shared_ptr<const Environment> environment;
};

/// The function's name as a trace has it: `x y` for `@"x\20y"`.
std::string bareName(const Unit &unit);
/// The function of that name, or else the first chunk that was not cut; null if
/// there is neither.
const Unit *unitNamed(const std::vector<Unit> &units, const std::string &name);

/// Places in a list of units, by chunk and name.
using UnitsByName = std::map<std::pair<int, std::string>, size_t>;
/// The unit and those of `unitOfName` that it refers to, and these again, in
/// order: their bodies count for what it does when it is executed.
std::vector<size_t> bodiesOf(const std::vector<Unit> &units, size_t unit,
                             const UnitsByName &unitOfName);

struct UnitOptions {
  /// Every chunk is one unit: for options under which functions depend on each
  /// other's bodies.
  bool wholeChunks = false;
  /// Told apart by key, since traces depend on them.
  uint64_t seed = 0;
};

/// In text order; at least one for a text that is not empty.
std::vector<Unit> splitUnits(std::string_view text, const UnitOptions &options);

/// What stands in front of units of one chunk, on their first line.
std::string headOfUnits(const std::vector<const Unit *> &units);

/// A text of these units of one chunk, each at its own lines, and nothing else
/// that has a line but what they refer to.
std::string textOfUnits(std::string_view text,
                        const std::vector<const Unit *> &units);

} // namespace memreflens::lsp

#endif // MEMREFLENS_LSP_ANALYSIS_UNITS_H
