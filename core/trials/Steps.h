//===- core/trials/Steps.h - a remedy, for who wants to do the same -------===//
//
//   mlir-opt --pass-pipeline='builtin.module(lift-cf-to-scf,...)' a.mlir
//   memref-lens check --pre=lift-cf-to-scf a.mlir
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_TRIALS_STEPS_H
#define MEMREFLENS_TRIALS_STEPS_H

#include "core/check/Measure.h"
#include "core/check/Trial.h"
#include "core/trace/Model.h"

namespace memreflens {

/// How the user of a run does what was done to a copy of its source.
TrialSteps stepsOf(const trace::RunOptions &run, const Remedy &remedy,
                   const trace::Source &source, const Measures &before);

} // namespace memreflens

#endif // MEMREFLENS_TRIALS_STEPS_H
