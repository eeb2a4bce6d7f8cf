//===- core/pipeline/simplify/SharedSets.cpp ------------------------------===//

#include "core/pipeline/simplify/SharedSets.h"

#include <bit>

namespace memreflens {

using Set = SharedSets::Set;

static constexpr uint32_t leafBits = 63;

/// The bits of an id above the branching bit.
static uint32_t above(uint32_t id, uint32_t branch) {
  return id & ~(branch | (branch - 1));
}

Set SharedSets::leaf(uint32_t prefix, uint64_t members) {
  return &nodes.emplace_back(
      Node{prefix, 0, unsigned(std::popcount(members)), members});
}

Set SharedSets::of(unsigned id) {
  return leaf(id & ~leafBits, uint64_t(1) << (id & leafBits));
}

/// Two sets without a common stem.
Set SharedSets::join(Set a, Set b) {
  uint32_t branch = std::bit_floor(a->prefix ^ b->prefix);
  Set zero = a->prefix & branch ? b : a, one = a->prefix & branch ? a : b;
  return &nodes.emplace_back(Node{above(a->prefix, branch), branch,
                                  zero->count + one->count, 0, zero, one});
}

Set SharedSets::withSides(Set like, Set zero, Set one) {
  if (zero == like->zero && one == like->one)
    return like;
  return &nodes.emplace_back(
      Node{like->prefix, like->branch, zero->count + one->count, 0, zero, one});
}

Set SharedSets::unite(Set a, Set b) {
  if (!a || !b || a == b)
    return a ? a : b;
  if (a->branch < b->branch)
    std::swap(a, b);
  if (!a->branch) {
    if (a->prefix != b->prefix)
      return join(a, b);
    const uint64_t members = a->members | b->members;
    return members == a->members   ? a
           : members == b->members ? b
                                   : leaf(a->prefix, members);
  }
  if (a->branch == b->branch) {
    if (a->prefix != b->prefix)
      return join(a, b);
    Set zero = unite(a->zero, b->zero), one = unite(a->one, b->one);
    // Whichever of the two has all is shared.
    return zero == b->zero && one == b->one ? b : withSides(a, zero, one);
  }
  if (above(b->prefix, a->branch) != a->prefix)
    return join(a, b);
  return b->prefix & a->branch ? withSides(a, a->zero, unite(a->one, b))
                               : withSides(a, unite(a->zero, b), a->one);
}

unsigned SharedSets::first(Set set) {
  while (set->branch)
    set = set->zero;
  return set->prefix + unsigned(std::countr_zero(set->members));
}

std::optional<unsigned> SharedSets::firstCommon(Set a, Set b) {
  if (!a || !b)
    return std::nullopt;
  if (a == b)
    return first(a);
  if (a->branch < b->branch)
    std::swap(a, b);
  if (!a->branch) {
    const uint64_t common = a->members & b->members;
    if (a->prefix != b->prefix || !common)
      return std::nullopt;
    return a->prefix + unsigned(std::countr_zero(common));
  }
  if (a->branch == b->branch) {
    if (a->prefix != b->prefix)
      return std::nullopt;
    if (std::optional<unsigned> id = firstCommon(a->zero, b->zero))
      return id;
    return firstCommon(a->one, b->one);
  }
  if (above(b->prefix, a->branch) != a->prefix)
    return std::nullopt;
  return firstCommon(b->prefix & a->branch ? a->one : a->zero, b);
}

void SharedSets::forEach(Set set, llvm::function_ref<void(unsigned)> visit) {
  if (!set)
    return;
  if (set->branch) {
    forEach(set->zero, visit);
    return forEach(set->one, visit);
  }
  for (uint64_t rest = set->members; rest; rest &= rest - 1)
    visit(set->prefix + unsigned(std::countr_zero(rest)));
}

} // namespace memreflens
