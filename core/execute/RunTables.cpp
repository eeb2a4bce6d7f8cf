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

/// Each sentence once.
static void addNote(std::string note, std::vector<std::string> &notes) {
  if (!note.empty() && std::ranges::find(notes, note) == notes.end())
    notes.push_back(std::move(note));
}

std::map<uint32_t, std::vector<std::string>>
notesByLine(const Record &record, const std::string *function,
            std::string (*of)(const Record &, const Site &)) {
  std::map<uint32_t, std::vector<std::string>> notes;
  for (const Site &site : record.sites) {
    if ((function && site.function != *function) || site.line == 0 ||
        site.counts.ran == 0)
      continue;
    if (std::string note = of(record, site); !note.empty())
      addNote(std::move(note), notes[site.line]);
  }
  return notes;
}

std::vector<std::string> notesAt(const Record &record, uint32_t line,
                                 uint32_t column) {
  std::vector<std::string> notes;
  for (const Site &site : record.sites)
    if (site.line == line && site.column == column && site.counts.ran > 0)
      addNote(noteOf(record, site), notes);
  return notes;
}

int64_t placeOf(const Fault &fault) {
  return fault.site >= 0 ? fault.site : fault.allocation;
}

} // namespace memreflens::execute
