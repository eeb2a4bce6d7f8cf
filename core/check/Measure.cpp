//===- core/check/Measure.cpp ---------------------------------------------===//

#include "core/check/Measure.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace memreflens {

/// Calls `visit` with the name of each number of a measure and the number.
static void eachField(auto &measure, const auto &visit) {
  visit("isAccepted", measure.isAccepted);
  visit("upstreamReadsFreed", measure.upstreamReadsFreed);
  visit("isPublic", measure.isPublic);
  visit("isNested", measure.isNested);
  visit("buffersReturned", measure.buffersReturned);
  visit("returnsOpenSize", measure.returnsOpenSize);
  visit("isEntryPoint", measure.isEntryPoint);
  visit("blocks", measure.blocks);
  visit("allocations", measure.allocations);
  visit("helperLists", measure.helperLists);
  visit("helperListBytes", measure.helperListBytes);
  visit("clones", measure.clones);
  visit("unconditionalClones", measure.unconditionalClones);
  visit("copies", measure.copies);
  visit("loopAllocations", measure.loopAllocations);
  visit("executedAllocations", measure.executedAllocations);
  visit("runTimeChecks", measure.runTimeChecks);
  visit("helperCalls", measure.helperCalls);
  visit("clonesAt", measure.clonesAt);
  visit("copiesAt", measure.copiesAt);
  visit("checksAt", measure.checksAt);
  visit("helpersAt", measure.helpersAt);
  visit("loopAllocationsAt", measure.loopAllocationsAt);
  visit("inLoops", measure.inLoops);
  visit("ownershipResults", measure.ownershipResults);
  visit("lateFrees", measure.lateFrees);
  visit("peakBytes", measure.peakBytes);
  visit("hasSpaces", measure.hasSpaces);
  visit("peakSpace", measure.peakSpace);
  visit("peakSpaceName", measure.peakSpaceName);
  visit("escapedBuffers", measure.escapedBuffers);
  visit("escapedDepth", measure.escapedDepth);
  visit("unseenUses", measure.unseenUses);
  visit("peakGaps", measure.peakGaps);
  visit("largestDealloc", measure.largestDealloc);
  visit("digest", measure.digest);
  visit("faults", measure.faults);
  visit("faultKeys", measure.faultKeys);
  visit("lostWrites", measure.lostWrites);
  visit("overwrites", measure.overwrites);
  visit("allPaths", measure.allPaths);
  visit("unfollowed", measure.unfollowed);
  visit("comparesPoison", measure.comparesPoison);
}

Measure Measures::totalOf(int32_t chunk) const {
  Measure total;
  total.isAccepted = true;
  for (const auto &[key, one] : functions) {
    if (key.first != chunk)
      continue;
    total.isAccepted &= one.isAccepted;
    total.upstreamReadsFreed |= one.upstreamReadsFreed;
    total.allPaths &= one.allPaths;
    total.unfollowed |= one.unfollowed;
    total.allocations += one.allocations;
    total.helperLists += one.helperLists;
    total.helperListBytes =
        std::max(total.helperListBytes, one.helperListBytes);
    total.clones += one.clones;
    total.unconditionalClones += one.unconditionalClones;
    total.copies += one.copies;
    total.loopAllocations += one.loopAllocations;
    total.executedAllocations += one.executedAllocations;
    total.runTimeChecks += one.runTimeChecks;
    total.helperCalls += one.helperCalls;
    total.inLoops += one.inLoops;
    total.ownershipResults += one.ownershipResults;
    total.lateFrees += one.lateFrees;
    total.peakBytes = std::max(total.peakBytes, one.peakBytes);
    total.hasSpaces = one.hasSpaces;
    total.peakSpace = one.peakSpace;
    total.peakSpaceName = one.peakSpaceName;
    total.escapedBuffers += one.escapedBuffers;
    total.escapedDepth += one.escapedDepth;
    total.unseenUses += one.unseenUses;
    total.peakGaps.insert(one.peakGaps.begin(), one.peakGaps.end());
    total.largestDealloc = std::max(total.largestDealloc, one.largestDealloc);
    total.faults += one.faults;
    total.lostWrites += one.lostWrites;
    total.overwrites += one.overwrites;
  }
  return total;
}

void joinMeasures(Measures &measures, Measures other) {
  measures.ops += other.ops;
  measures.tensorComparisons += other.tensorComparisons;
  measures.replayedComparisons += other.replayedComparisons;
  measures.hasParallelLoop |= other.hasParallelLoop;
  measures.hasCalls |= other.hasCalls;
  measures.hasInnerAllocations |= other.hasInnerAllocations;
  measures.externals.merge(other.externals);
  measures.declarations.merge(other.declarations);
  measures.functions.merge(other.functions);
}

std::string measuresToJson(const Measures &measures) {
  nlohmann::json root = {{"problem", measures.problem},
                         {"ops", measures.ops},
                         {"tensorComparisons", measures.tensorComparisons},
                         {"replayedComparisons", measures.replayedComparisons},
                         {"hasParallelLoop", measures.hasParallelLoop},
                         {"hasCalls", measures.hasCalls},
                         {"hasInnerAllocations", measures.hasInnerAllocations},
                         {"externals", measures.externals},
                         {"declarations", measures.declarations}};
  root["functions"] = nlohmann::json::array();
  for (const auto &[key, one] : measures.functions) {
    nlohmann::json entry = {{"chunk", key.first}, {"name", key.second}};
    eachField(one, [&](const char *name, const auto &number) {
      entry[name] = number;
    });
    root["functions"].push_back(std::move(entry));
  }
  return root.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::optional<Measures> measuresFromJson(const std::string &text) {
  try {
    nlohmann::json root = nlohmann::json::parse(text);
    Measures measures;
    measures.problem = root.at("problem");
    measures.ops = root.at("ops");
    measures.tensorComparisons = root.at("tensorComparisons");
    measures.replayedComparisons = root.at("replayedComparisons");
    measures.hasParallelLoop = root.at("hasParallelLoop");
    measures.hasCalls = root.at("hasCalls");
    measures.hasInnerAllocations = root.at("hasInnerAllocations");
    measures.externals = root.at("externals");
    measures.declarations = root.at("declarations");
    for (const nlohmann::json &entry : root.at("functions")) {
      Measure &one = measures.functions[{entry.at("chunk"), entry.at("name")}];
      eachField(one, [&](const char *name, auto &number) {
        entry.at(name).get_to(number);
      });
    }
    return measures;
  } catch (const nlohmann::json::exception &) {
    return std::nullopt;
  }
}

} // namespace memreflens
