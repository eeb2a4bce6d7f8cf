//===- core/check/Costs.cpp - what the memory handling costs --------------===//

#include "core/check/Collect.h"
#include "core/check/PeakCosts.h"
#include "core/explain/CostText.h"
#include "core/explain/DecisionText.h"
#include "core/explain/Words.h"
#include "core/query/Lifetimes.h"
#include "core/query/Totals.h"
#include "core/trace/Sizes.h"
#include "core/trace/Symbol.h"

#include <algorithm>
#include <set>

namespace memreflens {

using enum RemedyPass;

using trace::Id;
using trace::none;

trace::Id loopAround(const Lookup &lookup, Id block, bool parallel) {
  static const std::set<std::string> together = {"scf.forall", "scf.parallel",
                                                 "affine.parallel",
                                                 "omp.parallel", "omp.wsloop"};
  static const std::set<std::string> inTurn = {"scf.for", "scf.while",
                                               "affine.for"};
  for (int depth = 0; depth < 1000; ++depth) {
    const trace::Block *known = lookup.block(block);
    const trace::Op *parent = known ? lookup.op(known->parentOp) : nullptr;
    if (!parent)
      return none;
    if (together.count(parent->name) ||
        (!parallel && inTurn.count(parent->name)))
      return parent->id;
    block = parent->block;
  }
  return none;
}

static std::string inLoop(const Lookup &lookup, Id op) {
  const trace::Op *known = lookup.op(op);
  Id loop = known ? loopAround(lookup, known->block, false) : none;
  if (loop == none)
    return {};
  return ", in each iteration of " + lookup.opName(loop) +
         lookup.at(lookup.rangeOfOp(loop));
}

static bool isTraced(const Lookup &lookup, Id function) {
  const trace::Function *known = lookup.function(function);
  return known && known->status == trace::FunctionStatus::traced;
}

static void addEvidenceOf(FindingMaker &maker, Finding &finding,
                          const Explanation &why) {
  for (const Evidence &fact : why.evidence)
    maker.relate(finding, fact.range, fact.text);
  finding.remedies.insert(finding.remedies.end(), why.remedies.begin(),
                          why.remedies.end());
}

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
        {"its callers are elsewhere and own what they are given: the clone "
         "stays, unless they pass the buffer that is to be written",
         {}});
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

