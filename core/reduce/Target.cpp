//===- core/reduce/Target.cpp - the things of a trace ---------------------===//

#include "core/reduce/Target.h"
#include "core/check/Rules.h"
#include "core/explain/DecisionText.h"
#include "core/explain/FateHeadline.h"
#include "core/explain/FateText.h"
#include "core/explain/Words.h"
#include "core/trace/Names.h"
#include "core/trace/Plan.h"

#include <algorithm>
#include <cctype>
#include <cstring>
#include <set>

namespace memreflens {

using trace::Id;
using trace::none;

std::string_view nameOf(ReduceKind kind) {
  switch (kind) {
  case ReduceKind::check:
    return "check";
  case ReduceKind::clone:
    return "clone";
  case ReduceKind::finding:
    return "finding";
  case ReduceKind::rejection:
    return "rejection";
  case ReduceKind::crash:
    return "crash";
  }
  return {};
}

/// The end of `<...>`, `'...'` or `"..."` that begins at `at`; `at` if none.
static size_t endOfQuoted(std::string_view text, size_t at) {
  if (text[at] != '<')
    return at;
  int depth = 0;
  for (size_t end = at; end < text.size(); ++end) {
    depth += text[end] == '<';
    // `->` inside of a map is no bracket.
    depth -= text[end] == '>' && text[end - 1] != '-';
    if (depth == 0)
      return end + 1;
  }
  return at;
}

std::string withoutDetails(std::string_view message) {
  std::string text;
  for (size_t at = 0; at < message.size();) {
    unsigned char letter = static_cast<unsigned char>(message[at]);
    if (letter == '%' || letter == '@') {
      text += char(letter);
      for (++at; at < message.size() &&
                 (std::isalnum(static_cast<unsigned char>(message[at])) ||
                  std::strchr("_#$.-", message[at]));)
        ++at;
    } else if (std::isdigit(letter)) {
      text += '0';
      while (at < message.size() &&
             std::isdigit(static_cast<unsigned char>(message[at])))
        ++at;
    } else if (size_t end = endOfQuoted(message, at); end != at) {
      text += "<>";
      at = end;
    } else {
      text += char(letter);
      ++at;
    }
  }
  return text;
}

namespace {
/// Reads the things off a trace.
class Lister {
public:
  Lister(const Lookup &lookup, const CheckInputs &seen)
      : lookup(lookup), trace(lookup.getTrace()), seen(seen) {}
  std::vector<Choice> run();

private:
  void add(const trace::Event &event, const trace::CloneEvent &clone);
  void add(const trace::Event &event, const trace::LoweringEvent &lowering);
  void add(const trace::Event &event, const trace::RejectionEvent &rejection);
  template <class Other> void add(const trace::Event &, const Other &) {}
  void addFaults();
  void addFindings();
  Choice &push(ReduceKind kind, Id function, std::string signature);
  Choice &push(ReduceKind kind, const trace::Event &event,
               std::string signature);

  Id usersOp(Id op) const;
  Id usersValue(Id value) const;
  Id terminatorOf(Id block) const;
  std::string opName(Id op) const;
  std::string ownedWords(Id buffer, Id lowering) const;
  Id bufferFreed(const trace::LoweringEvent &lowering) const;
  std::vector<std::string> causesOf(const trace::LoweringEvent &lowering,
                                    Id buffer) const;
  bool isTraced(Id function) const;

