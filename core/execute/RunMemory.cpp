//===- core/execute/RunMemory.cpp - a run, beside what is predicted -------===//

#include "core/execute/Record.h"

namespace memreflens::execute {

static std::string until(const Record &record) {
  switch (record.end) {
  case RunEnd::crashed:
    return "it crashes";
  case RunEnd::timedOut:
    return "it was stopped";
  case RunEnd::outOfMemory:
    return "there is no more memory";
  case RunEnd::returned:
  case RunEnd::notRun:
    break;
  }
  return {};
}

memory::MeasuredUse measuredOf(const Record &record) {
  memory::MeasuredUse run;
  run.call = callOf(record);
  run.until = until(record);
  run.peakBytes = uint64_t(record.totals.peakBytes);
  if (record.peakSite >= 0)
    run.peakAt = record.sites[size_t(record.peakSite)].title();
  run.steps = record.totals.allocations + record.totals.deallocations;
  run.stepsAPoint = record.totals.stepsAPoint;
  for (const LivePoint &point : record.curve) {
    memory::MeasuredUse::Point made;
    made.step = point.step;
    made.bytes = uint64_t(point.bytes);
    if (point.site < record.sites.size()) {
      const Site &site = record.sites[point.site];
      made.at = site.title();
      if (site.kind == SiteKind::allocation && site.function == record.entry)
        made.op = site.op;
    }
    run.points.push_back(std::move(made));
  }
  return run;
}

} // namespace memreflens::execute
