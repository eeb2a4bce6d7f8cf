//===- core/trials/CopyRun.cpp --------------------------------------------===//

#include "core/trials/CopyRun.h"
#include "core/check/HandOver.h"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <utility>

namespace memreflens {

using Clock = std::chrono::steady_clock;

/// Longest that one copy may take; only a pass that hangs comes so far.
static constexpr double trialSeconds = 60;

static void writeTo(const UnnamedFile &file, const std::string &bytes) {
  std::fwrite(bytes.data(), 1, bytes.size(), file.getStream());
  std::fflush(file.getStream());
}

//===--- Begin ------------------------------------------------------------===//

CopyRun::CopyRun(const CopySource &source, CopyPlan plan, Known known)
    : source(source), plan(std::move(plan)) {
  start([known] { return known; });
}

namespace {
/// For a process that was released.
struct Learned {
  FileReport report;
  Measures before;
};
} // namespace

/// Nothing where the bytes are not whole.
static std::optional<Learned> readLearned(const UnnamedFile &report,
                                          const UnnamedFile &before) {
  std::optional<FileReport> found = reportFromBytes(report.read());
  std::optional<Measures> counted = measuresFromJson(before.read());
  if (!found || !counted)
    return std::nullopt;
  return Learned{std::move(*found), std::move(*counted)};
}

CopyRun::CopyRun(const CopySource &source, CopyPlan plan)
    : source(source), plan(std::move(plan)), wait(std::in_place) {
  if (!wait->report.isOpen() || !wait->before.isOpen() ||
      !wait->learned.isMade() || !wait->begun.isMade())
    return;
  start([this, known = std::optional<Learned>()]() mutable {
    if (!known) {
      wait->begun.let();
      if (wait->learned.pass())
        known = readLearned(wait->report, wait->before);
    }
    // Nobody is left who would read what comes of it.
    if (!known)
      std::raise(SIGKILL);
    return Known{known->report, known->before};
  });
}

void CopyRun::start(const std::function<Known()> &known) {
  for (size_t i = 0; i < plan.remedies.size(); ++i)
    files.emplace_back();
  begun = Clock::now();
  if (!std::ranges::all_of(files, &UnnamedFile::isOpen))
    return;
  auto take = [this](size_t remedy, const Measures &measures) {
    writeTo(files[remedy], measuresToJson(measures));
  };
  child = Child::run(
      [&] {
        measureCopies(source, plan, known, take);
        return 0;
      },
      ChildOutput::discarded);
}

CopyRun::~CopyRun() {
  if (child.hasStarted() && !end)
    child.kill();
}

//===--- Wait -------------------------------------------------------------===//

bool CopyRun::isOver() {
  if (child.hasStarted() && !end)
    end = child.poll();
  return !child.hasStarted() || end;
}

bool CopyRun::isWaiting() { return isOver() || wait->begun.isOpen(); }

bool CopyRun::release(const Known &known) {
  if (isOver())
    return false;
  begun = Clock::now();
  writeTo(wait->report, asBytes(known.report));
  writeTo(wait->before, measuresToJson(known.before));
  return wait->learned.let(plan.remedies.size());
}

bool CopyRun::hasEnded() {
  const std::chrono::duration<double> taken = Clock::now() - begun;
  if (!isOver() && taken.count() > trialSeconds) {
    tookTooLong = true;
    end = child.kill();
  }
  return isOver();
}

//===--- End --------------------------------------------------------------===//

static Measures noMeasures(std::string problem) {
  Measures none;
  none.problem = std::move(problem);
  return none;
}

std::vector<std::optional<Measures>> CopyRun::measures() const {
  std::vector<std::optional<Measures>> found(plan.remedies.size());
  // No pass does this to its own process.
  const bool isKilled = end && end->signal == SIGKILL;
  for (size_t i = 0; i < found.size(); ++i)
    if (child.hasStarted() && !tookTooLong && !isKilled)
      found[i] = measuresFromJson(files[i].read());
  if (!found.front() && found.size() == 1)
    found.front() =
        noMeasures(!child.hasStarted() ? "no process could be started"
                   : tookTooLong       ? "it takes longer than a minute"
                   : isKilled          ? "its process was killed"
                                       : "the pipeline dies on it");
  return found;
}

} // namespace memreflens
