//===- core/execute/RunJson.cpp - a run as data for programs --------------===//

#include "core/execute/Record.h"
#include "core/trace/Names.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace memreflens::execute {

using Json = nlohmann::ordered_json;

static Json json(const Record &record, const Site &site) {
  const SiteCounts &counts = site.counts;
  return {{"kind", nameOf(site.kind)},
          {"op", site.op},
          {"opName", site.opName},
          {"function", site.function},
          {"value", site.value},
          {"line", site.line},
          {"column", site.column},
          {"stageLine", site.stageLine},
          {"isForHelper", site.isForHelper},
          {"note", noteOf(record, site)},
          {"ran", counts.ran},
          {"true", counts.yes},
          {"bytes", counts.bytes},
          {"leastEach", counts.leastEach},
          {"mostEach", counts.mostEach},
          {"deallocated", counts.deallocated},
          {"returned", counts.returned},
          {"left", counts.live},
          {"mostLive", counts.mostLive},
          {"liveAtPeak", counts.peakLive},
          {"bytesAtPeak", counts.peakBytes},
          {"compares", counts.compares},
          {"equal", counts.equal}};
}

static void read(const Json &from, Site &site) {
  SiteCounts &counts = site.counts;
  for (int kind = 0; kind <= int(SiteKind::other); ++kind)
    if (nameOf(SiteKind(kind)) == from.at("kind").get<std::string>())
      site.kind = SiteKind(kind);
  from.at("op").get_to(site.op);
  from.at("opName").get_to(site.opName);
  from.at("function").get_to(site.function);
  from.at("value").get_to(site.value);
  from.at("line").get_to(site.line);
  from.at("column").get_to(site.column);
  site.stageLine = from.value("stageLine", 0u);
  from.at("isForHelper").get_to(site.isForHelper);
  from.at("ran").get_to(counts.ran);
  from.at("true").get_to(counts.yes);
  from.at("bytes").get_to(counts.bytes);
  from.at("deallocated").get_to(counts.deallocated);
  from.at("returned").get_to(counts.returned);
  from.at("left").get_to(counts.live);
  from.at("mostLive").get_to(counts.mostLive);
  from.at("liveAtPeak").get_to(counts.peakLive);
  from.at("bytesAtPeak").get_to(counts.peakBytes);
  from.at("compares").get_to(counts.compares);
  from.at("equal").get_to(counts.equal);
  counts.leastEach = from.value("leastEach", uint64_t(0));
  counts.mostEach = from.value("mostEach", uint64_t(0));
  if (auto ends = from.find("ends"); ends != from.end())
    for (const Json &one : *ends)
      site.ends.push_back({one.at(0), one.at(1)});
  site.uses = from.value("uses", std::vector<int64_t>());
}

/// By their place among those that ran; the others are left out.
static std::vector<int64_t> kept(const Record &record) {
  std::vector<int64_t> places(record.sites.size(), -1);
  std::vector<bool> isNamed(record.sites.size(), false);
  auto name = [&](int64_t site) {
    if (site >= 0)
      isNamed[size_t(site)] = true;
  };
  for (const Fault &fault : record.faults) {
    name(fault.site);
    name(fault.allocation);
    name(fault.deallocation);
  }
  for (const Site &site : record.sites)
    for (const SiteEnd &end : site.ends)
      name(end.deallocation);
  for (const Site &site : record.sites)
    std::ranges::for_each(site.uses, name);
  for (const LifeCount &life : record.lives)
    name(int64_t(life.site));
  for (const LivePoint &point : record.curve)
    if (point.site < record.sites.size())
      isNamed[point.site] = true;
  name(record.lastSite);
  name(record.peakSite);
  int64_t next = 0;
  for (size_t i = 0; i < record.sites.size(); ++i) {
    const Site &site = record.sites[i];
    if (isNamed[i] || (site.kind != SiteKind::other && site.counts.ran > 0))
      places[i] = next++;
  }
  return places;
}

