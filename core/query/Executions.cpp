//===- core/query/Executions.cpp ------------------------------------------===//

#include "core/query/Executions.h"

#include <algorithm>
#include <set>
#include <vector>

namespace memreflens {

using trace::Amount;
using trace::CostKind;
using trace::Id;
using trace::LoopRange;
using trace::none;
using trace::Symbol;

/// More make no sense to a reader.
static constexpr size_t mostTerms = 32;

static uint64_t timesOrTooMuch(uint64_t one, uint64_t other) {
  uint64_t result = 0;
  return __builtin_mul_overflow(one, other, &result) ? CostSum::tooMuch
                                                     : result;
}

static uint64_t sumOrTooMuch(uint64_t one, uint64_t other) {
  uint64_t result = 0;
  return __builtin_add_overflow(one, other, &result) ? CostSum::tooMuch
                                                     : result;
}

/// In one order, whatever was multiplied first.
static Factors sorted(Factors factors) {
  std::ranges::sort(factors.symbols);
  std::ranges::sort(factors.ranges);
  return factors;
}

void CostSum::add(uint64_t number, Factors factors) {
  if (number == 0)
    return;
  factors = sorted(std::move(factors));
  auto term = terms.find(factors);
  if (term == terms.end() && terms.size() >= mostTerms) {
    isAtLeast = true;
    return;
  }
  uint64_t &sum = terms[std::move(factors)];
  sum = sumOrTooMuch(sum, number);
}

std::optional<uint64_t> CostSum::constant() const {
  if (terms.empty())
    return 0;
  return terms.size() == 1 && terms.begin()->first.empty()
             ? std::optional(terms.begin()->second)
             : std::nullopt;
}

const PaidCost &CallCosts::operator[](CostKind kind) const {
  static const PaidCost nothing;
  auto entry = byKind.find(kind);
  return entry == byKind.end() ? nothing : entry->second;
}

Executions::Executions(const Lookup &lookup) : lookup(lookup) {}

//===--- Products ---------------------------------------------------------===//

void Executions::multiply(CostProduct &product, const Amount &by) const {
  product.number = timesOrTooMuch(product.number, uint64_t(by.number));
  for (const Symbol &symbol : by.factors)
    product.factors.symbols.push_back(namedAs(symbol));
}

void Executions::multiply(CostProduct &product, const LoopRange &by) const {
  const bool isAmount = isNumber(by.low, 0) && isNumber(by.step, 1) &&
                        by.plus == 0 && !by.high.factors.empty();
  if (isAmount)
    return multiply(product, by.high);
  const bool isConstant = by.low.factors.empty() && by.high.factors.empty() &&
                          by.step.factors.empty();
  if (const std::optional<int64_t> value = valueOf(by); isConstant && value) {
    product.number =
        timesOrTooMuch(product.number, uint64_t(std::max<int64_t>(*value, 0)));
    return;
  }
  LoopRange range = by;
  for (Amount *amount : {&range.low, &range.high, &range.step}) {
    for (Symbol &symbol : amount->factors)
      symbol = namedAs(symbol);
    std::ranges::sort(amount->factors);
  }
  product.factors.ranges.push_back(std::move(range));
}

//===--- Loops ------------------------------------------------------------===//

const trace::LoopRounds *Executions::roundsOf(Id function, Id loop) const {
  if (loop == none)
    return nullptr;
  for (const trace::LoopRounds &one : lookup.function(function)->loops)
    if (one.op == loop)
      return &one;
  return nullptr;
}

bool Executions::isMadeIn(Id value, Id loop, int depth) const {
  const trace::Value *known = lookup.value(value);
  Id block = known ? known->block : none;
  bool isInside = false;
  for (int up = 0; block != none && up < 1000 && !isInside; ++up) {
    const trace::Block *home = lookup.block(block);
    const trace::Op *around = home ? lookup.op(home->parentOp) : nullptr;
    if (!around)
      break;
    isInside = around->id == loop;
    block = around->block;
  }
  if (!isInside)
    return false;
  // What is computed in a loop may be the same in each iteration.
  constexpr int deepest = 16;
  const LoopRange *range = depth < deepest ? computed(value) : nullptr;
  if (!range)
    return true;
  for (const Amount *amount : {&range->low, &range->high, &range->step})
    for (const Symbol &symbol : amount->factors)
      if (isMadeIn(symbol.value, loop, depth + 1))
        return true;
  return false;
}

bool Executions::isVaried(const CostProduct &product, Id loop) const {
  auto isMade = [&](const Symbol &symbol) {
    return isMadeIn(symbol.value, loop);
  };
  return std::ranges::any_of(product.factors.symbols, isMade) ||
         std::ranges::any_of(
             product.factors.ranges, [&](const LoopRange &range) {
               return std::ranges::any_of(range.low.factors, isMade) ||
                      std::ranges::any_of(range.high.factors, isMade) ||
                      std::ranges::any_of(range.step.factors, isMade);
             });
}

bool Executions::isFixed(const Amount &amount,
                         const trace::CostSite &site) const {
  return std::ranges::none_of(amount.factors, [&](const Symbol &symbol) {
    return std::ranges::any_of(
        site.loops, [&](Id loop) { return isMadeIn(symbol.value, loop); });
  });
}

/// Where one factor is the loop's induction variable and a constant, or what
/// the loop still goes over: 0 + 1 + ... + (n - 1) is n * (n - 1) / 2, and from
/// `start` on, in r rounds, the sum is r * (r + 2 * start - 1) / 2.
bool Executions::sumUp(CostProduct &product,
                       const trace::LoopRounds &loop) const {
  constexpr int64_t most = int64_t(1) << 58;
  if (loop.isAtMost || loop.ranges.size() != 1 || loop.start < 0 ||
      loop.start > most || product.factors.divisor != 1)
    return false;
  const LoopRange &rounds = loop.ranges.front();
  if (!isNumber(rounds.low, 0) || !isNumber(rounds.step, 1))
    return false;
  auto isInduction = [&](const Symbol &symbol) {
    const trace::Value *value = lookup.value(symbol.value);
    const trace::Block *block = value ? lookup.block(value->block) : nullptr;
    return symbol.dimension < 0 && block && block->parentOp == loop.op &&
           value->kind == trace::ValueKind::argument && value->index == 0;
  };
  auto isInductionAmount = [&](const Amount &amount) {
    return amount.number == 1 && amount.factors.size() == 1 &&
           isInduction(amount.factors.front());
  };
  // What n - 1 is in the sum: the rounds and this number.
  int64_t more = 2 * loop.start - 1;
  CostProduct rest = product;
  auto symbol = std::ranges::find_if(rest.factors.symbols, isInduction);
  if (symbol != rest.factors.symbols.end()) {
    rest.factors.symbols.erase(symbol);
  } else {
    auto range =
        std::ranges::find_if(rest.factors.ranges, [&](const LoopRange &one) {
          const bool isGrowing = isInductionAmount(one.high) &&
                                 isNumber(one.low, 0) && one.plus >= 0;
          const bool isShrinking = isInductionAmount(one.low) &&
                                   one.high == rounds.high &&
                                   one.plus - loop.start >= rounds.plus;
          return isNumber(one.step, 1) && (isGrowing || isShrinking);
        });
    if (range == rest.factors.ranges.end() || range->plus > most)
      return false;
    more = isNumber(range->low, 0)
               ? more + 2 * range->plus
               : 2 * (range->plus - rounds.plus - loop.start) + 1;
    rest.factors.ranges.erase(range);
  }
  if (rounds.plus > most || rounds.plus < -most || isVaried(rest, loop.op))
    return false;
  LoopRange second = rounds;
  second.plus += more;
  multiply(rest, rounds);
  multiply(rest, second);
  if (rest.number == CostSum::tooMuch)
    return false;
  const bool isHalved = rest.number % 2 == 0;
  if (!isHalved && rest.factors.empty())
    return false;
  rest.number /= isHalved ? 2 : 1;
  rest.factors.divisor = isHalved ? 1 : 2;
  product = std::move(rest);
  return true;
}

/// From the innermost loop outwards, up to the first one that is open.
void Executions::multiplyByLoops(CostProduct &product, Id function,
                                 const trace::CostSite &site,
                                 Reader reader) const {
  for (Id loop : site.loops) {
    const trace::LoopRounds *known = roundsOf(function, loop);
    if (known && reader == Reader::callers &&
        !std::ranges::all_of(known->ranges, [&](const LoopRange &range) {
          return isPassed(range);
        }))
      known = nullptr;
    if (known && !known->ranges.empty() && !isVaried(product, loop)) {
      for (const LoopRange &range : known->ranges)
        multiply(product, range);
      product.isAtMost |= known->isAtMost;
      continue;
    }
    if (known && !known->ranges.empty() && sumUp(product, *known))
      continue;
    product.factors.openLoops = {loop};
    return;
  }
}

CostSum Executions::timesOf(Id function, const trace::CostSite &site) const {
  CostProduct product;
  multiplyByLoops(product, function, site);
  CostSum times;
  times.add(product.number, std::move(product.factors));
  times.isAtMost = site.isConditional || product.isAtMost;
  return stated(times);
}

//===--- Calls ------------------------------------------------------------===//

/// Callees first. The stack is one of its own: a chain of calls may be as long
/// as the file.
const CallCosts &Executions::of(Id function) {
  std::vector<Id> open = {function};
  std::set<Id> running;
  while (!open.empty()) {
    const Id next = open.back();
    bool isReady = true;
    if (!known.contains(next) && running.insert(next).second)
      for (const trace::CostSite &site : lookup.function(next)->costs)
        if (site.kind == CostKind::call && !known.contains(site.callee) &&
            !running.contains(site.callee)) {
          open.push_back(site.callee);
          isReady = false;
        }
    if (!isReady)
      continue;
    if (!known.contains(next))
      known.emplace(next, sumOf(next, Reader::callers));
    open.pop_back();
  }
  auto [entry, isNew] = evaluated.try_emplace(function);
  if (isNew)
    for (const auto &[kind, paid] : sumOf(function, Reader::itself).byKind)
      entry->second.byKind[kind] = {stated(paid.times), stated(paid.bytes)};
  return entry->second;
}

/// What it calls is known, but for functions that call it.
CallCosts Executions::sumOf(Id function, Reader reader) const {
  CallCosts costs;
  bool isRecursive = false;
  for (const trace::CostSite &site : lookup.function(function)->costs) {
    if (site.kind == CostKind::call) {
      const auto callee = known.find(site.callee);
      isRecursive |= callee == known.end();
      if (callee == known.end())
        continue;
      addCallee(callee->second, function, site, reader, costs);
    }
    PaidCost &sum = costs.byKind[site.kind];
    CostProduct times;
    multiplyByLoops(times, function, site, reader);
    sum.times.add(times.number, std::move(times.factors));
    const bool isAtMost = site.isConditional || times.isAtMost;
    sum.times.isAtMost |= isAtMost;
    sum.bytes.isAtMost |= isAtMost;
    if (!site.bytes.isKnown()) {
      sum.bytes.isAtLeast = true;
      continue;
    }
    CostProduct bytes;
    multiply(bytes, site.bytes);
    multiplyByLoops(bytes, function, site, reader);
    sum.bytes.add(bytes.number, std::move(bytes.factors));
  }
  // How often it calls itself, nobody knows.
  for (auto &[kind, sum] : costs.byKind)
    if (isRecursive)
      sum.times.isAtLeast = sum.bytes.isAtLeast = true;
  return costs;
}

void Executions::addCallee(const CallCosts &callee, Id function,
                           const trace::CostSite &site, Reader reader,
                           CallCosts &costs) const {
  auto add = [&](const CostSum &more, CostSum &sum) {
    for (const auto &[factors, number] : more.terms) {
      // What is paid in each iteration of its loops, whoever calls it.
      if (!factors.openLoops.empty()) {
        if (auto known = sum.terms.find(factors); known == sum.terms.end())
          sum.add(number, factors);
        continue;
      }
      std::optional<CostProduct> product = passedOn(factors, number, site);
      if (!product)
        continue;
      multiplyByLoops(*product, function, site, reader);
      sum.isAtMost |= product->isAtMost;
      sum.add(product->number, std::move(product->factors));
    }
    sum.isAtMost |= more.isAtMost || site.isConditional;
    sum.isAtLeast |= more.isAtLeast;
  };
  for (const auto &[kind, paid] : callee.byKind) {
    PaidCost &sum = costs.byKind[kind];
    add(paid.times, sum.times);
    add(paid.bytes, sum.bytes);
  }
}

/// Of a term of the callee, in values of the caller; nothing where it is none
/// at all.
std::optional<CostProduct>
Executions::passedOn(const Factors &factors, uint64_t number,
                     const trace::CostSite &site) const {
  CostProduct product;
  product.number = number;
  for (const Symbol &symbol : factors.symbols) {
    LoopRange range;
    range.low.number = 0;
    range.high = {1, {symbol}};
    range.step.number = 1;
    if (std::optional<LoopRange> passed = passedFor(range, site, 0))
      range = std::move(*passed);
    multiply(product, range);
  }
  for (const LoopRange &range : factors.ranges) {
    std::optional<LoopRange> passed = passedFor(range, site, 0);
    multiply(product, passed ? *passed : range);
  }
  if (product.number == 0)
    return std::nullopt;
  product.factors.divisor = factors.divisor;
  if (factors.divisor == 2 && product.number % 2 == 0 &&
      product.number != CostSum::tooMuch) {
    product.number /= 2;
    product.factors.divisor = 1;
  }
  return product;
}

//===--- Growth -----------------------------------------------------------===//

std::optional<Growth> growthOf(const CostSum &sum) {
  std::optional<Growth> most;
  for (const auto &[factors, number] : sum.terms) {
    if (!factors.openLoops.empty())
      continue;
    std::map<Symbol, unsigned> powers;
    for (const Symbol &symbol : factors.symbols)
      ++powers[symbol];
    for (const LoopRange &range : factors.ranges)
      if (range.step.factors.empty())
        for (const Symbol &symbol : range.high.factors)
          ++powers[symbol];
    for (const auto &[symbol, power] : powers)
      if (power >= 2 && (!most || power > most->power))
        most = Growth{symbol, power};
  }
  return most;
}

} // namespace memreflens
