//===- core/memory/MemoryJson.cpp - as data for programs ------------------===//

#include "core/memory/Memory.h"

#include <nlohmann/json.hpp>

namespace memreflens::memory {

using Json = nlohmann::ordered_json;

std::string asJson(const std::vector<MemoryUse> &functions) {
  Json all = Json::array();
  for (const MemoryUse &use : functions) {
    Json buffers = Json::array();
    for (size_t i = 0; i < use.buffers.size(); ++i) {
      const Buffer &buffer = use.buffers[i];
      Json offsets = Json::object();
      for (const ArenaPlan &plan : use.plans)
        offsets[std::string(nameOf(plan.planner))] = plan.offsets[i];
      buffers.push_back({{"name", buffer.name},
                         {"bytes", buffer.bytes},
                         {"at", use.places[buffer.begin]},
                         {"isFromCall", buffer.isFromCall},
                         {"begin", buffer.begin},
                         {"firstUse", buffer.firstUse},
                         {"lastUse", buffer.lastUse},
                         {"end", buffer.end},
                         {"isLastUseKnown", buffer.isLastUseKnown},
                         {"usedBy", buffer.usedBy},
                         {"ended", buffer.ended},
                         {"hold", nameOf(buffer.hold)},
                         {"why", buffer.why},
                         {"offsets", std::move(offsets)}});
    }
    Json held = Json::array(), elsewhere = Json::array();
    for (const HeldBytes &one : use.heldAtPeak)
      held.push_back({{"hold", nameOf(one.hold)},
                      {"bytes", one.bytes},
                      {"buffers", one.buffers}});
    for (const ElsewhereBytes &one : use.elsewhere)
      elsewhere.push_back(
          {{"bytes", one.bytes}, {"call", one.call}, {"in", one.in}});
    Json arenas = Json::object();
    for (const ArenaPlan &plan : use.plans)
      arenas[std::string(nameOf(plan.planner))] = plan.bytes;
    all.push_back({{"function", use.name},
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
                   {"arenaAlignment", arenaAlignment},
                   {"unknownSizes", use.unknown},
                   {"hasBranches", use.hasBranches},
                   {"places", use.places},
                   {"live", use.live},
                   {"liveOnAnyPath", use.asIs.bytes},
                   {"liveAfterLastUse", use.afterLastUse.bytes},
                   {"needed", use.needed.bytes},
                   {"buffers", std::move(buffers)}});
  }
  return Json({{"functions", std::move(all)}})
             .dump(1, ' ', false, Json::error_handler_t::replace) +
         "\n";
}

} // namespace memreflens::memory
