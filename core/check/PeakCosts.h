//===- core/check/PeakCosts.h - what a function's peak is made of ---------===//

#ifndef MEMREFLENS_CHECK_PEAKCOSTS_H
#define MEMREFLENS_CHECK_PEAKCOSTS_H

#include "core/check/Finding.h"
#include "core/query/Lifetimes.h"

namespace memreflens {

PeakCosts peakCostsOf(const Lookup &lookup, const Lifetimes &lifetimes);

/// "%wide, 1 MiB: idle since linalg.matmul (64:3); the pass deallocates at the
/// end of a block".
std::string textOf(const PeakPart &part);

/// How a peak came from one to the other, by cause, and which buffers grew: a
/// line each, "in use: 1 MiB -> 2 MiB".
std::vector<std::string> peakChangeLines(const PeakCosts &before,
                                         const PeakCosts &after);

/// Both, drawn by Mermaid, for Markdown; empty where there is nothing to draw.
std::string peakChart(const std::string &function, const PeakCosts &before,
                      const PeakCosts &after);

} // namespace memreflens

#endif // MEMREFLENS_CHECK_PEAKCOSTS_H
