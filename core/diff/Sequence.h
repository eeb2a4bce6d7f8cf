//===- core/diff/Sequence.h - two lists, paired in order ------------------===//
//
// The pairing of two lists that keeps their order and has the highest sum of
// scores, as a text comparison pairs lines.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_DIFF_SEQUENCE_H
#define MEMREFLENS_DIFF_SEQUENCE_H

#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

namespace memreflens::diff {

using Pairs = std::vector<std::pair<size_t, size_t>>;

/// Positions in `before` and `after`, lists of keys; equal keys are the same
/// thing and need no score. A score of 0 is no pair. Of lists that are too long
/// to try all pairs, keys that stand once in each are paired first, and what is
/// left between them only where it is short enough.
Pairs pairInOrder(const std::vector<uint64_t> &before,
                  const std::vector<uint64_t> &after,
                  const std::function<uint32_t(size_t, size_t)> &score);

} // namespace memreflens::diff

#endif // MEMREFLENS_DIFF_SEQUENCE_H