std::string asJson(const Record &record) {
  const std::vector<int64_t> places = kept(record);
  auto at = [&](int64_t site) {
    return site < 0 || size_t(site) >= places.size() ? int64_t(-1)
                                                     : places[size_t(site)];
  };
  Json arguments = Json::array(), sites = Json::array(), faults = Json::array(),
       curve = Json::array();
  for (const Argument &one : record.arguments)
    arguments.push_back(
        {{"name", one.name}, {"type", one.type}, {"value", one.value}});
  for (size_t i = 0; i < record.sites.size(); ++i)
    if (const Site &site = record.sites[i]; places[i] >= 0) {
      Json &made = sites.emplace_back(json(record, record.sites[i]));
      Json &ends = made["ends"] = Json::array();
      for (const SiteEnd &end : site.ends)
        ends.push_back({at(end.deallocation), end.times});
      Json &uses = made["uses"] = Json::array();
      for (int64_t use : site.uses)
        uses.push_back(at(use));
    }
  for (const Fault &one : record.faults)
    faults.push_back({{"kind", nameOf(one.kind)},
                      {"text", textOf(record, one)},
                      {"isWrite", one.isWrite},
                      {"site", at(one.site)},
                      {"allocation", at(one.allocation)},
                      {"deallocation", at(one.deallocation)},
                      {"argument", one.argument},
                      {"result", one.result},
                      {"keeper", one.keeper},
                      {"offset", one.offset},
                      {"size", one.size},
                      {"times", one.times}});
  for (const LivePoint &one : record.curve)
    curve.push_back({one.step, one.bytes, at(int64_t(one.site))});
  Json lives = Json::array();
  for (const LifeCount &one : record.lives)
    lives.push_back({at(int64_t(one.site)), one.frame, one.bytes, one.made,
                     one.first, one.last, one.ended});
  const RunTotals &totals = record.totals;
  Json all = {{"version", recordVersion},
              {"toolVersion", record.toolVersion},
              {"file", record.file},
              {"fingerprint", record.fingerprint},
              {"entry", record.entry},
              {"verdict", verdictOf(record)},
              {"stage", record.stage},
              {"stageFingerprint", record.stageFingerprint},
              {"pipeline", record.pipeline},
              {"seed", record.seed},
              {"arguments", std::move(arguments)},
              {"stubs", record.stubs},
              {"end", nameOf(record.end)},
              {"failure", record.failure},
              {"signal", record.signal},
              {"libraries", record.libraries},
              {"serialized", record.serialized},
              {"lastSite", at(record.lastSite)},
              {"allocations", totals.allocations},
              {"deallocations", totals.deallocations},
              {"accesses", totals.accesses},
              {"peakBytes", totals.peakBytes},
              {"peakSite", at(record.peakSite)},
              {"predictedPeakBytes",
               record.predictedPeak ? Json(*record.predictedPeak) : Json()},
              {"predictedPeakIsLowerBound", record.isPredictionLowerBound},
              {"contradictions", record.contradictions},
              {"restsOnPoison", record.restsOnPoison},
              {"changed", record.changed},
              {"otherFaults", totals.otherFaults},
              {"faults", std::move(faults)},
              {"sites", std::move(sites)},
              {"lives", std::move(lives)},
              {"otherLives", totals.otherLives},
              {"areUsesCut", totals.areUsesCut},
              {"stepsAPoint", totals.stepsAPoint},
              {"curve", std::move(curve)}};
  return all.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

//===--- Reading ----------------------------------------------------------===//

static bool isSite(int64_t site, const Record &record) {
  return site >= -1 && site < int64_t(record.sites.size());
}

static void read(const Json &from, Fault &fault) {
  for (FaultKind kind : kindsOfRun)
    if (nameOf(kind) == from.at("kind").get<std::string>())
      fault.kind = kind;
  from.at("isWrite").get_to(fault.isWrite);
  from.at("site").get_to(fault.site);
  from.at("allocation").get_to(fault.allocation);
  from.at("deallocation").get_to(fault.deallocation);
  from.at("argument").get_to(fault.argument);
  from.at("result").get_to(fault.result);
  fault.keeper = from.value("keeper", "");
  from.at("offset").get_to(fault.offset);
  from.at("size").get_to(fault.size);
  from.at("times").get_to(fault.times);
}

static void readAll(const Json &from, Record &record) {
  from.at("toolVersion").get_to(record.toolVersion);
  from.at("file").get_to(record.file);
  from.at("fingerprint").get_to(record.fingerprint);
  from.at("entry").get_to(record.entry);
  from.at("stage").get_to(record.stage);
  record.stageFingerprint = from.value("stageFingerprint", "");
  from.at("pipeline").get_to(record.pipeline);
  from.at("seed").get_to(record.seed);
  for (const Json &one : from.at("arguments"))
    record.arguments.push_back(
        {one.at("name"), one.at("type"), one.at("value")});
  from.at("stubs").get_to(record.stubs);
  for (int end = 0; end <= int(RunEnd::outOfMemory); ++end)
    if (nameOf(RunEnd(end)) == from.at("end").get<std::string>())
      record.end = RunEnd(end);
  from.at("failure").get_to(record.failure);
  record.signal = from.value("signal", int64_t(0));
  record.libraries = from.value("libraries", std::vector<std::string>());
  record.serialized = from.value("serialized", "");
  from.at("lastSite").get_to(record.lastSite);
  RunTotals &totals = record.totals;
  from.at("allocations").get_to(totals.allocations);
  from.at("deallocations").get_to(totals.deallocations);
  from.at("accesses").get_to(totals.accesses);
  from.at("peakBytes").get_to(totals.peakBytes);
  from.at("peakSite").get_to(record.peakSite);
  if (const Json &peak = from.at("predictedPeakBytes"); !peak.is_null())
    record.predictedPeak = peak.get<int64_t>();
  from.at("predictedPeakIsLowerBound").get_to(record.isPredictionLowerBound);
  from.at("contradictions").get_to(record.contradictions);
  record.restsOnPoison = from.value("restsOnPoison", false);
  record.changed = from.value("changed", std::vector<std::string>());
  from.at("otherFaults").get_to(totals.otherFaults);
  for (const Json &one : from.at("sites"))
    read(one, record.sites.emplace_back());
  for (const Json &one : from.at("faults"))
    read(one, record.faults.emplace_back());
  for (const Json &one : from.value("lives", Json::array()))
    record.lives.push_back({one.at(0), one.at(1), one.at(2), one.at(3),
                            one.at(4), one.at(5), one.at(6)});
  totals.otherLives = from.value("otherLives", uint64_t(0));
  totals.areUsesCut = from.value("areUsesCut", false);
  from.at("stepsAPoint").get_to(totals.stepsAPoint);
  for (const Json &one : from.at("curve")) {
    const int64_t site = one.at(2);
    record.curve.push_back(
        {one.at(0), one.at(1), site < 0 ? nowhere : uint32_t(site)});
  }
}

std::optional<Record> readRecord(const std::string &text, std::string &error) {
  const Json from = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!from.is_object() || !from.contains("version") ||
      !from.contains("curve")) {
    error = "is no record of 'memref-lens run --format json'";
    return std::nullopt;
  }
  if (from["version"] != recordVersion) {
    error = "is a record of another version of memref-lens";
    return std::nullopt;
  }
  Record record;
  try {
    readAll(from, record);
  } catch (const Json::exception &fault) {
    error = std::string("is a damaged record: ") + fault.what();
    return std::nullopt;
  }
  bool isWhole =
      isSite(record.lastSite, record) && isSite(record.peakSite, record);
  for (const Fault &fault : record.faults)
    isWhole = isWhole && isSite(fault.site, record) &&
              isSite(fault.allocation, record) &&
              isSite(fault.deallocation, record);
  for (const Site &site : record.sites)
    for (const SiteEnd &end : site.ends)
      isWhole =
          isWhole && end.deallocation >= 0 && isSite(end.deallocation, record);
  for (const Site &site : record.sites)
    for (int64_t use : site.uses)
      isWhole = isWhole && use >= 0 && isSite(use, record);
  for (const LifeCount &life : record.lives)
    isWhole = isWhole && life.site < record.sites.size();
  for (const LivePoint &point : record.curve)
    isWhole =
        isWhole && (point.site == nowhere || point.site < record.sites.size());
  if (isWhole)
    return record;
  error = "is a damaged record: it names an op that it does not have";
  return std::nullopt;
}

} // namespace memreflens::execute
