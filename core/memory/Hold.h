//===- core/memory/Hold.h - why a buffer is held so long ------------------===//
//
//   holdOf(lookup, lifetime, buffer)   // blockEnd, "the pass deallocates at
//   the
//                                      // end of a block (12:3)"
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_MEMORY_HOLD_H
#define MEMREFLENS_MEMORY_HOLD_H

#include "core/memory/Memory.h"

namespace memreflens::memory {

struct Held {
  Hold hold = Hold::nothing;
  std::string why;
};

/// Of a buffer whose steps are known.
Held holdOf(const Lookup &lookup, const Lifetime &lifetime,
            const Buffer &buffer);

} // namespace memreflens::memory

#endif // MEMREFLENS_MEMORY_HOLD_H