static void addClone(FindingMaker &maker, const trace::Event &event,
                     const trace::CloneEvent &clone,
                     const CheckInputs &inputs) {
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
      maker.add("clone", event.function, rangeOfEvent(lookup, event),
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

/// How often the body has to be put behind itself until each iteration yields
/// the loop's buffers in their own places: 2 for a loop that swaps two. 1 where
/// they are, 0 where no number of times does it.
static unsigned turnsOf(const Lookup &lookup, const trace::Block &body) {
  const trace::Op *loop = lookup.op(body.parentOp);
  const trace::Op *end =
      body.ops.empty() ? nullptr : lookup.op(body.ops.back());
  if (!loop || !end || loop->name != "scf.for" || end->name != "scf.yield")
    return 0;
  // For each place, the place from which its buffer comes.
  std::map<size_t, size_t> from;
  for (size_t i = 0; i < end->operands.size(); ++i)
    if (const trace::Value *value = lookup.value(end->operands[i]);
        value && value->isMemref) {
      if (value->kind != trace::ValueKind::argument || value->block != body.id)
        return 0;
      // The first argument is the induction variable.
      from[i] = size_t(value->index) - 1;
    }
  constexpr unsigned most = 4;
  for (unsigned turns = 1; turns <= most; ++turns)
    if (std::all_of(from.begin(), from.end(), [&](auto &place) {
          size_t at = place.first;
          for (unsigned turn = 0; turn < turns; ++turn) {
            auto found = from.find(at);
            if (found == from.end())
              return false;
            at = found->second;
          }
          return at == place.first;
        }))
      return turns;
  return 0;
}

/// Whether the loop has the iterations that unrolling another one left over.
static bool isLeftOver(const Lookup &lookup, const trace::Op &loop) {
  return std::any_of(loop.operands.begin(), loop.operands.end(), [&](Id init) {
    const trace::Value *value = lookup.value(init);
    const trace::Op *before = value ? lookup.op(value->op) : nullptr;
    return before && before->name == "scf.for" && before->operands.size() > 1 &&
           !loop.operands.empty() && before->operands[1] == loop.operands[0];
  });
}

/// The loop that swaps its buffers: around the dealloc, or what gives a buffer
/// of it.
static const trace::Block *swappingBody(const Lookup &lookup,
                                        const trace::Event &lowered,
                                        const trace::Event *dealloc) {
  auto swaps = [&](const trace::Block *body) {
    return body && turnsOf(lookup, *body) > 1 &&
           !isLeftOver(lookup, *lookup.op(body->parentOp));
  };
  if (const trace::Block *block = lookup.block(lowered.block); swaps(block))
    return block;
  if (!dealloc)
    return nullptr;
  for (Id memref : std::get<trace::DeallocEvent>(dealloc->detail).memrefs) {
    const trace::Value *value = lookup.value(lookup.bufferOf(memref));
    const trace::Op *op = value ? lookup.op(value->op) : nullptr;
    if (!op || op->regions.empty() || op->regions[0].empty())
      continue;
    if (const trace::Block *body = lookup.block(op->regions[0][0]); swaps(body))
      return body;
  }
  return nullptr;
}

RunTimeCode runTimeCodeOf(const Lookup &lookup, const trace::Event &lowered) {
  const auto &lowering = std::get<trace::LoweringEvent>(lowered.detail);
  std::set<Id> ops(lowering.ops.begin(), lowering.ops.end());
  // "Not unequal" becomes a compare of its own.
  for (Id made : lookup.getIndex().generatedFor(lowered.op))
    for (Id id : lookup.eventsOfOp(made))
      if (const auto *rewrite =
              std::get_if<trace::RewriteEvent>(&lookup.event(id)->detail))
        ops.insert(rewrite->inserted.begin(), rewrite->inserted.end());
  RunTimeCode code;
  for (Id id : ops) {
    const trace::Op *op = lookup.op(id);
    if (!op || lookup.isErased(id))
      continue;
    code.checks += op->name == "arith.cmpi";
    code.helperCalls += op->name == "func.call";
  }
  return code;
}

/// The helper compares an address twice with what is retained, as equal and as
/// not equal, and once with each that is deallocated before it.
uint64_t mostComparesOf(const trace::LoweringEvent &lowering) {
  const uint64_t n = lowering.memrefCount, m = lowering.retainedCount;
  return 2 * n * m + n * (n - 1) / 2;
}

static void addLowering(FindingMaker &maker, const trace::Event &event,
                        const trace::LoweringEvent &lowering) {
  const Lookup &lookup = maker.lookup;
  if (!isTraced(lookup, event.function))
    return;
  const auto [compares, calls] = runTimeCodeOf(lookup, event);
  if (compares == 0 && calls == 0)
    return;
  // Buffers are freed where their block ends.
  trace::Range range = lookup.rangeOfOp(event.op);
  if (const trace::Block *block = lookup.block(event.block);
      block && !block->ops.empty())
    range = lookup.rangeOfOp(block->ops.back());
  Explanation why = explainEvent(lookup, event.id);
  const trace::Event *dealloc = lookup.deallocEvent(lowering.dealloc);
  const std::string loop = inLoop(lookup, event.op);
  std::string where = dealloc ? edgeOfDealloc(lookup, *dealloc) : "";
  where = (where.empty() ? "" : ", on the " + where) + loop;
  uint64_t n = lowering.memrefCount, m = lowering.retainedCount;
  std::string message =
      calls > 0 ? "a dealloc of " + counted(n, "buffer") +
                      (m > 0 ? " that retains " + counted(m, "memref") : "") +
                      " calls dealloc_helper: up to " +
                      counted(mostComparesOf(lowering), "compare") +
                      " and 5 allocations each time" + where
                : counted(compares, "run-time alias check") +
                      " before a dealloc" + where;
  Finding &finding = maker.add(calls > 0 ? "dealloc-helper" : "run-time-check",
                               event.function, range, std::move(message));
  finding.event = event.id;
  if (!why.sentence.empty())
    maker.relate(finding, range, why.sentence);
  addEvidenceOf(maker, finding, why);
  if (const trace::Block *body = swappingBody(lookup, event, dealloc)) {
    const Id op = body->parentOp;
    const std::string turns = std::to_string(turnsOf(lookup, *body));
    finding.remedies.push_back(
        "unroll " + lookup.opName(op) + lookup.at(lookup.rangeOfOp(op)) +
        " by " + turns +
        ", so that each iteration ends with its buffers in their own places: "
        "nothing is compared in it then; iterations that are left over, where "
        "their number is not a constant that " +
        turns + " divides, are as now");
    finding.remedies.push_back("do not swap: have the iteration end with a "
                               "memref.copy, and yield the buffers in their "
                               "own places");
  }
  if (!loop.empty() && finding.severity == trace::Severity::note)
    finding.severity = trace::Severity::warning;
}

static void addDealloc(FindingMaker &maker, const trace::Event &event,
                       const trace::DeallocEvent &dealloc) {
  constexpr size_t many = 64;
  if (dealloc.memrefs.size() < many)
    return;
  Finding &finding = maker.add(
      "large-dealloc", event.function, maker.lookup.rangeOfOp(event.op),
      "one dealloc has " + counted(dealloc.memrefs.size(), "buffer") +
          ": its simplification compares each with each");
  finding.event = event.id;
  finding.remedies = {{"deallocate earlier: split the function, or run "
                       "optimize-allocation-liveness where deallocs are there",
                       {allocationLiveness}}};
}

/// Whether an op allocates the buffer, not a region or a call that hands one
/// on.
static bool isMade(const Lookup &lookup, Id buffer) {
  const trace::Value *value = lookup.value(buffer);
  const trace::Op *op = value ? lookup.op(value->op) : nullptr;
  return op && op->regions.empty() &&
         op->name.find("alloc") != std::string::npos;
}

namespace {
/// A step at which memory is allocated, and what.
struct AllocatedAt {
  uint32_t step = 0;
  std::string what;
  /// In front of the deallocs at the same step.
  bool isClone = false;
};
} // namespace

/// The clones that are made at the ends of blocks are behind what is used
/// there, and in front of the deallocs.
static std::vector<AllocatedAt> allocationsOf(const Lookup &lookup,
                                              const Lifetimes &lifetimes) {
  std::vector<AllocatedAt> found;
  for (const Lifetime &buffer : lifetimes.buffers)
    if (!buffer.onStack && isMade(lookup, buffer.value))
      found.push_back({buffer.begin, "the allocation of " + buffer.name});
  for (Id id : lookup.eventsOfFunction(lifetimes.function)) {
    const trace::Event &event = *lookup.event(id);
    const auto *clone = std::get_if<trace::CloneEvent>(&event.detail);
    if (!clone || !lookup.op(event.op) || lookup.isErased(event.op))
      continue;
    // Where one under a condition ends up, later passes decide.
    const trace::Value *result = lookup.value(clone->result);
    if (clone->conditional && result && lookup.op(result->op) &&
        !lookup.isErased(result->op))
      continue;
    const trace::Block *end =
        lookup.block(lookup.getPassBlocks().endOf(event.block));
    const auto step = end && !end->ops.empty()
                          ? std::ranges::find(lifetimes.steps, end->ops.back())
                          : lifetimes.steps.end();
    if (step != lifetimes.steps.end())
      found.push_back({uint32_t(step - lifetimes.steps.begin()),
                       cloneWords(lookup, event.op), true});
  }
  std::ranges::stable_sort(found, {}, &AllocatedAt::step);
  return found;
}

/// Of one that can be used in ways that nobody follows.
static void addUnknownLastUse(FindingMaker &maker, Finding &finding,
                              const Lifetime &held) {
  const Id op = held.escape.op;
  maker.relate(finding, maker.lookup.rangeOfOp(op),
               maker.lookup.opName(op) + ": " +
                   std::string(trace::wordsOf(held.escape.kind)));
  finding.remedies = {
      "if you know its last use, put bufferization.manual_deallocation on the "
      "allocation and on a memref.dealloc behind that use"};
}

/// Whether a pass that moves deallocations up may move one too far.
static bool hasUnknownLastUse(const Lifetimes &lifetimes) {
  return std::any_of(lifetimes.buffers.begin(), lifetimes.buffers.end(),
                     [](const Lifetime &life) {
                       return life.escape.op != none && life.mayBeOwned &&
                              !life.onStack;
                     });
}

/// Held from its last use to its end while others are allocated.
static void addLateFrees(FindingMaker &maker, Id function,
                         const Lifetimes &lifetimes) {
  const std::vector<AllocatedAt> made = allocationsOf(maker.lookup, lifetimes);
  for (const Lifetime &held : lifetimes.buffers) {
    if (held.onStack || !held.mayBeOwned || held.ends.empty() ||
        held.ends.back().kind != EndKind::freed)
      continue;
    size_t others = 0;
    std::string first;
    for (const AllocatedAt &other : made)
      if (other.step > held.lastUse &&
          other.step < held.end() + (other.isClone ? 1 : 0) && others++ == 0)
        first = other.what;
    // Where the program has it, under the name that it has there.
    Id ancestor = maker.lookup.ancestorOf(held.value);
    Id named = ancestor == none ? held.value : ancestor;
    const trace::Value *value = maker.lookup.value(named);
    const trace::Op *op = value ? maker.lookup.op(value->op) : nullptr;
    if (others == 0 || !op ||
        (op->generated && !held.isMadeByStep && !isMade(maker.lookup, named)))
      continue;
    std::string size = held.bytes ? " (" + bytesText(*held.bytes) + ")" : "";
    const bool escapes = held.escape.op != none;
    Finding &finding = maker.add(
        "late-free", function, maker.lookup.rangeOfOp(op->id),
        maker.lookup.name(named) + size +
            (escapes ? " is deallocated behind "
                     : " is deallocated " +
                           counted(held.end() - held.lastUse, "op") +
                           " after its last use, behind ") +
            first + (others > 1 ? " and " + counted(others - 1, "other") : "") +
            (escapes ? "; its last use is not known" : ""));
    finding.event = held.ends.back().event;
    finding.bytes = held.bytes.value_or(0);
    finding.lastUseUnknown = escapes;
    if (escapes) {
      addUnknownLastUse(maker, finding, held);
      continue;
    }
    const Id use =
        held.usedBy != none ? held.usedBy : lifetimes.steps[held.lastUse];
    maker.relate(finding, maker.lookup.rangeOfOp(use),
                 "last used by " + maker.lookup.opName(use));
    finding.remedies = {{"run optimize-allocation-liveness after the pipeline: "
                         "it moves deallocs up to the last use",
                         {allocationLiveness}}};
  }
}

/// i1s that each call returns and each caller tests, for a function that is
/// called in a loop or from several places.
static void addOwnershipResults(FindingMaker &maker,
                                const trace::Function &function,
                                uint64_t indicators,
                                const CheckInputs &inputs) {
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
      "ownership-results", function.id, function.nameRange,
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

static void addDistinctObjects(FindingMaker &maker) {
  for (const trace::Op &op : maker.trace.ops)
    if (op.name == "memref.distinct_objects" && !op.generated)
      maker
          .add("distinct-objects",
               maker.lookup.getIndex().functionOfBlock(op.block),
               maker.lookup.rangeOfOp(op.id),
               "memref.distinct_objects hides from the pipeline which operand "
               "each result is: ownership is joined over all of them, and "
               "checks stay that would go without it")
          .remedies = {"use it after deallocation"};
}

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
