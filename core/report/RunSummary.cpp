//===- core/report/RunSummary.cpp -----------------------------------------===//

#include "core/report/RunSummary.h"

#include "core/execute/RunTables.h"
#include "core/explain/Words.h"
#include "core/report/Markdown.h"

namespace memreflens::report {

using execute::Site;

/// Of a table, so that the section can be read at a glance.
static constexpr size_t mostRows = 20;

static std::string code(const std::string &text) {
  return "<code>" + markdownEscaped(text) + "</code>";
}

static std::string rowsOf(const execute::Record &record,
                          const execute::SiteTable &table,
                          const std::string *function) {
  std::string out;
  size_t rows = 0;
  for (size_t i : table.sites) {
    const Site &site = record.sites[i];
    if (!isOwn(site) || (function && site.function != *function))
      continue;
    if (++rows > mostRows)
      continue;
    out += "| " + (rows == 1 ? std::string(table.title) : std::string()) +
           " | " + code("@" + site.function) + " | " + code(site.title()) +
           " | " + std::to_string(site.counts.ran) + " | " +
           markdownEscaped(wordsOf(site)) + " |\n";
  }
  if (rows > mostRows)
    out += "| | | and " + counted(rows - mostRows, "other") + " | | |\n";
  return out;
}

std::string runSummary(const trace::Trace &trace, const execute::KeptRun &run,
                       trace::Id function) {
  const execute::Record &record = run.record;
  std::string out =
      "\n### One run\n\n" + markdownEscaped(verdictOf(record)) + ".\n\n";
  for (const execute::Fault &fault : record.faults)
    out += "- **" + markdownEscaped(textOf(record, fault)) + "**\n";
  for (const std::string &remark : remarksOf(record))
    out += "- " + markdownEscaped(remark) + "\n";
  const bool isOfAll = function == trace::none;
  if (!isOfAll && !run.has(trace.functions[size_t(function)]))
    return out;
  std::string rows;
  for (const execute::SiteTable &table : tablesOf(record))
    rows += rowsOf(record, table,
                   isOfAll ? nullptr : &trace.functions[size_t(function)].name);
  if (!rows.empty())
    out += "\n| | function | op | times | |\n|---|---|---|--:|---|\n" + rows;
  return out;
}

} // namespace memreflens::report
