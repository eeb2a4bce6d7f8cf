//===- core/trials/CopyRun.h - copies, measured in processes --------------===//
//
// A pass may die on a copy, or never end. Copies that are begun before anybody
// knows what they are for go as far as they can, and wait there.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_TRIALS_COPYRUN_H
#define MEMREFLENS_TRIALS_COPYRUN_H

#include "core/files/UnnamedFile.h"
#include "core/process/Child.h"
#include "core/process/Gate.h"
#include "core/trials/Copy.h"

#include <chrono>
#include <optional>

namespace memreflens {

class CopyRun {
public:
  /// Of what is known already, which must outlive it.
  CopyRun(const CopySource &source, CopyPlan plan, Known known);
  /// Goes on to `release` where its stages have run.
  CopyRun(const CopySource &source, CopyPlan plan);
  ~CopyRun();
  CopyRun(const CopyRun &) = delete;
  CopyRun &operator=(const CopyRun &) = delete;

  const CopyPlan &getPlan() const { return plan; }
  const Child &process() const { return child; }
  /// Lets one go on that waits, or will; false if it is over.
  bool release(const Known &known);
  /// Whether it came as far as it can, or died.
  bool isWaiting();
  /// Whether it is over: one that takes too long, since it began or was
  /// released, is ended.
  bool hasEnded();
  /// Of one that has ended: a process that somebody else killed, which may be
  /// begun once more.
  bool wasKilled() const { return end && end->signal != 0 && !tookTooLong; }
  /// Of one that has ended, for each of its remedies; nothing for one that has
  /// to be tried by itself.
  std::vector<std::optional<Measures>> measures() const;

private:
  void start(const std::function<Known()> &known);
  bool isOver();

  const CopySource source;
  const CopyPlan plan;
  std::vector<UnnamedFile> files;
  Child child;
  std::optional<ChildEnd> end;
  std::chrono::steady_clock::time_point begun;
  bool tookTooLong = false;
  /// Of one that waits.
  struct Wait {
    /// What it learns, as bytes; `learned` lets it read them.
    UnnamedFile report, before;
    Gate learned;
    /// Open once it waits.
    Gate begun;
  };
  std::optional<Wait> wait;
};

} // namespace memreflens

#endif // MEMREFLENS_TRIALS_COPYRUN_H
