//===- core/execute/Counts.cpp --------------------------------------------===//

#include "core/execute/Counts.h"

#include <algorithm>
#include <new>
#include <sys/mman.h>

namespace memreflens::execute {

namespace {
struct Layout {
  RunTotals totals;
  FaultCount faults[mostFaults];
  LivePoint points[mostPoints];
  EndCount ends[mostEnds];
  UseCount uses[mostUses];
  LifeCount lives[mostLives];
  SiteCounts sites[1];
};
} // namespace

SharedCounts::SharedCounts(size_t sites) : count(sites) {
  bytes = sizeof(Layout) + sites * sizeof(SiteCounts);
  void *made = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (made == MAP_FAILED)
    return;
  memory = made;
  // Zero bytes are right but for what begins as something else.
  new (&totals()) RunTotals();
  for (FaultCount &fault : faults())
    new (&fault) FaultCount();
}

SharedCounts::~SharedCounts() {
  if (memory)
    munmap(memory, bytes);
}

RunTotals &SharedCounts::totals() const {
  return static_cast<Layout *>(memory)->totals;
}
std::span<SiteCounts> SharedCounts::sites() const {
  return {static_cast<Layout *>(memory)->sites, count};
}
std::span<FaultCount> SharedCounts::faults() const {
  return static_cast<Layout *>(memory)->faults;
}
std::span<LivePoint> SharedCounts::points() const {
  return static_cast<Layout *>(memory)->points;
}
std::span<EndCount> SharedCounts::ends() const {
  return static_cast<Layout *>(memory)->ends;
}

std::span<UseCount> SharedCounts::uses() const {
  return static_cast<Layout *>(memory)->uses;
}
std::span<LifeCount> SharedCounts::lives() const {
  return static_cast<Layout *>(memory)->lives;
}

void SharedCounts::fail(std::string_view message, uint32_t site) const {
  RunTotals &all = totals();
  const size_t size = std::min(message.size(), all.failure.size() - 1);
  std::copy_n(message.begin(), size, all.failure.begin());
  all.failure[size] = 0;
  all.failedSite = site;
}

} // namespace memreflens::execute
