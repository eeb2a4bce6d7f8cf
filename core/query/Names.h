//===- core/query/Names.h -------------------------------------------------===//
//
// Elements as sentences name them, and where they are: `%a`, `^bb1`, `12:5`.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_QUERY_NAMES_H
#define MEMREFLENS_QUERY_NAMES_H

#include "core/query/Elements.h"

#include <string>

namespace memreflens {

class Names : public Elements {
public:
  /// Whether names are told with their places. Without them words are equal
  /// where only lines moved.
  enum class Places : bool { told, notTold };

  Names(const trace::Trace &trace, Places places);

  std::string name(trace::Id value) const;
  std::string blockName(trace::Id block) const;
  /// The user's block where the end of a block that the pass saw is.
  std::string endName(trace::Id block) const;
  /// The terminator of the user's block, or the brace that stands for it.
  trace::Range rangeOfBlockEnd(trace::Id block) const;
  /// The same of the block that `endName` names.
  trace::Range rangeOfEnd(trace::Id block) const;
  std::string opName(trace::Id op) const;
  /// "scf.for (3:8)".
  std::string opAt(trace::Id op) const {
    return opName(op) + at(rangeOfOp(op));
  }
  /// "12:5"; empty where the range is.
  std::string position(trace::Range range) const;
  /// " (12:5)" or nothing, to put behind a name.
  std::string at(trace::Range range) const;
  /// Where an op, or the user's op that a generated one was made for, is.
  trace::Range rangeOfOp(trace::Id op) const;
  /// The value's own place, or that of the one that it stands for.
  trace::Range rangeOfValue(trace::Id value) const;

private:
  const Places places;
};

} // namespace memreflens

#endif // MEMREFLENS_QUERY_NAMES_H
