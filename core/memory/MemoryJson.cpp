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
                         {"begin", buffer.begin},
                         {"lastUse", buffer.lastUse},
                         {"end", buffer.end},
                         {"isLastUseKnown", buffer.isLastUseKnown},
                         {"usedBy", buffer.usedBy},
                         {"ended", buffer.ended},
                         {"offsets", std::move(offsets)}});
    }
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
                   {"peakAfterLastUseBytes", use.earlyPeakBytes},
                   {"peakAfterLastUseStep", use.earlyPeakStep},
                   {"arenaBytes", std::move(arenas)},
                   {"leastArenaBytes", use.leastArenaBytes},
                   {"arenaAlignment", arenaAlignment},
                   {"unknownSizes", use.unknown},
                   {"hasBranches", use.hasBranches},
                   {"places", use.places},
                   {"live", use.live},
                   {"liveAfterLastUse", use.earlyLive},
                   {"buffers", std::move(buffers)}});
  }
  return Json({{"functions", std::move(all)}})
             .dump(1, ' ', false, Json::error_handler_t::replace) +
         "\n";
}

} // namespace memreflens::memory
