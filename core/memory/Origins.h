//===- core/memory/Origins.h - where the bytes of a peak come from --------===//
//
// What is alive at a peak, summed by what made it.
//
//   originsOf(lookup, use, OriginBy::op)[0]
//   // 24.6 GiB in 225 buffers that linalg.transpose fills from arguments
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_MEMORY_ORIGINS_H
#define MEMREFLENS_MEMORY_ORIGINS_H

#include "core/memory/Memory.h"

#include <string>
#include <string_view>
#include <vector>

namespace memreflens::memory {

/// Of what is alive at the peak, the most bytes first; what only a path tells
/// is not among them.
std::vector<Origin> originsOf(const Lookup &lookup, const MemoryUse &use,
                              OriginBy by);
/// What each buffer of the function is filled by, in `MemoryUse::fills`.
void addFills(const Lookup &lookup, MemoryUse &use);
/// The origin of more than a quarter of the peak, by op and of several buffers:
/// "24.6 GiB of it in 225 buffers that linalg.transpose fills from arguments".
/// Empty where there is none.
std::string leadingOrigin(const Lookup &lookup, const MemoryUse &use);

} // namespace memreflens::memory

#endif // MEMREFLENS_MEMORY_ORIGINS_H
