//===- core/check/Costs.cpp - what the memory handling costs --------------===//

#include "core/check/Collect.h"
#include "core/check/PeakCosts.h"
#include "core/check/rules/Finders.h"
#include "core/explain/ExecutionText.h"
#include "core/query/Spaces.h"
#include "core/query/Totals.h"
#include "core/trace/Sizes.h"

#include <algorithm>
#include <set>

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

/// The peaks of each memory space, where the program has several.
static void addSpaces(const Lookup &lookup, const trace::Function &function,
                      FunctionCosts &costs) {
  for (const Space &space : spacesOf(function, /*isToldBySpace=*/true)) {
    const trace::HeapUse &heap = heapIn(function, space);
    const std::optional<trace::StatedSpace> stated =
        trace::statedOf(lookup.getTrace().options.spaces, *space);
    SpaceCosts entry;
    entry.space = *space;
    entry.peakBytes = uint64_t(heap.peakBytes);
    entry.peakIsLowerBound = !heap.gaps.empty();
    for (const trace::GlobalBytes &global : heap.globals)
      entry.globalBytes += uint64_t(std::max<int64_t>(global.bytes, 0));
    if (stated) {
      entry.name = stated->name;
      if (stated->bytes >= 0)
        entry.capacity = uint64_t(stated->bytes);
    }
    entry.peak = peakCostsOf(lookup, lifetimesOf(lookup, function.id, space));
    costs.spaces.push_back(std::move(entry));
  }
}

/// What a call pays, where that is another number than the text has.
static void addExecuted(const Lookup &lookup, const trace::Function &function,
                        const std::set<Id> &called, Executions &executions,
                        FunctionCosts &costs) {
  const CallCosts &paid = executions.of(function.id);
  auto exact = [](const CostSum &sum) {
    return sum.isAtLeast ? std::nullopt : sum.constant();
  };
  const PaidCost &allocated = paid[trace::CostKind::allocation];
  const PaidCost &copied = paid[trace::CostKind::copy];
  costs.aCall.allocations = exact(allocated.times);
  costs.aCall.allocatedBytes = exact(allocated.bytes);
  costs.aCall.copies = exact(copied.times);
  costs.aCall.copiedBytes = exact(copied.bytes);
  costs.aCall.isAtMost = allocated.times.isAtMost || copied.times.isAtMost;
  costs.aCall.isCalled = called.contains(function.id);
  if (differsFromText(function, paid))
    costs.aCall.words =
        callCostText(lookup, function.id, paid, CallDetail::brief);
  costs.aCall.growth = growthText(lookup, function.id, paid);
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
  Executions executions(maker.lookup);
  const bool isToldBySpace = hasSpaces(maker.trace);
  std::set<Id> called;
  for (const trace::Function &function : maker.trace.functions)
    for (const trace::CostSite &site : function.costs)
      if (site.callee != function.id)
        called.insert(site.callee);
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
    if (isToldBySpace)
      addSpaces(maker.lookup, function, costs);
    addExecuted(maker.lookup, function, called, executions, costs);
    addAllocationsInLoops(maker, function, executions);
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
