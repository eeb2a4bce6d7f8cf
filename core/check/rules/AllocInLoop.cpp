//===- core/check/rules/AllocInLoop.cpp -----------------------------------===//
//
// A buffer is allocated, and deallocated, in each iteration of a loop.
//
//===----------------------------------------------------------------------===//

#include "core/check/rules/Finders.h"
#include "core/explain/ExecutionText.h"
#include "core/query/FateFacts.h"
#include "core/text/Bytes.h"

#include <algorithm>

namespace memreflens {

using trace::CostKind;
using trace::Id;
using trace::none;

/// The op of the program for which it was made; `none` for none.
static Id programOp(const Lookup &lookup, Id id) {
  for (int depth = 0; depth < 100; ++depth) {
    const trace::Op *op = lookup.op(id);
    if (!op || !op->generated)
      return op ? op->id : none;
    id = op->origin;
  }
  return none;
}

/// Copies of tensors in loops have rules of their own.
static std::set<Id> copiesOfTensors(const Lookup &lookup) {
  std::set<Id> ops;
  for (const trace::Bufferization &run : lookup.getTrace().bufferizations)
    for (const trace::TensorCost &cost : run.costs)
      if (cost.isCopy)
        ops.insert(cost.op);
  return ops;
}

/// "%packA", or "a buffer" of what has no name in the program.
static std::string nameOf(const Lookup &lookup, Id id) {
  const trace::Op *op = lookup.op(id);
  return op && !op->results.empty() ? lookup.name(op->results.front())
                                    : "a buffer";
}

static Advice hoistAdvice(const Lookup &lookup, const trace::CostSite &site,
                          Id op) {
  const trace::Op *made = lookup.op(op);
  const Id parallel =
      made ? loopAround(lookup, made->block, /*parallel=*/true) : none;
  if (parallel != none)
    return "iterations of " + lookup.opAt(parallel) +
           " may run at the same time, so that each needs a buffer of its own; "
           "if it is small, promote-buffers-to-stack moves it to the stack";
  const trace::Fate fate = made && !made->results.empty()
                               ? fateAsNamed(lookup, made->results.front())
                               : trace::Fate();
  const auto &handedOn = fate.yielded.empty() ? fate.forwarded : fate.yielded;
  if (!handedOn.empty())
    return "it leaves the iteration by " + lookup.opAt(handedOn.front().op) +
           ": where each iteration writes all of it before anything reads it, "
           "allocate it in front of the loop";
  if (!site.bytes.factors.empty() || !site.bytes.isKnown())
    return {"run loop-invariant-code-motion, and then buffer-loop-hoisting, "
            "before the pipeline: where its size does not change, it is "
            "allocated once",
            {RemedyPass::loopHoisting, RemedyPass::loopInvariantMotion}};
  return {"run buffer-loop-hoisting before the pipeline: it is allocated once, "
          "in front of the loop",
          {RemedyPass::loopHoisting}};
}

void addAllocationsInLoops(FindingMaker &maker, const trace::Function &function,
                           Executions &executions) {
  const Lookup &lookup = maker.lookup;
  std::set<Id> ofTensors;
  bool isAsked = false;
  for (const trace::CostSite &site : function.costs) {
    if (site.kind != CostKind::allocation || site.loops.empty())
      continue;
    if (!isAsked)
      ofTensors = copiesOfTensors(lookup);
    isAsked = true;
    const Id op = programOp(lookup, site.op);
    const CostSum times = executions.timesOf(function.id, site);
    if (op == none || ofTensors.contains(op) || times.terms.empty() ||
        times.constant() == 1)
      continue;
    // A pass may have put another one in its place.
    const bool isAlloc = lookup.op(op)->name.find("alloc") != std::string::npos;
    const std::string name =
        isAlloc ? nameOf(lookup, op) : "a buffer of " + lookup.opAt(op);
    CostSum bytes;
    if (site.bytes.isKnown()) {
      Factors factors;
      for (const trace::Symbol &symbol : site.bytes.factors)
        factors.symbols.push_back({symbol.value, symbol.dimension});
      bytes.add(uint64_t(site.bytes.number), std::move(factors));
    }
    Finding &finding = maker.add(
        ruleIds::allocInLoop, function.id, lookup.rangeOfOp(op),
        name +
            (bytes.empty()
                 ? ""
                 : " (" + bytesText(lookup, function.id, bytes) + ")") +
            " is allocated " +
            loopsText(lookup, executions, function.id, site) +
            (site.isConditional ? ", where a branch leads there" : ""));
    finding.loop = site.loops.front();
    finding.bytes = bytes.constant().value_or(0);
    finding.executions = times.constant().value_or(0);
    finding.remedies = {hoistAdvice(lookup, site, op)};
  }
}

} // namespace memreflens
