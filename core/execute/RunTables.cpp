//===- core/execute/RunTables.cpp -----------------------------------------===//

#include "core/execute/RunTables.h"

#include <algorithm>

namespace memreflens::execute {

bool isOwn(const Site &site) {
  return !site.isForHelper && !site.function.starts_with("dealloc_helper");
}

static bool isListed(const Site &site, SiteKind kind) {
  return site.kind == kind && site.counts.ran > 0 &&
         (kind != SiteKind::call || site.counts.compares > 0);
}

std::vector<SiteTable> tablesOf(const Record &record) {
  static constexpr std::pair<SiteKind, std::string_view> titles[] = {
      {SiteKind::allocation, "allocations"},
      {SiteKind::deallocation, "deallocations"},
      {SiteKind::condition, "conditions"},
      {SiteKind::comparison, "run-time alias checks"},
      {SiteKind::call, "dealloc_helper calls"}};
  std::vector<SiteTable> tables;
  for (const auto &[kind, title] : titles) {
    SiteTable table = {title, {}};
    for (size_t i = 0; i < record.sites.size(); ++i)
      if (isListed(record.sites[i], kind))
        table.sites.push_back(i);
    if (!table.sites.empty())
      tables.push_back(std::move(table));
  }
  return tables;
}

std::map<uint32_t, std::vector<std::string>>
notesByLine(const Record &record, const std::string *function,
            std::string (*of)(const Site &)) {
  std::map<uint32_t, std::vector<std::string>> notes;
  for (const Site &site : record.sites) {
    if ((function && site.function != *function) || site.line == 0 ||
        site.counts.ran == 0)
      continue;
    std::string note = of(site);
    if (note.empty())
      continue;
    std::vector<std::string> &there = notes[site.line];
    if (std::ranges::find(there, note) == there.end())
      there.push_back(std::move(note));
  }
  return notes;
}

int64_t placeOf(const Fault &fault) {
  return fault.site >= 0 ? fault.site : fault.allocation;
}

} // namespace memreflens::execute
