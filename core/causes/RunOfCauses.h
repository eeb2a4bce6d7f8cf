//===- core/causes/RunOfCauses.h - what the checks of causes found --------===//
//
// Of one run: how often the run-time alias checks that are there because of a
// cause compared two buffers, and found them to be the same.
//
//   addRun(report, run);
//   report.causes[0].run->compared
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_CAUSES_RUNOFCAUSES_H
#define MEMREFLENS_CAUSES_RUNOFCAUSES_H

#include "core/check/Finding.h"
#include "core/execute/KeptRun.h"

namespace memreflens {

/// A check that did not run, or that a stage made one with another, is not
/// told.
void addRun(FileReport &report, const execute::KeptRun &run);

} // namespace memreflens

#endif // MEMREFLENS_CAUSES_RUNOFCAUSES_H
