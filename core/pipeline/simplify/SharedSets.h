//===- core/pipeline/simplify/SharedSets.h --------------------------------===//
//
// Many sets of ids that are much alike.
//
// Sets that grow out of each other, as the buffers that reach the end of each
// of N diamonds in a row do: a set of N ids that has one more than another
// costs the logarithm of N, in time and memory, not N.
//
//   Set some = sets.unite(sets.of(3), sets.of(70));
//   sets.firstCommon(some, sets.of(70))  // 70
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_PIPELINE_SIMPLIFY_SHAREDSETS_H
#define MEMREFLENS_PIPELINE_SIMPLIFY_SHAREDSETS_H

#include "llvm/ADT/STLFunctionalExtras.h"

#include <cstdint>
#include <deque>
#include <optional>

namespace memreflens {

/// Owns all of its sets, which never change.
class SharedSets {
  /// A tree over the bits of the ids, from the highest down (big-endian
  /// Patricia tree). A leaf has 64 neighbours as a bitmap.
  struct Node {
    /// Ids with the bits below `branch` left out.
    uint32_t prefix = 0;
    /// The bit in which the two sides differ; 0 for a leaf.
    uint32_t branch = 0;
    unsigned count = 0;
    uint64_t members = 0;
    const Node *zero = nullptr, *one = nullptr;
  };

public:
  /// Null is the empty set. Equal pointers are equal sets; equal sets may have
  /// different pointers.
  using Set = const Node *;

  Set of(unsigned id);
  /// One of the two where that has all of the other.
  Set unite(Set a, Set b);

  static unsigned size(Set set) { return set ? set->count : 0; }
  /// Lowest member of a set that is not empty.
  static unsigned first(Set set);
  /// Lowest id that both have.
  static std::optional<unsigned> firstCommon(Set a, Set b);
  /// In rising order.
  static void forEach(Set set, llvm::function_ref<void(unsigned)> visit);

private:
  Set leaf(uint32_t prefix, uint64_t members);
  Set join(Set a, Set b);
  Set withSides(Set like, Set zero, Set one);

  std::deque<Node> nodes;
};

} // namespace memreflens

#endif // MEMREFLENS_PIPELINE_SIMPLIFY_SHAREDSETS_H
