//===- core/memory/MemoryJson.cpp - as data for programs ------------------===//

#include "core/explain/CostText.h"
#include "core/memory/Measured.h"
#include "core/memory/Memory.h"

#include <nlohmann/json.hpp>

namespace memreflens::memory {

using Json = nlohmann::ordered_json;

static Json jsonOf(const ElsewhereBytes &one) {
  Json buffers = Json::array(), below = Json::array();
  for (const Buffer &buffer : one.buffers)
    buffers.push_back({{"name", buffer.name},
                       {"bytes", buffer.bytes},
                       {"usedBy", buffer.usedBy},
                       {"ended", buffer.ended}});
  for (const ElsewhereBytes &inner : one.below)
    below.push_back(jsonOf(inner));
  return {{"bytes", one.bytes},
          {"call", one.call},
          {"in", one.in},
          {"clones", one.clones},
          {"buffers", std::move(buffers)},
          {"elsewhere", std::move(below)}};
}

static Json jsonOf(const std::vector<ApartBuffer> &buffers) {
  Json all = Json::array();
  for (const ApartBuffer &one : buffers)
    all.push_back({{"name", one.name},
                   {"at", one.at},
                   {"bytes", one.bytes ? Json(*one.bytes) : Json()},
                   {"eachRoundOf", one.eachRoundOf},
                   {"givenBackBy", one.givenBackBy}});
  return all;
}

static Json buffersOf(const MemoryUse &use, bool isForPage) {
  Json buffers = Json::array();
  for (size_t i = 0; i < use.buffers.size(); ++i) {
    const Buffer &buffer = use.buffers[i];
    Json one = {{"name", buffer.name},
                {"bytes", buffer.bytes},
                {"size", buffer.symbolic},
                {"alignment", buffer.alignment},
                {"at", use.places[buffer.begin]},
                {"op", buffer.op},
                {"isFromCall", buffer.isFromCall},
                {"begin", buffer.begin},
                {"firstUse", buffer.firstUse},
                {"lastUse", buffer.lastUse},
                {"end", buffer.end},
                {"isLastUseKnown", buffer.isLastUseKnown},
                {"isSeveral", buffer.isSeveral},
                {"isAssumed", buffer.isAssumed},
                {"fill", buffer.fill},
                {"usedBy", buffer.usedBy},
                {"whileUsed", useText(buffer, buffer.lastUse)},
                {"whenIdle", useText(buffer, buffer.lastUse + 1)},
                {"ended", buffer.ended},
                {"hold", nameOf(buffer.hold)},
                {"why", buffer.why}};
    if (isForPage) {
      one["value"] = buffer.value;
    } else {
      Json offsets = Json::object();
      for (const ArenaPlan &plan : use.plans)
        offsets[std::string(nameOf(plan.planner))] = plan.offsets[i];
      one["offsets"] = std::move(offsets);
    }
    buffers.push_back(std::move(one));
  }
  return buffers;
}

/// All steps, or for a page step and bytes where these change.
static Json curveOf(const std::vector<uint64_t> &bytes, bool isForPage) {
  if (!isForPage)
    return bytes;
  Json changes = Json::array();
  for (size_t step = 0; step < bytes.size(); ++step)
    if (step == 0 || bytes[step] != bytes[step - 1])
      changes.push_back({step, bytes[step]});
  return changes;
}

static Json jsonOf(const MeasuredUse &run) {
  Json curve = Json::array();
  for (const MeasuredUse::Point &point : run.points)
    curve.push_back({point.step, point.bytes, point.at});
  return {{"call", run.call},
          {"until", run.until},
          {"peakBytes", run.peakBytes},
          {"peakAt", run.peakAt},
          {"allocations", run.allocations},
          {"allocatedBytes", run.allocatedBytes},
          {"rounds", run.rounds},
          {"isOfAllSpaces", run.isOfAllSpaces},
          {"steps", run.steps},
          {"stepsAPoint", run.stepsAPoint},
          {"curve", std::move(curve)}};
}

/// Its picture has the curve; "marks": [step of the text, bytes].
static Json pageJsonOf(const MeasuredUse &run, const MemoryUse &use) {
  Json marks = Json::array();
  for (const auto &[step, bytes] : mostByStep(run, use.steps))
    marks.push_back({step, bytes});
  return {{"words", measuredWords(run)},
          {"peakBytes", run.peakBytes},
          {"marks", std::move(marks)}};
}

/// Null where it fits in no way, or as it is.
static Json placedJson(const MemoryUse &use) {
  if (!use.overflow || !use.overflow->placed)
    return Json();
  const ArenaPlan &plan = *use.overflow->placed;
  return {{"planner", nameOf(plan.planner)},
          {"bytes", plan.bytes},
          {"offsets", plan.offsets}};
}

static Json jsonOf(const MemoryUse &use, bool isForPage) {
  Json held = Json::array(), elsewhere = Json::array();
  for (const HeldBytes &one : use.heldAtPeak)
    held.push_back({{"hold", nameOf(one.hold)},
                    {"bytes", one.bytes},
                    {"buffers", one.buffers}});
  for (const ElsewhereBytes &one : use.elsewhere)
    elsewhere.push_back(jsonOf(one));
  Json unknown = Json::array(), unknownBuffers = Json::array();
  for (const UnknownBuffer &one : use.unknown) {
    unknown.push_back(textOf(one));
    unknownBuffers.push_back({{"name", one.name},
                              {"at", one.at},
                              {"size", one.symbolic},
                              {"symbols", one.symbols}});
  }
  Json arenas = Json::object();
  for (const ArenaPlan &plan : use.plans)
    arenas[std::string(nameOf(plan.planner))] = plan.bytes;
  Json origins = Json::object();
  for (OriginBy by : originKinds) {
    Json &all = origins[std::string(nameOf(by))] = Json::array();
    for (const Origin &one : use.origins[size_t(by)])
      all.push_back(
          {{"name", one.name}, {"bytes", one.bytes}, {"buffers", one.buffers}});
  }
  Json needless = Json::array();
  for (const NeedlessPair &pair : use.needless)
    needless.push_back({{"first", pair.first},
                        {"second", pair.second},
                        {"bytes", pair.bytes},
                        {"words", textOf(use, pair)}});
  Json spilled = Json::array();
  if (use.overflow)
    spilled = use.overflow->spilled;
  Json all = {{"function", use.name},
              {"title", titleOf(use)},
              {"aCall", use.aCall},
              {"growth", use.growth},
              {"peakExpression", use.expression},
              {"space", use.space ? Json(*use.space) : Json()},
              {"spaceName", use.spaceName},
              {"capacityBytes", use.capacity ? Json(*use.capacity) : Json()},
              {"overflowBytes", use.overflow ? use.overflow->bytes : 0},
              {"spilled", std::move(spilled)},
              {"halved",
               use.overflow ? Json(use.overflow->halved) : Json(Json::array())},
              {"placed", placedJson(use)},
              {"fits", fitLines(use)},
              {"needlessOverlaps", std::move(needless)},
              {"fills", use.fills},
              {"originsAtPeak", std::move(origins)},
              {"peakBytes", use.peakBytes},
              {"peakIsLowerBound", !use.gaps.empty()},
              {"peakStep", use.peakStep},
              {"gaps", use.gaps},
              {"aliveAtPeak", use.alive},
              {"idleBytesAtPeak", use.idleBytes},
              {"heldAtPeak", std::move(held)},
              {"notYetUsedBytesAtPeak", use.notYetUsedBytes},
              {"elsewhereAtPeak", std::move(elsewhere)},
              {"peakAfterLastUseBytes", use.afterLastUse.peakBytes},
              {"peakAfterLastUseStep", use.afterLastUse.peakStep},
              {"peakNeededBytes", use.needed.peakBytes},
              {"peakNeededStep", use.needed.peakStep},
              {"arenaBytes", std::move(arenas)},
              {"leastArenaBytes", use.leastArenaBytes},
              {"arenaAlignment", use.arenaAlignment},
              {"arenaGap", severalText(use)},
              {"unknownSizes", std::move(unknown)},
              {"unknownBuffers", std::move(unknownBuffers)},
              {"assumed", use.assumed},
              {"stack", jsonOf(use.stack)},
              {"globals", jsonOf(use.globals)},
              {"hasBranches", use.hasBranches},
              {"places", use.places},
              {"steps", isForPage ? Json::array() : Json(use.steps)},
              {"live", curveOf(use.live, isForPage)},
              {"liveOnAnyPath", curveOf(use.asIs.bytes, isForPage)},
              {"liveAfterLastUse", curveOf(use.afterLastUse.bytes, isForPage)},
              {"needed", curveOf(use.needed.bytes, isForPage)},
              {"buffers", buffersOf(use, isForPage)}};
  if (isForPage) {
    all["spaceWords"] = spaceWords(use.space, use.spaceName);
    all["capacity"] = capacityText(use);
  }
  if (use.measured)
    all["measured"] =
        isForPage ? pageJsonOf(*use.measured, use) : jsonOf(*use.measured);
  return all;
}

static std::string dumped(const Json &json, int indent) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

std::string asJson(const std::vector<MemoryUse> &functions) {
  Json all = Json::array();
  for (const MemoryUse &use : functions)
    all.push_back(jsonOf(use, /*isForPage=*/false));
  return dumped(Json({{"functions", std::move(all)}}), 1) + "\n";
}

std::string pageJson(const MemoryUse &use) {
  return dumped(jsonOf(use, /*isForPage=*/true), -1);
}

} // namespace memreflens::memory
