//===- core/explain/IndicatorText.cpp -------------------------------------===//

#include "core/explain/IndicatorText.h"
#include "core/explain/DecisionParts.h"
#include "core/explain/Words.h"

#include <deque>
#include <set>

namespace memreflens {

using trace::Id;
using trace::none;
using trace::SignatureEvent;
using trace::SignaturePart;

//===--- In short ---------------------------------------------------------===//

namespace {
struct Expression {
  std::string words;
  /// It is taken apart by what is next to it: as an operand it needs
  /// parentheses.
  bool isLoose = false;
};
} // namespace

static Expression expression(const Lookup &lookup, Id indicator, int depth);

static std::string operandWords(const Lookup &lookup, Id operand, int depth) {
  const Expression made = expression(lookup, operand, depth);
  return made.isLoose ? "(" + made.words + ")" : made.words;
}

static bool isTrue(const Lookup &lookup, Id indicator) {
  return lookup.constantOf(indicator) == 1;
}

static Expression expression(const Lookup &lookup, Id indicator, int depth) {
  const trace::Value *value = lookup.value(indicator);
  if (int constant = lookup.constantOf(indicator); constant >= 0)
    return {constant ? "true" : "false"};
  const trace::Op *op = value ? lookup.op(value->op) : nullptr;
  if (!op || !op->generated || depth == 0)
    return {lookup.name(indicator)};
  auto operand = [&](size_t i) {
    return operandWords(lookup, op->operands[i], depth - 1);
  };
  if (op->operands.size() == 2 && op->name == "arith.andi") {
    if (isTrue(lookup, op->operands[0]))
      return expression(lookup, op->operands[1], depth);
    if (isTrue(lookup, op->operands[1]))
      return expression(lookup, op->operands[0], depth);
    return {operand(0) + " and " + operand(1), true};
  }
  if (op->operands.size() == 2 && op->name == "arith.ori")
    return {operand(0) + " or " + operand(1), true};
  if (op->operands.size() == 2 && op->name == "arith.xori") {
    if (isTrue(lookup, op->operands[0]))
      return {"not " + operand(1)};
    if (isTrue(lookup, op->operands[1]))
      return {"not " + operand(0)};
  }
  if (op->operands.size() == 3 && op->name == "arith.select" &&
      lookup.constantOf(op->operands[1]) >= 0 &&
      lookup.constantOf(op->operands[2]) >= 0)
    return {(isTrue(lookup, op->operands[1]) ? "" : "not ") + operand(0)};
  if (op->operands.size() == 3 && op->name == "arith.select")
    return {operand(0) + " ? " + operand(1) + " : " + operand(2), true};
  return {lookup.name(indicator)};
}

std::string indicatorExpression(const Lookup &lookup, Id indicator) {
  return expression(lookup, indicator, /*depth=*/3).words;
}

//===--- One step back ----------------------------------------------------===//

namespace {

/// Collects the facts of one indicator after the other.
struct Tracer {
  const Lookup &lookup;
  Explanation result;
  std::deque<Id> pending;
  std::set<Id> seen;
  /// What the i1s come down to: constants, and i1s of the program and of calls.
  std::set<std::string> origins;
  /// What branches pass to the one that is asked about, in short; and whether
  /// that is all.
  std::vector<std::string> brief;
  bool isComplete = true;
  /// Only counts and looks for origins: no words are made, which take longest.
  bool isCounting = false;

  /// States the origin of `indicator`; its operands wait their turn.
  std::string step(Id indicator);

