//===- core/memory/ExactArena.h - the smallest arena ----------------------===//

#ifndef MEMREFLENS_MEMORY_EXACTARENA_H
#define MEMREFLENS_MEMORY_EXACTARENA_H

#include "core/memory/Arena.h"

#include <optional>

namespace memreflens::memory {

/// No arena of these spans is smaller. `known` is one that holds them, `least`
/// what none can do without. Nothing where the search is given up after
/// `mostExactSteps`.
std::optional<ArenaPlan> exactArena(const std::vector<Span> &spans,
                                    const ArenaPlan &known, uint64_t least);

} // namespace memreflens::memory

#endif // MEMREFLENS_MEMORY_EXACTARENA_H
