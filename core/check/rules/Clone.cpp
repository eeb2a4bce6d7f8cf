//===- core/check/rules/Clone.cpp -----------------------------------------===//

#include "core/check/rules/Finders.h"
#include "core/explain/DecisionText.h"
#include "core/query/Lifetimes.h"
#include "core/text/Bytes.h"
#include "core/trace/Sizes.h"

#include <algorithm>

namespace memreflens {

using enum RemedyPass;

using trace::Id;
using trace::none;

/// Whether nothing of its part of the file calls the function.
static bool isEntryPoint(Id function, const CheckInputs &inputs) {
  return std::ranges::none_of(inputs.calls, [&](const CallSite &call) {
    return call.callee == function;
  });
}

static std::vector<Advice> remediesForClone(const Lookup &lookup, Id function,
                                            const trace::Value *cloned,
                                            const CheckInputs &inputs) {
  const trace::Function *known = lookup.function(function);
  bool isPublic = known && known->isPublic;
  const bool hasOtherCallers = isPublic && isEntryPoint(function, inputs);
  bool isDynamic = lookup.getTrace().options.privateFunctionDynamicOwnership;
  std::string first;
  if (isPublic && !hasOtherCallers)
    first = "make the function private";
  if (!isDynamic && !hasOtherCallers)
    first += std::string(isPublic ? " and " : "") +
             "run with --private-function-dynamic-ownership";
  std::vector<Advice> lines;
  if (hasOtherCallers)
    lines.push_back(
        Advice("its callers are elsewhere and own what they are given: the "
               "clone stays, unless they pass the buffer that is to be "
               "written"));
  if (!first.empty())
    lines.push_back(
        {first + ": it then returns an ownership indicator in place of "
                 "a clone",
         isDynamic ? RemedyPasses() : RemedyPasses{dynamicOwnership}});
  // Only the callee knows a size that is open.
  if (!cloned || !trace::hasOpenShape(cloned->type))
    lines.push_back({std::string("pass the result as an argument "
                                 "(buffer-results-to-out-params") +
                         (isPublic ? "{modify-public-functions=1})" : ")"),
                     {resultsToOutParams}});
  return lines;
}

/// A loop that calls the function, or what calls it; `none` if there is none.
static Id loopCalling(const Lookup &lookup, Id function,
                      const CheckInputs &inputs, int depth = 4) {
  for (const CallSite &call : inputs.calls) {
    const trace::Op *op = lookup.op(call.op);
    if (call.callee != function || !op)
      continue;
    if (const Id loop = loopAround(lookup, op->block, false); loop != none)
      return loop;
    const Id caller = lookup.getIndex().functionOfBlock(op->block);
    if (depth > 0 && caller != function)
      if (const Id loop = loopCalling(lookup, caller, inputs, depth - 1);
          loop != none)
        return loop;
  }
  return none;
}

void addClone(FindingMaker &maker, const trace::Event &event,
              const trace::CloneEvent &clone, const CheckInputs &inputs) {
  const Lookup &lookup = maker.lookup;
  if (!lookup.op(event.op) || lookup.isErased(event.op) ||
      !isTraced(lookup, event.function))
    return;
  // Its code is left, but what it would copy is always owned.
  if (lookup.isNeverMade(clone))
    return;
  Explanation why = explainEvent(lookup, event.id);
  std::optional<uint64_t> bytes;
  if (const trace::Value *value = lookup.value(event.value))
    bytes = bytesOf(value->type);
  std::string size = bytes ? ", " + bytesText(*bytes) : "";
  Finding &finding =
      maker.add(ruleIds::clone, event.function, rangeOfEvent(lookup, event),
                why.sentence + size + inLoop(lookup, event.op));
  finding.event = event.id;
  finding.bytes = bytes.value_or(0);
  const trace::Value *cloned = lookup.value(event.value);
  const Id loop = cloned && trace::hasOpenShape(cloned->type)
                      ? loopCalling(lookup, event.function, inputs)
                      : none;
  if (loop != none) {
    finding.isGrowing = true;
    maker.relate(finding, lookup.rangeOfOp(loop),
                 "each iteration of " + lookup.opName(loop) +
                     " comes here: a buffer that grows there is cloned whole "
                     "each time, so that time grows with its square");
  }
  addEvidenceOf(maker, finding, why);
  if (finding.remedies.empty())
    finding.remedies = remediesForClone(lookup, event.function,
                                        lookup.value(event.value), inputs);
}

} // namespace memreflens
