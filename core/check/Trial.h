//===- core/check/Trial.h - remedies, tried -------------------------------===//
//
// Which remedies may help against the findings of a file, and whether they did
// when they were applied to a copy of the program.
//
//   tried: lift-cf-to-scf before the pipeline: @f is accepted, 1 clone
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_CHECK_TRIAL_H
#define MEMREFLENS_CHECK_TRIAL_H

#include "core/check/Finding.h"
#include "core/check/Measure.h"
#include "core/check/Remedies.h"

#include <set>

namespace memreflens {

/// What is known of it, for one program.
struct Remedy : KnownRemedy {
  RemedyId id = RemedyId::none;
  /// Of an edit.
  std::set<Measures::Key> functions = {};
  bool dynamicOwnership = false;
  /// `RunOptions::freshResults`, facts to be stated, function by function.
  std::vector<std::string> freshResults = {};
  /// External functions of which it is stated that they keep no pointer to what
  /// they are passed: each buffer is deallocated after its last use, then.
  std::vector<std::string> noCapture = {};
};

/// What is worth a try, most likely to help first. `bufferization` are the
/// passes that run in front of the pipeline, where one-shot-bufferize is one.
std::vector<Remedy> remediesToTry(const FileReport &report,
                                  const Measures &before, bool dynamicOwnership,
                                  const std::string &bufferization = {});

/// The same for a program of which no more is known than the calls in it, and
/// whether it is to be bufferized and puts tensors into others: what it will
/// most likely come to.
std::vector<Remedy> likelyRemedies(const Measures &calls, bool dynamicOwnership,
                                   bool putsTensorsBack);

/// How a user does what was tried.
struct TrialSteps {
  /// As mlir-opt takes it.
  std::string pipeline;
  std::vector<std::string> commands;
  /// As calls of a pass manager, a line each; empty after an edit that no pass
  /// makes.
  std::vector<std::string> code;
  /// Lines of declarations that go and come: "-func.func private @k(...)".
  std::vector<std::string> edit;
};

/// Adds to each finding that the remedy is for what came of it.
void addOutcome(FileReport &report, const Remedy &remedy,
                const TrialSteps &steps, const Measures &before,
                const Measures &after);

/// Whether it helps against one of them.
bool helpsAny(const FileReport &report, const Remedy &remedy,
              const Measures &before, const Measures &after);

/// Puts what helps in front, in each finding; says of advice that was tried in
/// vain that it was.
void finishTrials(FileReport &report);

} // namespace memreflens

#endif // MEMREFLENS_CHECK_TRIAL_H
