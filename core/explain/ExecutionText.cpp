//===- core/explain/ExecutionText.cpp -------------------------------------===//

#include "core/explain/ExecutionText.h"
#include "core/explain/Words.h"
#include "core/text/Bytes.h"
#include "core/trace/Names.h"
#include "core/trace/Symbol.h"

#include <algorithm>
#include <map>

namespace memreflens {

using trace::CostKind;
using trace::Id;
using trace::none;

//===--- Factors ----------------------------------------------------------===//

/// "@g's ", where the value is of another function than that at hand.
static std::string ofFunction(const Lookup &lookup, Id function, Id value) {
  const trace::Value *known = lookup.value(value);
  const trace::Block *block = known ? lookup.block(known->block) : nullptr;
  const trace::Function *home =
      block ? lookup.function(block->function) : nullptr;
  return home && home->id != function ? trace::symbolText(home->name) + "'s "
                                      : std::string();
}

static std::string symbolText(const Lookup &lookup, Id function, Id value,
                              int64_t dimension) {
  const std::string name =
      ofFunction(lookup, function, value) + lookup.name(value);
  return dimension < 0 ? name
                       : "dim(" + name + ", " + std::to_string(dimension) + ")";
}

/// "4 * %n".
static std::string amountText(const Lookup &lookup, Id function,
                              const trace::Amount &amount) {
  std::string text;
  for (const trace::Symbol &symbol : amount.factors)
    text += (text.empty() ? "" : " * ") +
            symbolText(lookup, function, symbol.value, symbol.dimension);
  if (text.empty())
    return std::to_string(amount.number);
  return amount.number == 1 ? text
                            : std::to_string(amount.number) + " * " + text;
}

static bool isNumber(const trace::Amount &amount, int64_t number) {
  return amount.factors.empty() && amount.number == number;
}

/// "%n", "((%n - 2) / 4)".
static std::string rangeText(const Lookup &lookup, Id function,
                             const trace::LoopRange &range) {
  std::string text = amountText(lookup, function, range.high);
  bool isSimple = range.high.factors.size() + (range.high.number != 1) <= 1;
  if (!isNumber(range.low, 0)) {
    text = "(" + text + " - " + amountText(lookup, function, range.low) + ")";
    isSimple = true;
  }
  if (!isNumber(range.step, 1)) {
    const bool isNamed = range.step.factors.size() > 1 ||
                         (!range.step.factors.empty() && range.step.number > 1);
    text = (isSimple ? text : "(" + text + ")") + " / " +
           (isNamed ? "(" + amountText(lookup, function, range.step) + ")"
                    : amountText(lookup, function, range.step));
    return "(" + text + ")";
  }
  return isSimple ? text : "(" + text + ")";
}

static const trace::LoopRounds *loopOf(const Lookup &lookup, Id function,
                                       Id loop) {
  // Of a callee, where the factor comes from there.
  const trace::Op *op = lookup.op(loop);
  const trace::Block *block = op ? lookup.block(op->block) : nullptr;
  const trace::Function *home =
      lookup.function(block ? block->function : function);
  if (!home)
    return nullptr;
  for (const trace::LoopRounds &one : home->loops)
    if (one.op == loop)
      return &one;
  return nullptr;
}

static std::vector<std::string> factorTexts(const Lookup &lookup, Id function,
                                            const Factors &factors) {
  std::vector<std::string> texts;
  for (Id loop : factors.loops) {
    const trace::LoopRounds *known = loopOf(lookup, function, loop);
    for (const trace::LoopRange &range :
         known ? known->ranges : std::vector<trace::LoopRange>())
      texts.push_back(rangeText(lookup, function, range));
  }
  for (const auto &[value, dimension] : factors.symbols)
    texts.push_back(symbolText(lookup, function, value, dimension));
  return texts;
}

static std::string loopName(const Lookup &lookup, Id loop) {
  return loop == none ? "a loop of branches" : lookup.opAt(loop);
}

/// "in each iteration of scf.while (5:3)", of those of which nothing is known.
static std::string openText(const Lookup &lookup,
                            const std::vector<Id> &loops) {
  std::vector<std::string> names;
  for (Id loop : loops)
    names.push_back(loopName(lookup, loop));
  return "in each iteration of " + listed(names);
}

static std::string plainNumber(uint64_t number) {
  return number == CostSum::tooMuch ? "very many" : trace::grouped(number);
}

static std::string plainBytes(uint64_t bytes) {
  return bytes == CostSum::tooMuch ? "very many bytes"
                                   : memreflens::bytesText(bytes);
}

using NumberText = std::string (*)(uint64_t);
/// By the open loops that terms are in: those in none first.
using Sums = std::map<std::vector<Id>, std::string>;

static Sums sumTexts(const Lookup &lookup, Id function, const CostSum &sum,
                     NumberText numberText) {
  Sums byLoops;
  for (const auto &[factors, number] : sum.terms) {
    std::string &text = byLoops[factors.openLoops];
    const std::vector<std::string> names =
        factorTexts(lookup, function, factors);
    const bool isOne = number == 1 && numberText == plainNumber;
    std::string term =
        isOne && !names.empty() ? std::string() : numberText(number);
    for (const std::string &name : names)
      term += (term.empty() ? "" : " * ") + name;
    text += (text.empty() ? "" : " + ") + term;
  }
  return byLoops;
}

/// "at least ", where a sum is a bound; empty where it is exact.
static std::string boundWords(const CostSum &sum) {
  return sum.isAtLeast && sum.isAtMost ? "about "
         : sum.isAtLeast               ? "at least "
         : sum.isAtMost                ? "up to "
                                       : "";
}

static std::string sumText(const Lookup &lookup, Id function,
                           const CostSum &sum, NumberText numberText) {
  std::string text;
  for (const auto &[loops, terms] : sumTexts(lookup, function, sum, numberText))
    text += (text.empty() ? "" : ", and ") + terms +
            (loops.empty() ? "" : " " + openText(lookup, loops));
  if (text.empty())
    return sum.isAtLeast ? "not known" : numberText(0);
  return boundWords(sum) + text;
}

std::string timesText(const Lookup &lookup, Id function, const CostSum &sum) {
  return sumText(lookup, function, sum, plainNumber);
}

std::string bytesText(const Lookup &lookup, Id function, const CostSum &sum) {
  return sumText(lookup, function, sum, plainBytes);
}

//===--- Of a call --------------------------------------------------------===//

namespace {
struct ToldKind {
  CostKind kind;
  const char *noun, *nouns;
  bool hasBytes;
};
} // namespace

static constexpr ToldKind toldKinds[] = {
    {CostKind::allocation, "allocation", "allocations", true},
    {CostKind::clone, "clone", "clones", true},
    {CostKind::copy, "copy", "copies", true},
    {CostKind::check, "run-time alias check", "run-time alias checks", false},
    {CostKind::helper, "dealloc_helper call", "dealloc_helper calls", false},
    {CostKind::list, "list for dealloc_helper", "lists for dealloc_helper",
     true},
    {CostKind::stack, "allocation on the stack", "allocations on the stack",
     true}};

/// Of ops in the text of the function.
static uint64_t countOf(const trace::Function &function, CostKind kind) {
  return uint64_t(
      std::ranges::count(function.costs, kind, &trace::CostSite::kind));
}

std::string callCostText(const Lookup &lookup, Id function,
                         const CallCosts &costs, CallDetail detail) {
  const bool isBrief = detail == CallDetail::brief;
  // What each iteration of an open loop costs is told by itself.
  std::map<std::vector<Id>, std::vector<std::string>> byLoops;
  for (const ToldKind &told : toldKinds) {
    const PaidCost &paid = costs[told.kind];
    const bool isMain =
        told.kind == CostKind::allocation || told.kind == CostKind::copy;
    if (isBrief && !isMain &&
        paid.times.constant() ==
            std::optional(countOf(*lookup.function(function), told.kind)))
      continue;
    const bool isLong = isBrief && paid.bytes.terms.size() > 2;
    const Sums bytes = told.hasBytes && !isLong
                           ? sumTexts(lookup, function, paid.bytes, plainBytes)
                           : Sums();
    for (const auto &[loops, times] :
         sumTexts(lookup, function, paid.times, plainNumber)) {
      const std::string bound = boundWords(paid.times);
      std::string text =
          bound + times + " " + (times == "1" ? told.noun : told.nouns);
      if (auto known = bytes.find(loops); known != bytes.end())
        text += ", " +
                (boundWords(paid.bytes) == bound ? std::string()
                                                 : boundWords(paid.bytes)) +
                known->second;
      byLoops[loops].push_back(std::move(text));
    }
  }
  std::string text;
  for (const auto &[loops, parts] : byLoops) {
    std::string own;
    for (const std::string &part : parts)
      own += (own.empty() ? "" : "; ") + part;
    text += (text.empty() ? "" : "; ") +
            (loops.empty() ? "" : openText(lookup, loops) + ": ") + own;
  }
  return text;
}

bool differsFromText(const trace::Function &function, const CallCosts &costs) {
  return std::ranges::any_of(toldKinds, [&](const ToldKind &told) {
    const PaidCost &paid = costs[told.kind];
    return !paid.times.empty() &&
           paid.times.constant() != std::optional(countOf(function, told.kind));
  });
}

//===--- Of one cost ------------------------------------------------------===//

std::string loopsText(const Lookup &lookup, Executions &executions, Id function,
                      const trace::CostSite &site) {
  if (site.loops.empty())
    return {};
  std::string text =
      "in each iteration of " + loopName(lookup, site.loops.front());
  const CostSum times = executions.timesOf(function, site);
  const bool isOpen =
      times.terms.size() != 1 || !times.terms.begin()->first.openLoops.empty();
  if (isOpen)
    return text;
  const std::optional<uint64_t> constant = times.constant();
  if (constant == 1)
    return text + ", once";
  return text + ", " + timesText(lookup, function, times) + " times in a call";
}

} // namespace memreflens
