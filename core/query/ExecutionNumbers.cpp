//===- core/query/ExecutionNumbers.cpp - what values stand for ------------===//

#include "core/query/Executions.h"
#include "core/trace/Sizes.h"

#include <algorithm>

namespace memreflens {

using trace::Amount;
using trace::Id;
using trace::LoopRange;
using trace::none;
using trace::Symbol;

/// Numbers are computed from others that are, but not without end.
static constexpr int deepest = 16;

/// The function that has it as an argument; null for any other value.
static const trace::Function *hasAsArgument(const Lookup &lookup, Id value) {
  const trace::Value *known = lookup.value(value);
  const trace::Block *block = known ? lookup.block(known->block) : nullptr;
  if (!block || known->kind != trace::ValueKind::argument)
    return nullptr;
  const trace::Function *function = lookup.function(block->function);
  return function && !function->blocks.empty() &&
                 function->blocks.front() == block->id
             ? function
             : nullptr;
}

const LoopRange *Executions::computed(Id value) const {
  const trace::Value *known = lookup.value(value);
  const trace::Block *block = known ? lookup.block(known->block) : nullptr;
  const trace::Function *home =
      block ? lookup.function(block->function) : nullptr;
  if (!home)
    return nullptr;
  auto entry = std::ranges::lower_bound(home->computed, value, {},
                                        &trace::ComputedNumber::value);
  return entry != home->computed.end() && entry->value == value ? &entry->range
                                                                : nullptr;
}

bool Executions::isPassed(const LoopRange &range, int depth) const {
  for (const Amount *amount : {&range.low, &range.high, &range.step})
    for (const Symbol &symbol : amount->factors) {
      if (hasAsArgument(lookup, symbol.value) || statedSize(symbol))
        continue;
      const LoopRange *of = symbol.dimension < 0 && depth < deepest
                                ? computed(symbol.value)
                                : nullptr;
      if (!of || !isPassed(*of, depth + 1))
        return false;
    }
  return true;
}

bool isNumber(const Amount &amount, int64_t number) {
  return amount.factors.empty() && amount.number == number;
}

/// Whether it is its end and nothing else.
static bool isAmount(const LoopRange &range) {
  return isNumber(range.low, 0) && isNumber(range.step, 1) && range.plus == 0;
}

/// A dimension that the program has in a value bears its name.
Symbol Executions::namedAs(const Symbol &symbol) const {
  const trace::Value *known =
      symbol.dimension < 0 ? nullptr : lookup.value(symbol.value);
  const trace::Block *block = known ? lookup.block(known->block) : nullptr;
  const trace::Function *home =
      block ? lookup.function(block->function) : nullptr;
  if (!home)
    return symbol;
  for (const trace::ComputedNumber &one : home->computed) {
    const bool isIt = isAmount(one.range) && one.range.high.number == 1 &&
                      one.range.high.factors == std::vector{symbol};
    const trace::Value *name = isIt ? lookup.value(one.value) : nullptr;
    const trace::Block *around = name ? lookup.block(name->block) : nullptr;
    if (around && (around->parentOp == none || around->parentOp == home->op))
      return {one.value, -1};
  }
  return symbol;
}

//===--- Stated -----------------------------------------------------------===//

std::optional<int64_t> Executions::statedSize(const Symbol &symbol) const {
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
    const trace::Function *function = hasAsArgument(lookup, symbol.value);
    if (function && function->isCalled(stated->function) &&
        int64_t(value->index) == stated->argument)
      return stated->size;
  }
  return std::nullopt;
}

std::optional<int64_t> Executions::valueOf(const Symbol &symbol,
                                           int depth) const {
  if (const std::optional<int64_t> size = statedSize(symbol))
    return size;
  const LoopRange *range = symbol.dimension < 0 && depth < deepest
                               ? computed(symbol.value)
                               : nullptr;
  return range ? valueOf(*range, depth + 1) : std::nullopt;
}

std::optional<int64_t> Executions::valueOf(const Amount &amount,
                                           int depth) const {
  if (!amount.isKnown())
    return std::nullopt;
  int64_t number = amount.number;
  for (const Symbol &symbol : amount.factors) {
    const std::optional<int64_t> size = valueOf(symbol, depth);
    if (!size || __builtin_mul_overflow(number, *size, &number))
      return std::nullopt;
  }
  return number;
}