  std::string fromBlockArgument(const trace::Event &event);
  std::string fromRegionResult(const trace::Event &event);
  std::string fromDealloc(const DeallocSlot &slot);
  void addSources(const trace::Event &event);
  /// `where` gives words.
  template <class Where> void passed(const trace::Event &event, Where where);
  void fact(const trace::Event &event, trace::Range range, std::string text);
  std::string ask(Id indicator);
  void summarizeRest();
};

} // namespace

void Tracer::fact(const trace::Event &event, trace::Range range,
                  std::string text) {
  if (!isCounting)
    addEvidence(result, {event.id, range, std::move(text)});
}

/// Names the i1, and remembers to explain it too.
std::string Tracer::ask(Id indicator) {
  const trace::Value *value = lookup.value(indicator);
  int constant = lookup.constantOf(indicator);
  if (value && constant < 0 && value->generated &&
      seen.insert(indicator).second)
    pending.push_back(indicator);
  if (constant >= 0)
    origins.insert(constant ? "true" : "false");
  else if (value && !value->generated)
    origins.insert(lookup.name(indicator) + lookup.at(value->range));
  return isCounting ? "" : indicatorExpression(lookup, indicator);
}

template <class Where>
void Tracer::passed(const trace::Event &event, Where where) {
  auto &detail = std::get<SignatureEvent>(event.detail);
  std::string what = ask(detail.indicator);
  if (!isCounting)
    fact(event, lookup.rangeOfOp(event.op), what + " " + where());
}

/// Where an i1 comes from that goes to a block argument or a region op's
/// result.
static std::string wayWords(const Lookup &lookup, IndicatorSource::Way way,
                            const trace::Event &from, Id into) {
  using Way = IndicatorSource::Way;
  std::string op = lookup.opName(from.op);
  std::string with = ", with " + lookup.name(from.value);
  switch (way) {
  case Way::branch:
    return viaWords(lookup, from.block, into,
                    std::get<SignatureEvent>(from.detail).edge) +
           with;
  case Way::entry:
    return "on entry: " + op + " borrows its operand " +
           lookup.name(from.value);
  case Way::noRegion:
    return (op == "scf.for" || op == "affine.for"
                ? "where " + op + " runs no iteration"
                : "where " + op + " enters no region") +
           with;
  case Way::yieldedOn:
    return "yielded by " + lookup.endName(from.block) + with;
  }
  return {};
}

/// "true via ^copy (9:3)".
static std::string briefWords(const Lookup &lookup, const trace::Event &from,
                              Id into) {
  const auto &detail = std::get<SignatureEvent>(from.detail);
  return indicatorExpression(lookup, detail.indicator) + " " +
         viaWords(lookup, from.block, into, detail.edge) +
         lookup.at(lookup.rangeOfOp(from.op));
}

/// All that flows into the i1 of `event`; and that more may, where the trace
/// does not say how an op hands its i1s on.
void Tracer::addSources(const trace::Event &event) {
  IndicatorSources sources = lookup.sourcesOf(event.id);
  const bool isFirst = seen.size() == 1 && !isCounting;
  for (const IndicatorSource &source : sources.all) {
    const trace::Event &from = *lookup.event(source.event);
    passed(from,
           [&] { return wayWords(lookup, source.way, from, event.block); });
    if (isFirst && source.way == IndicatorSource::Way::branch)
      brief.push_back(briefWords(lookup, from, event.block));
    isComplete &= source.way == IndicatorSource::Way::branch;
  }
  if (sources.isComplete)
    return;
  isComplete = false;
  Id indicator = std::get<SignatureEvent>(event.detail).indicator;
  origins.insert("what is not known");
  fact(event, lookup.rangeOfOp(event.op),
       sources.all.empty()
           ? "not known where " + lookup.name(indicator) + " comes from"
           : "not known whether " + lookup.name(indicator) +
                 " has other sources");
}

std::string Tracer::fromBlockArgument(const trace::Event &event) {
  addSources(event);
  return "a block argument of " + lookup.blockName(event.block);
}

std::string Tracer::fromRegionResult(const trace::Event &event) {
  addSources(event);
  return "a result of " + lookup.opAt(event.op);
}

/// Positions of the memrefs that may be owned, and may be the retained one.
static std::vector<size_t>
ownersIn(const Lookup &lookup, const trace::DeallocEvent &detail, Id retained) {
  std::vector<size_t> owners;
  size_t count = std::min(detail.memrefs.size(), detail.conditions.size());
  for (size_t i = 0; i < count; ++i)
    if (lookup.sameAllocation(detail.memrefs[i], retained) !=
            trace::SameAllocation::no &&
        lookup.constantOf(
            lookup.withoutEdge(detail.conditions[i], detail.edge)) != 0)
      owners.push_back(i);
  return owners;
}

std::string Tracer::fromDealloc(const DeallocSlot &slot) {
  const trace::Event &event = *lookup.event(slot.event);
  auto &detail = std::get<trace::DeallocEvent>(event.detail);
  Id retained = slot.position < detail.retained.size()
                    ? detail.retained[slot.position]
                    : none;
  std::vector<size_t> owners = ownersIn(lookup, detail, retained);
  std::string end = "the end of " + lookup.endName(event.block);
  if (owners.empty())
    return "false: no owned memref can be " + lookup.name(retained) + " at " +
           end;
  if (owners.size() == 1 && detail.memrefs[owners[0]] == retained)
    return ask(lookup.withoutEdge(detail.conditions[owners[0]], detail.edge)) +
           ": " + lookup.name(retained) + " is retained at " + end;
  std::vector<std::string> buffers;
  for (size_t i : owners) {
    std::string when =
        ask(lookup.withoutEdge(detail.conditions[i], detail.edge));
    buffers.push_back(lookup.name(detail.memrefs[i]) +
                      (when == "true" ? "" : " (if " + when + ")"));
  }
  return "true where " + lookup.name(retained) + " is " +
         listedFew(std::move(buffers), "or") + ", else false: retained at " +
         end;
}

/// Those that would make the list too long are counted, and their origin named.
void Tracer::summarizeRest() {
  if (pending.empty())
    return;
  isCounting = true;
  origins.clear();
  size_t count = 0;
  // A report walks once for each buffer.
  constexpr size_t maxSteps = 1000;
  for (; !pending.empty() && count < maxSteps; ++count) {
    Id next = pending.front();
    pending.pop_front();
    step(next);
  }
  std::string atLeast = pending.empty() ? "" : "more than ";
  std::vector<std::string> names(origins.begin(), origins.end());
  constexpr size_t maxNames = 6;
  if (names.size() > maxNames) {
    size_t more = names.size() - maxNames;
    names.resize(maxNames);
    names.push_back(std::to_string(more) + " more");
  }
  std::string text = "and " + atLeast +
                     counted(count, "more ownership indicator") +
                     " behind these";
  addEvidence(
      result,
      {none,
       {},
       names.empty() ? text : text + ", which come down to " + listed(names)});
}

std::string Tracer::step(Id indicator) {
  const trace::Value *value = lookup.value(indicator);
  if (!value)
    return {};
  const trace::Event *made = lookup.event(lookup.signatureOf(indicator));
  const bool isPassed =
      made && !lookup.deallocGiving(indicator) &&
      std::get<SignatureEvent>(made->detail).part != SignaturePart::callResult;
  if (value->constant >= 0 && !isPassed)
    return value->constant ? "the constant true" : "the constant false";
  if (auto slot = lookup.deallocGiving(indicator))
    return fromDealloc(*slot);
  if (const trace::Event *event = made) {
    switch (std::get<SignatureEvent>(event->detail).part) {
    case SignaturePart::blockArgument:
      return fromBlockArgument(*event);
    case SignaturePart::regionOpResult:
      return fromRegionResult(*event);
    default:
      origins.insert("what the callee of " + lookup.opAt(event->op) +
                     " returns");
      return "returned by the private callee of " + lookup.opAt(event->op) +
             " with " + lookup.name(event->value);
    }
  }
  if (!value->generated)
    return "a value of the program" + lookup.at(value->range);
  if (const trace::Event *call = callThatMade(lookup, value->op)) {
    std::string made =
        "the result of " + lookup.opName(value->op) +
        (value->standsFor == none ? std::string()
                                  : " on " + lookup.name(value->standsFor)) +
        ", which " + lookup.opAt(call->op) + " made";
    origins.insert(made);
    return made;
  }
  std::string words = indicatorExpression(lookup, indicator);
  if (const trace::Op *op = lookup.op(value->op))
    for (Id operand : op->operands)
      ask(operand);
  return words == lookup.name(indicator) ? std::string() : words;
}

static Tracer tracerOf(const Lookup &lookup, Id indicator) {
  return {.lookup = lookup,
          .result = {},
          .pending = {},
          .seen = {indicator},
          .origins = {},
          .brief = {}};
}

Explanation indicatorInShort(const Lookup &lookup, Id indicator) {
  constexpr size_t most = 3;
  Tracer tracer = tracerOf(lookup, indicator);
  const std::string origin = tracer.step(indicator);
  const std::set<std::string> sources(tracer.brief.begin(), tracer.brief.end());
  if (sources.empty() || !tracer.pending.empty() || !tracer.isComplete ||
      sources.size() > most)
    return explainIndicator(lookup, indicator);
  return {lookup.name(indicator) + " is " + origin + ": " +
              listedFew({sources.begin(), sources.end()}, "and"),
          {},
          {}};
}

Explanation explainIndicator(const Lookup &lookup, Id indicator) {
  // Enough to reach an origin through a few blocks; more would not be read.
  constexpr size_t maxFacts = 16;
  Tracer tracer = tracerOf(lookup, indicator);
  std::string origin = tracer.step(indicator);
  if (origin.empty())
    return {};
  tracer.result.sentence = lookup.name(indicator) + " is " + origin;
  while (!tracer.pending.empty() && tracer.result.evidence.size() < maxFacts) {
    Id next = tracer.pending.front();
    tracer.pending.pop_front();
    size_t before = tracer.result.evidence.size();
    std::string text = tracer.step(next);
    if (text.empty())
      continue;
    Id event = lookup.signatureOf(next);
    if (auto slot = lookup.deallocGiving(next))
      event = slot->event;
    // What it goes with may have no place: it is then where the i1 comes from.
    trace::Range place = lookup.rangeOfValue(next);
    if (const trace::Event *made = lookup.event(event); made && place.empty())
      place = lookup.rangeOfOp(made->op);
    // The i1 is introduced before the facts about it.
    Evidence line{event, place, lookup.name(next) + " is " + text};
    auto &facts = tracer.result.evidence;
    facts.insert(facts.begin() + long(before), std::move(line));
  }
  tracer.summarizeRest();
  return std::move(tracer.result);
}

Explanation explainIndicator(const trace::Trace &trace, Id indicator) {
  return explainIndicator(Lookup(trace), indicator);
}

} // namespace memreflens
