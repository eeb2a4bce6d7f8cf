//===- core/diff/Canonical.h - what a thing is, in words of both traces ---===//
//
// Gives ops, blocks and values of two traces numbers that are equal where the
// things correspond: the user's by their alignment, what passes made by what it
// is made of and stands for.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_DIFF_CANONICAL_H
#define MEMREFLENS_DIFF_CANONICAL_H

#include "core/diff/Align.h"

#include <map>
#include <span>
#include <string_view>
#include <vector>

namespace memreflens::diff {

using Number = uint32_t;
using Numbers = std::vector<Number>;

/// Numbers lists of numbers and words, from 1, in the order in which they come.
class Interner {
public:
  Number of(Numbers list);
  Number of(std::string_view word);

private:
  std::map<Numbers, Number> lists;
  std::map<std::string, Number, std::less<>> words;
  Number last = 0;
};

/// Of one of the two traces. Keeps references.
class Canonical {
public:
  Canonical(const trace::Trace &trace, const Partners &partners, bool isAfter,
            Interner &interner);

  /// 0 for `none`.
  Number value(trace::Id id) { return value(id, 0); }
  Number op(trace::Id id) { return op(id, 0); }
  Number block(trace::Id id) { return block(id, 0); }
  Number ownership(const trace::Ownership &ownership);
  /// In any order: a set is a set.
  Number values(std::span<const trace::Id> ids);
  Number ops(std::span<const trace::Id> ids);
  Number word(std::string_view text) { return interner.of(text); }
  Number list(Numbers numbers) { return interner.of(std::move(numbers)); }

private:
  Number set(Numbers numbers);
  Number value(trace::Id id, unsigned depth);
  Number made(const trace::Value &value, unsigned depth);
  Number op(trace::Id id, unsigned depth);
  Number block(trace::Id id, unsigned depth);
  /// An op without results, by what it uses and where.
  Number use(const trace::Op &op, unsigned depth);
  /// A thing of the user's: one number for both sides if it has a partner.
  Number users(Number what, trace::Id id, std::span<const trace::Id> partners);

  const trace::Trace &trace;
  const Partners &partners;
  const bool isAfter;
  Interner &interner;
  /// The event of a dealloc op, by its id.
  std::map<trace::Id, const trace::Event *> deallocs;
  Numbers knownValues, knownOps, knownBlocks;
};

} // namespace memreflens::diff

#endif // MEMREFLENS_DIFF_CANONICAL_H
