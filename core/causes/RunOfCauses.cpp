//===- core/causes/RunOfCauses.cpp ----------------------------------------===//

#include "core/causes/RunOfCauses.h"

#include <set>

namespace memreflens {

static bool isCheck(const Finding &finding) {
  return finding.rule == ruleIds::runTimeCheck ||
         finding.rule == ruleIds::deallocHelper;
}

static bool isAt(const execute::Site &site, const Finding &finding) {
  return site.line > 0 && site.line == finding.place.line &&
         site.column == finding.place.column &&
         site.function == finding.function;
}

void addRun(FileReport &report, const execute::KeptRun &run) {
  std::set<const execute::Site *> told;
  for (Finding &finding : report.findings) {
    if (!isCheck(finding) || finding.cause < 0 || finding.chunk != run.chunk)
      continue;
    CauseRun here;
    for (const execute::Site &site : run.record.sites) {
      const execute::SiteCounts &counts = site.counts;
      const bool isComparison = site.kind == execute::SiteKind::comparison;
      const uint64_t compared = isComparison ? counts.ran
                                : site.kind == execute::SiteKind::call
                                    ? counts.compares
                                    : 0;
      if (compared == 0 || !isAt(site, finding) || !told.insert(&site).second)
        continue;
      here.compared += compared;
      here.same += isComparison ? counts.yes : counts.equal;
    }
    if (here.compared == 0)
      continue;
    finding.related.push_back({finding.place, here.words()});
    auto &found = report.causes[size_t(finding.cause)].run;
    if (!found)
      found.emplace();
    found->compared += here.compared;
    found->same += here.same;
  }
}

} // namespace memreflens
