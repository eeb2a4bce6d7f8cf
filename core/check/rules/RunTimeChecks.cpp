//===- core/check/rules/RunTimeChecks.cpp ---------------------------------===//
//
// run-time-check and dealloc-helper: what a dealloc costs that only run time
// can decide.
//
//===----------------------------------------------------------------------===//

#include "core/check/rules/Finders.h"
#include "core/explain/DecisionText.h"
#include "core/explain/Words.h"

#include <algorithm>
#include <map>
#include <set>

namespace memreflens {

using trace::Id;

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

void addLowering(FindingMaker &maker, const trace::Event &event,
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
  Finding &finding =
      maker.add(calls > 0 ? ruleIds::deallocHelper : ruleIds::runTimeCheck,
                event.function, range, std::move(message));
  finding.event = event.id;
  if (!why.sentence.empty())
    maker.relate(finding, range, why.sentence);
  addEvidenceOf(maker, finding, why);
  if (const trace::Block *body = swappingBody(lookup, event, dealloc)) {
    const Id op = body->parentOp;
    const std::string turns = std::to_string(turnsOf(lookup, *body));
    finding.remedies.push_back(
        "unroll " + lookup.opAt(op) + " by " + turns +
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

} // namespace memreflens
