//===- core/check/rules/OwnershipResults.cpp ------------------------------===//

#include "core/check/rules/Finders.h"
#include "core/explain/Words.h"
#include "core/trace/Symbol.h"

namespace memreflens {

using enum RemedyPass;

using trace::Id;

/// i1s that each call returns and each caller tests, for a function that is
/// called in a loop or from several places.
void addOwnershipResults(FindingMaker &maker, const trace::Function &function,
                         uint64_t indicators, const CheckInputs &inputs) {
  const Lookup &lookup = maker.lookup;
  std::vector<Id> calls;
  std::string loop;
  for (const CallSite &call : inputs.calls) {
    if (call.callee != function.id)
      continue;
    calls.push_back(call.op);
    if (loop.empty())
      loop = inLoop(lookup, call.op);
  }
  if (indicators == 0 || (calls.size() < 2 && loop.empty()))
    return;
  Finding &finding = maker.add(
      ruleIds::ownershipResults, function.id, function.nameRange,
      trace::symbolText(function.title()) + " returns " +
          counted(indicators, "ownership indicator") +
          " besides its buffers, and is called " +
          (calls.size() == 1
               ? "once" + loop
               : "at " + std::to_string(calls.size()) + " places" +
                     (loop.empty() ? "" : ", also" + loop.substr(1))));
  if (!loop.empty())
    finding.severity = trace::Severity::warning;
  for (Id call : calls)
    maker.relate(finding, lookup.rangeOfOp(call),
                 "called here" + inLoop(lookup, call));
  // Not to run without private dynamic ownership: where that is better it is
  // tried and told, and elsewhere it leads back to clones.
  finding.remedies = {
      {"inline it (inline) before the pipeline", {inlineCalls}},
      {"pass the results as arguments (buffer-results-to-out-params)",
       {resultsToOutParams}}};
}

} // namespace memreflens