std::optional<int64_t> Executions::valueOf(const LoopRange &range,
                                           int depth) const {
  const std::optional<int64_t> low = valueOf(range.low, depth),
                               high = valueOf(range.high, depth),
                               step = valueOf(range.step, depth);
  int64_t length = 0;
  if (!low || !high || !step || *step <= 0 ||
      __builtin_sub_overflow(*high, *low, &length) ||
      __builtin_add_overflow(length, range.plus, &length))
    return std::nullopt;
  return length / *step + (length % *step > 0);
}

/// Of each term, what is known with the sizes that the user states.
CostSum Executions::stated(const CostSum &sum) const {
  CostSum all;
  all.isAtMost = sum.isAtMost;
  all.isAtLeast = sum.isAtLeast;
  for (const auto &[factors, number] : sum.terms) {
    Factors open;
    open.openLoops = factors.openLoops;
    open.divisor = factors.divisor;
    uint64_t product = number;
    auto multiply = [&](std::optional<int64_t> by) {
      if (by && __builtin_mul_overflow(
                    product, uint64_t(std::max<int64_t>(*by, 0)), &product))
        product = CostSum::tooMuch;
      return by.has_value();
    };
    for (const Symbol &symbol : factors.symbols)
      if (!multiply(valueOf(symbol, 0)))
        open.symbols.push_back(symbol);
    for (const LoopRange &range : factors.ranges)
      if (!multiply(valueOf(range)))
        open.ranges.push_back(range);
    const bool isHalved = product % 2 == 0 && product != CostSum::tooMuch;
    if (open.divisor == 2 && isHalved) {
      product /= 2;
      open.divisor = 1;
    }
    all.add(product, std::move(open));
  }
  return all;
}

//===--- Passed -----------------------------------------------------------===//

std::optional<Amount> Executions::passedFor(const Symbol &symbol,
                                            const trace::CostSite &site,
                                            int depth) const {
  const trace::Function *function = hasAsArgument(lookup, symbol.value);
  if (function) {
    if (function->id != site.callee)
      return std::nullopt;
    for (const trace::PassedNumber &one : site.passed)
      if (one.argument == lookup.value(symbol.value)->index &&
          one.dimension == symbol.dimension)
        return one.amount;
    return std::nullopt;
  }
  const LoopRange *range = symbol.dimension < 0 && depth < deepest
                               ? computed(symbol.value)
                               : nullptr;
  const std::optional<LoopRange> passed =
      range ? passedFor(*range, site, depth + 1) : std::nullopt;
  if (!passed || !isAmount(*passed))
    return std::nullopt;
  return passed->high;
}

/// Nothing where it has no symbol that is passed.
std::optional<LoopRange> Executions::passedFor(const LoopRange &range,
                                               const trace::CostSite &site,
                                               int depth) const {
  LoopRange result = range;
  // What is computed by a sum takes the place of its name.
  const bool isNamed = isNumber(range.low, 0) && range.high.number == 1 &&
                       range.high.factors.size() == 1 &&
                       range.high.factors.front().dimension < 0;
  const LoopRange *inner = isNamed && depth < deepest
                               ? computed(range.high.factors.front().value)
                               : nullptr;
  const bool isInlined =
      inner && (isNumber(inner->step, 1) ||
                (range.plus == 0 && isNumber(range.step, 1)));
  if (isInlined) {
    result.low = inner->low;
    result.high = inner->high;
    if (__builtin_add_overflow(result.plus, inner->plus, &result.plus))
      return std::nullopt;
    if (!isNumber(inner->step, 1))
      result.step = inner->step;
    return passedFor(result, site, depth + 1);
  }
  bool isPassed = false;
  for (Amount *amount : {&result.low, &result.high, &result.step}) {
    Amount product;
    product.number = amount->number;
    for (const Symbol &symbol : amount->factors) {
      const std::optional<Amount> passed = passedFor(symbol, site, depth);
      isPassed |= passed.has_value();
      const Amount by = passed ? *passed : Amount{1, {symbol}};
      if (__builtin_mul_overflow(product.number, by.number, &product.number))
        return std::nullopt;
      product.factors.insert(product.factors.end(), by.factors.begin(),
                             by.factors.end());
    }
    if (product.number == 0)
      product.factors.clear();
    *amount = std::move(product);
  }
  if (!isPassed || isNumber(result.step, 0))
    return std::nullopt;
  const bool isConstant = result.low.factors.empty() &&
                          result.high.factors.empty() &&
                          result.step.factors.empty();
  const std::optional<int64_t> value =
      isConstant ? valueOf(result) : std::nullopt;
  return value && *value >= 0 ? LoopRange{{0, {}}, {*value, {}}, {1, {}}, 0}
                              : result;
}

} // namespace memreflens
