//===- core/explain/DecisionText.cpp --------------------------------------===//

#include "core/explain/DecisionText.h"
#include "core/explain/DecisionParts.h"
#include "core/explain/IndicatorText.h"
#include "core/explain/Words.h"

#include <algorithm>

namespace memreflens {

using trace::Id;
using trace::none;

trace::Range rangeOfEvent(const Lookup &lookup, const trace::Event &event) {
  trace::Range range = lookup.rangeOfOp(event.op);
  if (range.empty())
    range = lookup.rangeOfValue(event.value);
  if (const trace::Block *block = lookup.block(event.block);
      block && range.empty())
    range = block->nameRange;
  return range;
}

Explanation explainEvent(const Lookup &lookup, Id id) {
  const trace::Event *event = lookup.event(id);
  if (!event)
    return {};
  Explanation words = std::visit(
      [&](const auto &detail) { return wordsFor(lookup, *event, detail); },
      event->detail);
  if (const trace::Problem *note = assumptionAbout(lookup, event->op))
    addEvidence(words, {none, note->range, note->message});
  return words;
}

const trace::Problem *assumptionAbout(const Lookup &lookup, Id op) {
  const trace::Op *known = lookup.op(op);
  const trace::Trace &trace = lookup.getTrace();
  if (trace.options.unregistered == trace::UnregisteredOps::reject || !known ||
      known->nameRange.empty())
    return nullptr;
  auto begin = [](const trace::Problem &note) { return note.range.begin; };
  for (const trace::Problem &problem : trace.problems) {
    if (problem.severity != trace::Severity::note || problem.function == none)
      continue;
    // In program order, as the pass met them.
    auto at = std::ranges::lower_bound(problem.notes, known->nameRange.begin,
                                       {}, begin);
    if (at != problem.notes.end() && at->range == known->nameRange)
      return &*at;
  }
  return nullptr;
}

Explanation explainEvent(const trace::Trace &trace, Id event) {
  return explainEvent(Lookup(trace), event);
}

//===--- Stages and liveness ----------------------------------------------===//

std::string stageName(const Lookup &lookup, const trace::Event &event) {
  const auto &chunks = lookup.getTrace().chunks;
  if (event.chunk >= 0 && size_t(event.chunk) < chunks.size())
    for (const trace::Stage &stage : chunks[event.chunk].stages)
      if (stage.number == event.stage && !stage.name.empty())
        return stage.name;
  return "stage " + std::to_string(event.stage);
}

Explanation wordsFor(const Lookup &lookup, const trace::Event &event,
                     const trace::StageEvent &detail) {
  return {stageName(lookup, event) +
              (detail.changed ? " changed the IR" : " changed nothing"),
          {},
          {}};
}

std::string agreementWords(const trace::Stage &stage) {
  switch (stage.agreement) {
  case trace::Agreement::notCompared:
    return {};
  case trace::Agreement::identical:
    return "identical with what the tool's pass made";
  case trace::Agreement::different:
    return "not what the tool's pass made, whose IR is shown; " +
           stage.difference;
  case trace::Agreement::taken:
    return "as the tool's pass made it, which memref-lens does not trace";
  case trace::Agreement::notReached:
    return "the tool did not run this pass to its end: it would have made this";
  }
  return {};
}

Explanation wordsFor(const Lookup &lookup, const trace::Event &event,
                     const trace::LivenessEvent &detail) {
  Explanation result;
  std::string block = lookup.blockName(event.block);
  std::vector<std::string> merged;
  // A block that was made anew goes by the name of the first of them.
  Id begin = lookup.getPassBlocks().beginOf(event.block);
  for (Id one : detail.merged)
    if (one != begin)
      merged.push_back(lookup.blockName(one));
  if (!merged.empty())
    block += " with " + listed(merged) + ", merged into it before the pass";
  if (detail.liveIn.empty() && detail.liveOut.empty()) {
    result.sentence = "no memref is live-in or live-out of " + block;
    return result;
  }
  std::vector<std::string> parts;
  if (!detail.liveIn.empty())
    parts.push_back("live-in of " + block + ": " +
                    names(lookup, detail.liveIn));
  if (!detail.liveOut.empty())
    parts.push_back("live-out of " + block + ": " +
                    names(lookup, detail.liveOut));
  result.sentence = parts.front() + (parts.size() > 1 ? "; " + parts[1] : "");
  size_t count = std::min(detail.liveOut.size(), detail.keptAliveBy.size());
  for (size_t i = 0; i < count; ++i)
    if (detail.keptAliveBy[i] != none)
      addEvidence(result, {event.id, lookup.rangeOfOp(detail.keptAliveBy[i]),
                           lookup.name(detail.liveOut[i]) + " is used by " +
                               lookup.opName(detail.keptAliveBy[i])});
  return result;
}

//===--- Calls into other dialects ----------------------------------------===//

const trace::Event *callThatMade(const Lookup &lookup, Id op) {
  for (Id id : lookup.getIndex().eventsNamingOp(op)) {
    const trace::Event *event = lookup.event(id);
    auto *call = std::get_if<trace::InterfaceEvent>(&event->detail);
    if (call && std::ranges::find(call->made, op) != call->made.end())
      return event;
  }
  return nullptr;
}

/// "it put a.b in its place and made c.d and e.f".
static std::string deedsOf(const Lookup &lookup, const trace::Event &event,
                           const trace::InterfaceEvent &detail) {
  const bool isReplaced =
      detail.call == trace::InterfaceCall::process && detail.now != event.op;
  std::vector<std::string> made, did;
  std::vector<std::pair<std::string, size_t>> kinds;
  for (Id op : detail.made) {
    if (op == detail.now)
      continue;
    auto known = std::ranges::find(kinds, lookup.opName(op),
                                   &std::pair<std::string, size_t>::first);
    if (known == kinds.end())
      kinds.push_back({lookup.opName(op), 1});
    else
      ++known->second;
  }
  for (const auto &[name, count] : kinds)
    made.push_back((count == 1 ? "" : std::to_string(count) + " ") + name);
  if (isReplaced)
    did.push_back(detail.now == none ? "it erased itself"
                                     : "it put " + lookup.opName(detail.now) +
                                           " in its place");
  if (!made.empty())
    did.push_back((did.empty() ? "it made " : "made ") + listed(made));
  if (detail.changes.empty())
    did.push_back(did.empty() ? "it changed no ownership"
                              : "changed no ownership");
  return listed(did);
}

Explanation wordsFor(const Lookup &lookup, const trace::Event &event,
                     const trace::InterfaceEvent &detail) {
  Explanation result;
  const bool asked = detail.call == trace::InterfaceCall::materialize;
  result.sentence = lookup.opName(event.op);
  if (asked)
    result.sentence += " was asked who owns " + lookup.name(event.value) +
                       " (its materializeUniqueOwnershipForMemref)";
  else
    result.sentence += " handles its own deallocation (its process)";
  if (std::string deeds = deedsOf(lookup, event, detail); !deeds.empty())
    result.sentence += "; " + deeds;
  if (detail.indicator != none)
    result.sentence +=
        "; the answer is " + indicatorExpression(lookup, detail.indicator);
  for (Id change : detail.changes)
    addEvidence(result, {change, lookup.rangeOfOp(event.op),
                         explainEvent(lookup, change).sentence});
  return result;
}

} // namespace memreflens
