//===- core/query/Executions.cpp ------------------------------------------===//

#include "core/query/Executions.h"
#include "core/trace/Sizes.h"

#include <algorithm>
#include <set>
#include <vector>

namespace memreflens {

using trace::Amount;
using trace::CostKind;
using trace::Id;
using trace::none;

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

void CostSum::add(uint64_t number, Factors factors) {
  if (number == 0)
    return;
  std::ranges::sort(factors.symbols);
  std::ranges::sort(factors.loops);
  std::ranges::sort(factors.openLoops);
  auto term = terms.find(factors);
  if (term == terms.end() && terms.size() >= mostTerms) {
    isAtLeast = true;
    return;
  }
  uint64_t &sum = terms[std::move(factors)];
  sum = sumOrTooMuch(sum, number);
}

void CostSum::add(const CostSum &more, uint64_t times, const Factors &factors) {
  if (times == 0)
    return;
  for (const auto &[own, number] : more.terms) {
    Factors all = own;
    all.symbols.insert(all.symbols.end(), factors.symbols.begin(),
                       factors.symbols.end());
    all.loops.insert(all.loops.end(), factors.loops.begin(),
                     factors.loops.end());
    all.openLoops.insert(all.openLoops.end(), factors.openLoops.begin(),
                         factors.openLoops.end());
    add(timesOrTooMuch(number, times), std::move(all));
  }
  isAtMost |= more.isAtMost;
  isAtLeast |= more.isAtLeast;
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

//===--- Numbers ----------------------------------------------------------===//

const trace::LoopRounds *Executions::rangesOf(Id function, Id loop) const {
  if (loop == none)
    return nullptr;
  for (const trace::LoopRounds &one : lookup.function(function)->loops)
    if (one.op == loop)
      return &one;
  return nullptr;
}

std::optional<int64_t>
Executions::statedSize(const trace::Symbol &symbol) const {
  const trace::Value *value = lookup.value(symbol.value);
  if (!value)
    return std::nullopt;
  for (const std::string &text : lookup.getTrace().options.sizes) {
    const std::optional<trace::StatedSize> stated = trace::sizeIn(text);
    if (!stated || !stated->type.empty() ||
        stated->dimension != symbol.dimension)
      continue;
    if (!stated->value.empty()) {
      if (!value->generated && stated->value == value->name)
        return stated->size;
      continue;
    }
    const trace::Block *block = lookup.block(value->block);
    const trace::Function *function =
        block && block->isEntry && value->kind == trace::ValueKind::argument
            ? lookup.function(block->function)
            : nullptr;
    if (function && !function->blocks.empty() &&
        function->blocks.front() == block->id &&
        function->isCalled(stated->function) &&
        int64_t(value->index) == stated->argument)
      return stated->size;
  }
  return std::nullopt;
}

std::optional<int64_t> Executions::valueOf(const Amount &amount) const {
  if (!amount.isKnown())
    return std::nullopt;
  int64_t number = amount.number;
  for (const trace::Symbol &symbol : amount.factors) {
    const std::optional<int64_t> size = statedSize(symbol);
    if (!size || __builtin_mul_overflow(number, *size, &number))
      return std::nullopt;
  }
  return number;
}

std::optional<uint64_t> Executions::roundsOf(Id function, Id loop) const {
  const trace::LoopRounds *known = rangesOf(function, loop);
  if (!known)
    return std::nullopt;
  if (known->rounds >= 0)
    return uint64_t(known->rounds);
  if (known->ranges.empty())
    return std::nullopt;
  uint64_t rounds = 1;
  for (const trace::LoopRange &range : known->ranges) {
    const std::optional<int64_t> low = valueOf(range.low),
                                 high = valueOf(range.high),
                                 step = valueOf(range.step);
    if (!low || !high || !step || *step <= 0)
      return std::nullopt;
    const uint64_t length = *high > *low ? uint64_t(*high - *low) : 0;
    rounds = timesOrTooMuch(rounds, length / uint64_t(*step) +
                                        (length % uint64_t(*step) != 0));
  }
  return rounds;
}

void Executions::multiply(Product &product, const Amount &by) const {
  if (const std::optional<int64_t> number = valueOf(by)) {
    product.number = timesOrTooMuch(product.number, uint64_t(*number));
    return;
  }
  product.number = timesOrTooMuch(product.number, uint64_t(by.number));
  for (const trace::Symbol &symbol : by.factors)
    if (const std::optional<int64_t> size = statedSize(symbol))
      product.number = timesOrTooMuch(product.number, uint64_t(*size));
    else
      product.factors.symbols.push_back({symbol.value, symbol.dimension});
}

//===--- Executions -------------------------------------------------------===//

bool Executions::isFixed(const Amount &amount,
                         const trace::CostSite &site) const {
  for (const trace::Symbol &symbol : amount.factors) {
    const trace::Value *value = lookup.value(symbol.value);
    Id block = value ? value->block : none;
    for (int depth = 0; block != none && depth < 1000; ++depth) {
      const trace::Block *home = lookup.block(block);
      const trace::Op *around = home ? lookup.op(home->parentOp) : nullptr;
      if (!around)
        break;
      if (std::ranges::find(site.loops, around->id) != site.loops.end())
        return false;
      block = around->block;
    }
  }
  return true;
}

Executions::Product Executions::productOf(Id function,
                                          const trace::CostSite &site) const {
  Product product;
  for (Id loop : site.loops) {
    const trace::LoopRounds *known = rangesOf(function, loop);
    const bool isAlike =
        known && std::ranges::all_of(known->ranges, [&](const auto &range) {
          return isFixed(range.low, site) && isFixed(range.high, site) &&
                 isFixed(range.step, site);
        });
    if (const std::optional<uint64_t> rounds = roundsOf(function, loop))
      product.number = timesOrTooMuch(product.number, *rounds);
    else if (!known || known->ranges.empty() || !isAlike)
      product.factors.openLoops.push_back(loop);
    else
      product.factors.loops.push_back(loop);
  }
  return product;
}

CostSum Executions::timesOf(Id function, const trace::CostSite &site) const {
  Product product = productOf(function, site);
  CostSum times;
  times.add(product.number, std::move(product.factors));
  times.isAtMost = site.isConditional;
  return times;
}

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
      known.emplace(next, sumOf(next));
    open.pop_back();
  }
  return known.at(function);
}

