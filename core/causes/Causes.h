//===- core/causes/Causes.h - what is behind a report's findings ----------===//
//
// One fact of the program behind many findings: each clone, run-time alias
// check, dealloc_helper call, conditional dealloc, late dealloc, rejection and
// fault has one leading cause, found by following the recorded evidence.
//
//   addCauses(report, lookup);
//   report.causes[0].sentence   // "@step returns 6 of its arguments"
//   report.causes[0].costs.clones   // 6
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_CAUSES_CAUSES_H
#define MEMREFLENS_CAUSES_CAUSES_H

#include "core/check/Finding.h"
#include "core/query/Lookup.h"

namespace memreflens {

/// Adds the causes of what `collectFindings` found in the same trace, and gives
/// each finding its own.
void addCauses(FileReport &report, const Lookup &lookup);

} // namespace memreflens

#endif // MEMREFLENS_CAUSES_CAUSES_H
