//===- core/check/Costs.cpp - what the memory handling costs --------------===//

#include "core/check/Collect.h"
#include "core/check/PeakCosts.h"
#include "core/check/rules/Finders.h"
#include "core/query/Totals.h"

#include <algorithm>

namespace memreflens {

using trace::Id;

static uint64_t ownershipResultsOf(const Lookup &lookup, Id function) {
  uint64_t count = 0;
  for (Id id : lookup.eventsOfFunction(function)) {
    const auto *signature =
        std::get_if<trace::SignatureEvent>(&lookup.event(id)->detail);
    count +=
        signature && signature->part == trace::SignaturePart::functionResult;
  }
  return count;
}

void addCosts(FindingMaker &maker, const CheckInputs &inputs) {
  for (const trace::Event &event : maker.trace.events) {
    if (const auto *clone = std::get_if<trace::CloneEvent>(&event.detail))
      addClone(maker, event, *clone, inputs);
    if (const auto *lowering = std::get_if<trace::LoweringEvent>(&event.detail))
      addLowering(maker, event, *lowering);
    if (const auto *dealloc = std::get_if<trace::DeallocEvent>(&event.detail))
      addDealloc(maker, event, *dealloc);
  }
  addDistinctObjects(maker);
  for (const trace::Function &function : maker.trace.functions) {
    if (function.status == trace::FunctionStatus::rejected ||
        function.status == trace::FunctionStatus::crashedStage)
      maker.report.rejectedAllocations +=
          totalsOf(maker.lookup, function.id).allocations;
    if (function.status != trace::FunctionStatus::traced)
      continue;
    Lifetimes lifetimes = lifetimesOf(maker.lookup, function.id);
    addLateFrees(maker, function.id, lifetimes);
    if (hasUnknownLastUse(lifetimes))
      maker.report.escaping.insert(function.chunk);
    Totals totals = totalsOf(maker.lookup, function.id);
    FunctionCosts costs;
    costs.function = function.title();
    costs.place = maker.placeOf(function.nameRange);
    costs.clones = totals.clones;
    costs.runTimeChecks = totals.runTimeChecks;
    costs.helperCalls = totals.helperCalls;
    const trace::HeapUse &heap = function.heap;
    costs.peakBytes = uint64_t(heap.peakBytes);
    costs.peakIsLowerBound = !heap.measured || !heap.gaps.empty();
    costs.peak = peakCostsOf(maker.lookup, lifetimes);
    costs.unsizedBuffers = uint64_t(
        std::count_if(heap.gaps.begin(), heap.gaps.end(), [](const auto &gap) {
          return gap.kind == trace::PeakGapKind::unknownSize;
        }));
    costs.allocations = totals.allocations;
    costs.frees = totals.frees;
    costs.conditionalFrees = totals.conditionalFrees;
    costs.ownershipResults = ownershipResultsOf(maker.lookup, function.id);
    addOwnershipResults(maker, function, costs.ownershipResults, inputs);
    maker.report.costs.push_back(std::move(costs));
  }
}

} // namespace memreflens