  const Lookup &lookup;
  const trace::Trace &trace;
  const CheckInputs &seen;
  std::vector<Choice> choices;
};
} // namespace

//===--- The user's things behind those of the trace ----------------------===//

Id Lister::usersOp(Id op) const {
  for (int steps = 0; steps < 8; ++steps) {
    const trace::Op *known = lookup.op(op);
    if (!known || !known->generated)
      return known ? op : none;
    op = known->origin;
  }
  return none;
}

Id Lister::usersValue(Id value) const {
  value = lookup.bufferOf(value);
  for (int steps = 0; steps < 8; ++steps) {
    const trace::Value *known = lookup.value(value);
    if (!known || !known->generated)
      return known ? value : none;
    value = known->standsFor;
  }
  return none;
}

Id Lister::terminatorOf(Id block) const {
  const trace::Block *known = lookup.block(block);
  return known && !known->ops.empty() ? known->ops.back() : none;
}

std::string Lister::opName(Id op) const {
  const trace::Op *known = lookup.op(op);
  return known ? known->name.str() : "";
}

bool Lister::isTraced(Id function) const {
  const trace::Function *known = lookup.function(function);
  return known && known->status == trace::FunctionStatus::traced;
}

Choice &Lister::push(ReduceKind kind, Id function, std::string signature) {
  Choice &choice = choices.emplace_back();
  choice.target.kind = kind;
  choice.target.function = function;
  choice.target.signature = std::move(signature);
  if (const trace::Function *known = lookup.function(function))
    choice.target.readsFreed = known->upstreamReadsFreedMemory;
  return choice;
}

Choice &Lister::push(ReduceKind kind, const trace::Event &event,
                     std::string signature) {
  Choice &choice = push(kind, event.function, std::move(signature));
  choice.event = event.id;
  choice.range = rangeOfEvent(lookup, event);
  choice.words = explainEvent(lookup, event.id);
  return choice;
}

//===--- Copies -----------------------------------------------------------===//

void Lister::add(const trace::Event &event, const trace::CloneEvent &clone) {
  if (!lookup.op(event.op) || lookup.isErased(event.op) ||
      !isTraced(event.function) || lookup.isNeverMade(clone))
    return;
  std::string signature = "demand=" + std::string(nameOf(clone.demand));
  signature += lookup.isConditional(clone) ? " conditional" : " always";
  signature += " ownership=" + std::string(nameOf(clone.ownership.state));
  if (const trace::Event *because = lookup.event(clone.because))
    if (const auto *made = std::get_if<trace::OwnershipEvent>(&because->detail))
      signature += " rule=" + std::string(nameOf(made->rule));
  Choice &choice = push(ReduceKind::clone, event, std::move(signature));
  choice.target.value = usersValue(event.value);
  choice.ops = {usersOp(event.op), terminatorOf(event.block)};
}

//===--- Run-time checks --------------------------------------------------===//

Id Lister::bufferFreed(const trace::LoweringEvent &lowering) const {
  for (Id freed : lowering.freed)
    if (Id value = usersValue(freed); value != none)
      return value;
  return none;
}

/// Why the analysis could not tell the buffer from others, each rule once.
std::vector<std::string> Lister::causesOf(const trace::LoweringEvent &lowering,
                                          Id buffer) const {
  std::set<std::string> causes;
  for (Id id : lookup.rewritesOf(lowering.dealloc))
    if (const auto *rewrite =
            std::get_if<trace::RewriteEvent>(&lookup.event(id)->detail))
      for (const trace::AliasFact &fact : rewrite->facts)
        if (fact.answer == trace::SameAllocation::unknown &&
            (buffer == none || usersValue(fact.first) == buffer ||
             usersValue(fact.second) == buffer))
          causes.insert(std::string(nameOf(fact.rule)));
  return {causes.begin(), causes.end()};
}

/// When the function owns what is freed there, if the facts tell.
std::string Lister::ownedWords(Id buffer, Id lowering) const {
  trace::Fate fate = trace::fateOf(lookup.getIndex(), buffer);
  for (const trace::Freed &freed : fate.frees)
    if (freed.event == lowering) {
      Id condition = conditionOfFree(lookup, freed);
      int known = condition == none ? 1 : lookup.constantOf(condition);
      return known < 0 ? "sometimes" : known ? "always" : "never";
    }
  return "unknown";
}

void Lister::add(const trace::Event &event,
                 const trace::LoweringEvent &lowering) {
  if (!isTraced(event.function))
    return;
  bool compares = false, calls = false, tests = false, frees = false;
  for (Id id : lowering.ops) {
    std::string name = lookup.isErased(id) ? "" : opName(id);
    compares |= name == "arith.cmpi";
    calls |= name == "func.call";
    tests |= name == "scf.if";
    frees |= name == "memref.dealloc";
  }
  // An scf.if that only ever goes one way is folded, and erased.
  if (!compares && !calls && !(tests && frees))
    return;
  Id buffer = bufferFreed(lowering);
  std::string owned = ownedWords(buffer, event.id);
  bool isPlain = !calls && !compares;
  // The code for it is there, but it only ever goes one way.
  if (isPlain && owned != "sometimes")
    return;
  std::string signature = calls      ? "dealloc_helper"
                          : compares ? "compares"
                                     : "condition";
  signature += frees ? " frees" : "";
  if (const trace::Value *value = lookup.value(buffer))
    signature += value->op == none ? " of an argument" : " of a result";
  signature += " owned=" + owned;
  std::vector<std::string> causes = causesOf(lowering, buffer);
  if (!isPlain)
    for (const std::string &cause : causes)
      push(ReduceKind::check, event, signature + " cause=" + cause);
  if (causes.empty() || isPlain)
    push(ReduceKind::check, event, std::move(signature));
  size_t count = isPlain ? 1 : std::max<size_t>(causes.size(), 1);
  for (size_t i = choices.size() - count; i < choices.size(); ++i) {
    choices[i].target.value = buffer;
    choices[i].ops = {terminatorOf(event.block)};
    if (isPlain)
      choices[i].words = {explainFate(lookup, buffer).headline, {}, {}};
    if (const trace::Value *value = lookup.value(buffer))
      choices[i].ops.push_back(value->op);
    else
      choices[i].target.op = terminatorOf(event.block);
    // Buffers are freed where their block ends.
    if (choices[i].range.empty())
      choices[i].range = lookup.rangeOfOp(terminatorOf(event.block));
  }
}

//===--- Rejections and crashes -------------------------------------------===//

void Lister::add(const trace::Event &event,
                 const trace::RejectionEvent &rejection) {
  // What takes long takes long to try as well.
  if (rejection.cause == trace::RejectionCause::stageTimedOut)
    return;
  const trace::Function *function = lookup.function(event.function);
  bool died = rejection.cause == trace::RejectionCause::stageCrashed;
  std::string signature = std::string(nameOf(rejection.cause));
  if (!died)
    signature +=
        ": " + withoutDetails(rejection.message) + " at " + opName(event.op);
  else
    signature += ": " + std::to_string(event.stage) + " " +
                 withoutDetails(rejection.message);
  Choice &choice = push(died ? ReduceKind::crash : ReduceKind::rejection, event,
                        std::move(signature));
  choice.target.stage = event.stage;
  Id op = usersOp(event.op);
  if (op != none && function && op != function->op)
    choice.target.op = op;
  choice.target.value = usersValue(event.value);
  choice.ops = {op};
  for (Id witness : rejection.witnesses)
    choice.ops.push_back(usersOp(witness));
}

Choice upstreamCrash(const Lookup &lookup, Id function, int stage,
                     const ChildEnd &end) {
  Choice choice;
  Target &target = choice.target;
  target.kind = ReduceKind::crash;
  target.function = function;
  target.stage = stage;
  target.ofUpstream = true;
  target.readsFreed = true;
  const trace::Function *known = lookup.function(function);
  bool readsFreed = known && known->upstreamReadsFreedMemory;
  // The ending of who reads freed memory is anybody's guess.
  target.signature =
      readsFreed ? "upstream reads freed memory"
                 : "upstream: " + std::to_string(stage) + " " + deathWords(end);
  if (known) {
    choice.range = known->nameRange;
    choice.ops = {known->op};
  }
  choice.words.sentence =
      "MLIR's own " + std::string(trace::stageName({}, std::max(1, stage))) +
      " " + deathWords(end) + " on this program";
  if (readsFreed)
    choice.words.sentence +=
        ": it reads freed memory, since a result of an op that the pass "
        "rebuilds is a live-out of its block";
  return choice;
}

//===--- Findings ---------------------------------------------------------===//

/// What the explorer found; the rest of the findings are read off a report.
void Lister::addFaults() {
  for (const Explored &explored : seen.explored)
    for (const MemoryFault &fault : explored.result.faults) {
      if (!explored.hasRuleFor(fault.kind))
        continue;
      bool isUse = fault.kind == FaultKind::useAfterFree;
      std::string signature =
          std::string(ruleOf(fault.kind).text()) +
          (explored.isInput ? " as written" : "") +
          (isUse ? " by " + opName(fault.at.op) : std::string());
      Choice &choice = push(ReduceKind::finding, explored.function, signature);
      choice.target.rule = ruleOf(fault.kind);
      choice.target.value = usersValue(fault.value);
      choice.ops = {usersOp(fault.at.op), usersOp(fault.allocation.op)};
      if (choice.target.value == none)
        choice.target.op = usersOp(fault.allocation.op);
      if (fault.kind == FaultKind::leak)
        std::swap(choice.ops[0], choice.ops[1]);
      choice.range = lookup.rangeOfOp(choice.ops[0]);
      choice.words.sentence =
          fault.at.text + (explored.isInput ? " (as written)" : "");
      for (const PathStep &step : fault.path)
        choice.words.evidence.push_back(
            {none,
             step.offset < 0 ? trace::Range()
                             : trace::Range{uint32_t(step.offset),
                                            uint32_t(step.offset) + 1},
             step.text});
    }
}

static bool isFaultRule(std::string_view rule) {
  for (int kind = 0; kind <= int(FaultKind::constantWritten); ++kind)
    if (ruleOf(FaultKind(kind)) == rule)
      return true;
  return false;
}

void Lister::addFindings() {
  FileReport report = collectFindings(lookup, seen);
  const LineIndex &lines = lookup.getLines();
  for (const Finding &finding : report.findings) {
    const Rule *rule = findRule(finding.rule);
    if (!rule || isFaultRule(finding.rule) || finding.place.line == 0 ||
        finding.place.line > lines.lineCount())
      continue;
    uint32_t offset =
        lines.startOf(finding.place.line) + finding.place.column - 1;
    Id function = lookup.getIndex().functionAt(offset);
    Choice &choice =
        push(ReduceKind::finding, function,
             finding.rule + " " + std::string(nameOf(finding.severity)));
    choice.target.rule = finding.rule;
    Id op = usersOp(lookup.getIndex().opAt(offset));
    const trace::Function *known = lookup.function(function);
    if (op != none && known && op != known->op)
      choice.target.op = op;
    choice.ops = {op};
    choice.range = {offset, offset + 1};
    choice.words.sentence = finding.message;
    for (const FindingNote &note : finding.related)
      choice.words.evidence.push_back({none, {}, note.text});
  }
}

std::vector<Choice> Lister::run() {
  for (const trace::Event &event : trace.events)
    std::visit([&](const auto &detail) { add(event, detail); }, event.detail);
  addFaults();
  addFindings();
  return std::move(choices);
}

std::vector<Choice> choicesOf(const Lookup &lookup, const CheckInputs &seen) {
  return Lister(lookup, seen).run();
}

const Choice *find(const Target &target, const std::vector<Choice> &choices) {
  for (const Choice &choice : choices) {
    const Target &other = choice.target;
    if (other.kind == target.kind && other.rule == target.rule &&
        other.signature == target.signature && other.op == target.op &&
        other.value == target.value && other.function == target.function &&
        (target.readsFreed || !other.readsFreed))
      return &choice;
  }
  return nullptr;
}

} // namespace memreflens
