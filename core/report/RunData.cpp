//===- core/report/RunData.cpp --------------------------------------------===//

#include "core/report/RunData.h"

#include "core/execute/RunTables.h"
#include "core/graph/Draw.h"
#include "core/graph/StagePicture.h"
#include "core/report/HtmlColors.h"

#include <nlohmann/json.hpp>

namespace memreflens::report {

using Json = nlohmann::ordered_json;
using execute::Site;
using trace::Id;
using trace::none;

static std::string dumped(const Json &json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

static Id functionOf(const trace::Trace &trace, const execute::KeptRun &run,
                     const Site &site) {
  for (const trace::Function &function : trace.functions)
    if (run.has(function) && function.name == site.function)
      return function.id;
  return none;
}

std::string runOfFile(const trace::Trace &trace, const execute::KeptRun &run) {
  const execute::Record &record = run.record;
  Json faults = Json::array();
  for (const execute::Fault &fault : record.faults) {
    const int64_t at = placeOf(fault);
    const Site site = at < 0 ? Site() : record.sites[size_t(at)];
    faults.push_back(
        {textOf(record, fault), site.line, functionOf(trace, run, site)});
  }
  return dumped({{"verdict", verdictOf(record)},
                 {"faults", std::move(faults)},
                 {"remarks", remarksOf(record)}});
}

static Json tablesIn(const execute::Record &record,
                     const std::string &function) {
  Json tables = Json::array();
  for (const execute::SiteTable &table : tablesOf(record)) {
    Json rows = Json::array();
    for (size_t i : table.sites)
      if (const Site &site = record.sites[i];
          site.function == function && isOwn(site))
        rows.push_back(
            {site.counts.ran, site.title(), wordsOf(site), site.line});
    if (!rows.empty())
      tables.push_back({table.title, std::move(rows)});
  }
  return tables;
}

std::string runOfFunction(const Lookup &lookup, const execute::KeptRun &run,
                          Id function, const graph::PictureOptions &options) {
  const std::string &name = lookup.function(function)->name;
  Json notes = Json::object();
  for (const auto &[line, texts] : notesByLine(run.record, &name))
    notes[std::to_string(line)] = texts;
  Json json = {{"notes", std::move(notes)},
               {"tables", tablesIn(run.record, name)}};
  RunCounts counts = execute::countsOf(run.record, name);
  counts.verdict.clear();
  if (counts.isEmpty())
    return dumped(json);
  graph::Image image = graph::draw(
      graph::stagePicture(lookup, function, run.stage, options, &counts), {},
      graph::ImageFormat::svg);
  json["graph"] = recolorable(image.bytes);
  const std::string &note = image.error.empty() ? image.note : image.error;
  if (!note.empty())
    json["graphNote"] = note;
  return dumped(json);
}

} // namespace memreflens::report