/// What it calls is known, but for functions that call it.
CallCosts Executions::sumOf(Id function) const {
  CallCosts costs;
  bool isRecursive = false;
  for (const trace::CostSite &site : lookup.function(function)->costs) {
    const Product product = productOf(function, site);
    if (site.kind == CostKind::call) {
      const auto callee = known.find(site.callee);
      isRecursive |= callee == known.end();
      if (callee == known.end())
        continue;
      for (const auto &[kind, paid] : callee->second.byKind) {
        PaidCost &sum = costs.byKind[kind];
        sum.times.add(paid.times, product.number, product.factors);
        sum.bytes.add(paid.bytes, product.number, product.factors);
        sum.times.isAtMost |= site.isConditional;
        sum.bytes.isAtMost |= site.isConditional;
      }
    }
    PaidCost &sum = costs.byKind[site.kind];
    sum.times.add(product.number, product.factors);
    sum.times.isAtMost |= site.isConditional;
    sum.bytes.isAtMost |= site.isConditional;
    if (!site.bytes.isKnown() || !isFixed(site.bytes, site)) {
      sum.bytes.isAtLeast = true;
      continue;
    }
    Product bytes = product;
    multiply(bytes, site.bytes);
    sum.bytes.add(bytes.number, std::move(bytes.factors));
  }
  // How often it calls itself, nobody knows.
  for (auto &[kind, sum] : costs.byKind)
    if (isRecursive)
      sum.times.isAtLeast = sum.bytes.isAtLeast = true;
  return costs;
}

} // namespace memreflens
