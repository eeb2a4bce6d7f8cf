//===- core/execute/RunCounts.cpp - a run, for a picture ------------------===//

#include "core/execute/RunTables.h"

namespace memreflens::execute {

/// "40x, 64 B each, deallocated 39x".
static std::string wordsBehind(const Site &site) {
  if (site.kind == SiteKind::other || site.counts.ran == 0)
    return {};
  const std::string ran = std::to_string(site.counts.ran) + "x";
  const std::string words = site.isForHelper ? std::string() : wordsOf(site);
  return words.empty() ? ran : ran + ", " + words;
}

RunCounts countsOf(const Record &record, const std::string &function) {
  RunCounts counts;
  counts.verdict = verdictOf(record);
  counts.isWhole = record.end == RunEnd::returned;
  for (const Site &site : record.sites) {
    if (site.kind == SiteKind::block && !counts.blocks)
      counts.blocks.emplace();
    if (site.function != function || site.stageLine == 0)
      continue;
    if (site.kind == SiteKind::block) {
      (*counts.blocks)[site.stageLine] = site.counts.ran;
      continue;
    }
    OpCounts &op = counts.ops[site.stageLine];
    op.words = wordsBehind(site);
    if (site.kind == SiteKind::condition)
      op.truths = {site.counts.yes, site.counts.ran - site.counts.yes};
  }
  for (const Fault &fault : record.faults) {
    const int64_t at = placeOf(fault);
    if (at < 0 || record.sites[size_t(at)].function != function)
      continue;
    const Site &site = record.sites[size_t(at)];
    counts.ops[site.stageLine].faults.push_back(
        {std::string(nameOf(fault.kind)), textOf(record, fault)});
  }
  return counts;
}

} // namespace memreflens::execute
