//===- core/explain/Totals.cpp --------------------------------------------===//

#include "core/explain/Totals.h"
#include "core/explain/IndicatorText.h"
#include "core/explain/Words.h"

#include <functional>
#include <map>

namespace memreflens {

using trace::Id;

/// Deallocs (numbers) of which each free has a condition known to be true.
static std::map<Id, bool> alwaysFreed(const Lookup &lookup) {
  std::map<Id, bool> always;
  for (const trace::Event &event : lookup.getTrace().events)
    if (auto *detail = std::get_if<trace::DeallocEvent>(&event.detail)) {
      bool all = true;
      for (Id condition : detail->conditions)
        all &= lookup.constantOf(condition) >= 0;
      always[detail->dealloc] = all;
    }
  return always;
}

static void addLowering(const trace::LoweringEvent &lowering, bool always,
                        Totals &totals) {
  // The helper's lists are freed too, but they are not the user's.
  size_t freed = lowering.lowering == trace::LoweringCase::libraryFunction
                     ? lowering.memrefCount
                     : lowering.freed.size();
  totals.frees += freed;
  if (lowering.lowering == trace::LoweringCase::libraryFunction)
    ++totals.helperCalls;
  if (lowering.lowering == trace::LoweringCase::singleRetained)
    totals.runTimeChecks += lowering.retainedCount;
  if (lowering.lowering != trace::LoweringCase::single || !always)
    totals.conditionalFrees += freed;
}

static Totals totalsOver(const Lookup &lookup,
                         const std::function<bool(Id)> &isMeant) {
  Totals totals;
  const trace::Trace &trace = lookup.getTrace();
  for (const trace::Function &known : trace.functions) {
    if (known.status == trace::FunctionStatus::declaration ||
        !isMeant(known.id))
      continue;
    ++totals.functions;
    totals.rejectedFunctions +=
        known.status == trace::FunctionStatus::rejected ||
        known.status == trace::FunctionStatus::crashedStage;
  }
  std::map<Id, bool> always = alwaysFreed(lookup);
  for (const trace::Event &event : trace.events) {
    if (!isMeant(event.function))
      continue;
    if (auto *candidate = std::get_if<trace::CandidateEvent>(&event.detail))
      totals.allocations +=
          candidate->source == trace::CandidateSource::allocation &&
          candidate->dropped == trace::DropReason::notDropped;
    if (auto *clone = std::get_if<trace::CloneEvent>(&event.detail)) {
      ++totals.clones;
      totals.conditionalClones += lookup.isConditional(*clone);
    }
    if (auto *lowering = std::get_if<trace::LoweringEvent>(&event.detail))
      addLowering(*lowering, always[lowering->dealloc], totals);
  }
  return totals;
}

Totals totalsOf(const Lookup &lookup, const std::string &function) {
  return totalsOver(lookup, [&](Id id) {
    const trace::Function *known = lookup.function(id);
    return function.empty() || (known && known->name == function);
  });
}

Totals totalsOf(const Lookup &lookup, trace::Id function) {
  return totalsOver(lookup, [&](Id id) { return id == function; });
}

static std::string withPart(std::string text, size_t part,
                            std::string_view which) {
  if (part > 0)
    text += " (" + std::to_string(part) + " " + std::string(which) + ")";
  return text;
}

std::string totalsLine(const Totals &totals) {
  return listed({withPart(counted(totals.functions, "function"),
                          totals.rejectedFunctions, "rejected"),
                 counted(totals.allocations, "allocation"),
                 withPart(counted(totals.frees, "free"),
                          totals.conditionalFrees, "conditional"),
                 withPart(counted(totals.clones, "clone"),
                          totals.conditionalClones, "conditional"),
                 counted(totals.runTimeChecks, "run-time check"),
                 counted(totals.helperCalls, "dealloc_helper call")},
                "and");
}

} // namespace memreflens
