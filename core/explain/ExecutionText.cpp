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

/// "%n", "((%n - 2) / 4)".
static std::string rangeText(const Lookup &lookup, Id function,
                             const trace::LoopRange &range) {
  std::string text = isNumber(range.high, 0)
                         ? std::string()
                         : amountText(lookup, function, range.high);
  bool isSimple = range.high.factors.size() + (range.high.number != 1) <= 1;
  if (!isNumber(range.low, 0)) {
    text +=
        (text.empty() ? "-" : " - ") + amountText(lookup, function, range.low);
    isSimple = false;
  }
  if (range.plus != 0 || text.empty()) {
    const std::string plus =
        std::to_string(range.plus < 0 ? -(range.plus + 1) + 1 : range.plus);
    isSimple = text.empty();
    text += text.empty()     ? std::to_string(range.plus)
            : range.plus < 0 ? " - " + plus
                             : " + " + plus;
  }
  if (!isSimple)
    text = "(" + text + ")";
  if (isNumber(range.step, 1))
    return text;
  const bool isNamed = range.step.factors.size() > 1 ||
                       (!range.step.factors.empty() && range.step.number > 1);
  const std::string step = amountText(lookup, function, range.step);
  return "(" + text + " / " + (isNamed ? "(" + step + ")" : step) + ")";
}

static std::vector<std::string> factorTexts(const Lookup &lookup, Id function,
                                            const Factors &factors) {
  std::vector<std::string> texts;
  for (const trace::Symbol &symbol : factors.symbols)
    texts.push_back(
        symbolText(lookup, function, symbol.value, symbol.dimension));
  for (const trace::LoopRange &range : factors.ranges)
    texts.push_back(rangeText(lookup, function, range));
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
    if (factors.divisor != 1)
      term += " / " + std::to_string(factors.divisor);
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
  std::map<std::vector<Id>, uint64_t> counts;
  for (const ToldKind &told : toldKinds) {
    const PaidCost &paid = costs[told.kind];
    const bool isMain =
        told.kind == CostKind::allocation || told.kind == CostKind::copy;
    if (isBrief && !isMain &&
        paid.times.constant() ==
            std::optional(countOf(*lookup.function(function), told.kind)))
      continue;
    for (const auto &[factors, number] : paid.times.terms)
      if (!factors.openLoops.empty() && number != CostSum::tooMuch)
        counts[factors.openLoops] += number;
    const bool isLong = isBrief && paid.bytes.terms.size() > 2;
    Sums bytes = told.hasBytes && !isLong
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
      bytes.erase(loops);
      byLoops[loops].push_back(std::move(text));
    }
    // As many each time, but not of the same size.
    for (const auto &[loops, size] : bytes)
      byLoops[loops].push_back(boundWords(paid.bytes) + size + " in " +
                               told.nouns);
  }
  // Of several loops the first screen tells of the one that costs most.
  const auto most = std::ranges::max_element(
      counts, {}, [](const auto &entry) { return entry.second; });
  const size_t others = counts.empty() ? 0 : counts.size() - 1;
  std::string text;
  for (const auto &[loops, parts] : byLoops) {
    if (isBrief && others > 1 && !loops.empty() && loops != most->first)
      continue;
    std::string own;
    for (const std::string &part : parts)
      own += (own.empty() ? "" : "; ") + part;
    text += (text.empty() ? "" : "; ") +
            (loops.empty() ? "" : openText(lookup, loops) + ": ") + own;
  }
  if (isBrief && others > 1)
    text += "; and costs in " + std::to_string(others) + " more loops";
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
  const std::vector<Id> open = times.terms.size() == 1
                                   ? times.terms.begin()->first.openLoops
                                   : std::vector<Id>();
  const bool isOpen =
      times.terms.size() != 1 || open == std::vector{site.loops.front()};
  if (isOpen)
    return text;
  if (times.constant() == 1)
    return text + ", once";
  const std::string number =
      boundWords(times) +
      sumTexts(lookup, function, times, plainNumber).begin()->second;
  return text + ", " + number + " times " +
         (open.empty() ? "in a call" : openText(lookup, open));
}

//===--- Growth -----------------------------------------------------------===//

static std::string powerText(unsigned power, const std::string &of) {
  return power == 2   ? "the square of " + of
         : power == 3 ? "the cube of " + of
                      : of + " to the power of " + std::to_string(power);
}

static bool dependsOn(const CostSum &sum, const trace::Symbol &symbol) {
  return std::ranges::any_of(sum.terms, [&](const auto &term) {
    const Factors &factors = term.first;
    return std::ranges::find(factors.symbols, symbol) !=
               factors.symbols.end() ||
           std::ranges::any_of(
               factors.ranges, [&](const trace::LoopRange &range) {
                 return std::ranges::find(range.high.factors, symbol) !=
                        range.high.factors.end();
               });
  });
}

std::string growthText(const Lookup &lookup, Id function,
                       const CallCosts &costs) {
  std::vector<std::string> parts;
  auto add = [&](const std::string &what, const Growth &growth) {
    parts.push_back(what + " grow with " +
                    powerText(growth.power,
                              symbolText(lookup, function, growth.symbol.value,
                                         growth.symbol.dimension)));
  };
  for (const ToldKind &told : toldKinds) {
    const PaidCost &paid = costs[told.kind];
    const std::optional<Growth> times = growthOf(paid.times),
                                bytes = growthOf(paid.bytes);
    if (times)
      add(told.nouns, *times);
    // A size that is a product is no growth, but each round of a loop pays it.
    if (told.hasBytes && bytes && (!times || bytes->power > times->power) &&
        dependsOn(paid.times, bytes->symbol))
      add("bytes of " + std::string(told.nouns), *bytes);
  }
  return listed(parts);
}

} // namespace memreflens
