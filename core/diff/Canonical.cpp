//===- core/diff/Canonical.cpp --------------------------------------------===//

#include "core/diff/Canonical.h"

#include <algorithm>

namespace memreflens::diff {

using trace::Id;
using trace::none;

Number Interner::of(Numbers list) {
  auto [entry, isNew] = lists.try_emplace(std::move(list), last + 1);
  last += isNew;
  return entry->second;
}

Number Interner::of(std::string_view word) {
  auto found = words.find(word);
  if (found == words.end())
    found = words.emplace(std::string(word), ++last).first;
  return found->second;
}

/// What the first number of a list says that it is.
enum Kind : Number {
  userOp = 1,
  userBlock,
  userValue,
  usingOp,
  constant,
  deallocResult,
  generatedArgument,
  generatedResult,
  generatedOp,
  generatedBlock,
  ownershipOf,
  setOf,
  tooDeep,
};

/// Chains of generated ops are short; of a file made by hand they may not be.
static constexpr unsigned deepest = 100;

Canonical::Canonical(const trace::Trace &trace, const Partners &partners,
                     bool isAfter, Interner &interner)
    : trace(trace), partners(partners), isAfter(isAfter), interner(interner),
      knownValues(trace.values.size()), knownOps(trace.ops.size()),
      knownBlocks(trace.blocks.size()) {
  for (const trace::Event &event : trace.events)
    if (std::holds_alternative<trace::DeallocEvent>(event.detail) &&
        event.op != none)
      deallocs.emplace(event.op, &event);
}

/// Pairs are called by their id in the first trace.
Number Canonical::users(Number what, Id id, std::span<const Id> partners) {
  Id partner = partners[size_t(id)];
  Number side = partner != none ? 0 : isAfter ? 2 : 1;
  Id shown = isAfter && partner != none ? partner : id;
  return interner.of({what, side, Number(shown)});
}

Number Canonical::value(Id id, unsigned depth) {
  if (id == none)
    return 0;
  Number &known = knownValues[size_t(id)];
  if (known)
    return known;
  const trace::Value &value = trace.values[size_t(id)];
  if (depth > deepest)
    return interner.of({tooDeep});
  Number number = value.constant >= 0 && value.type == "i1"
                      ? interner.of({constant, Number(value.constant)})
                  : value.generated ? made(value, depth)
                                    : users(userValue, id, partners.values);
  return knownValues[size_t(id)] = number;
}

Number Canonical::made(const trace::Value &value, unsigned depth) {
  ++depth;
  Number standsFor = this->value(value.standsFor, depth);
  if (value.op == none)
    return interner.of({generatedArgument, block(value.block, depth), standsFor,
                        standsFor ? 0 : value.index});
  if (auto found = deallocs.find(value.op); found != deallocs.end()) {
    const trace::Event &event = *found->second;
    const auto &dealloc = std::get<trace::DeallocEvent>(event.detail);
    return interner.of({deallocResult, standsFor, block(event.block, depth),
                        Number(dealloc.edge)});
  }
  const trace::Op &op = trace.ops[size_t(value.op)];
  Numbers list = {generatedResult, interner.of(op.name), standsFor,
                  block(op.block, depth), standsFor ? 0 : value.index};
  if (!standsFor && op.operands.empty())
    list.push_back(this->op(op.origin, depth));
  for (Id operand : op.operands)
    list.push_back(this->value(operand, depth));
  return interner.of(std::move(list));
}

Number Canonical::op(Id id, unsigned depth) {
  if (id == none)
    return 0;
  if (knownOps[size_t(id)])
    return knownOps[size_t(id)];
  const trace::Op &op = trace.ops[size_t(id)];
  if (depth > deepest)
    return interner.of({tooDeep});
  // Of two calls that are written alike, nobody can say which is which.
  bool hasNothingOfItsOwn = !op.generated && op.results.empty() &&
                            op.regions.empty() && !op.isTerminator;
  Number number = op.generated ? interner.of({generatedOp, interner.of(op.name),
                                              this->op(op.origin, depth + 1),
                                              block(op.block, depth + 1)})
                  : hasNothingOfItsOwn ? use(op, depth + 1)
                                       : users(userOp, id, partners.ops);
  return knownOps[size_t(id)] = number;
}

Number Canonical::use(const trace::Op &op, unsigned depth) {
  Numbers list = {usingOp, interner.of(op.name), block(op.block, depth)};
  for (Id operand : op.operands)
    list.push_back(value(operand, depth));
  return interner.of(std::move(list));
}

Number Canonical::block(Id id, unsigned depth) {
  if (id == none)
    return 0;
  if (knownBlocks[size_t(id)])
    return knownBlocks[size_t(id)];
  const trace::Block &block = trace.blocks[size_t(id)];
  if (depth > deepest)
    return interner.of({tooDeep});
  bool isGenerated =
      block.parentOp != none && trace.ops[size_t(block.parentOp)].generated;
  Number number =
      isGenerated ? interner.of({generatedBlock, op(block.parentOp, depth + 1),
                                 block.region})
                  : users(userBlock, id, partners.blocks);
  return knownBlocks[size_t(id)] = number;
}

Number Canonical::ownership(const trace::Ownership &ownership) {
  return interner.of(
      {ownershipOf, Number(ownership.state), value(ownership.indicator)});
}

Number Canonical::set(Numbers numbers) {
  std::sort(numbers.begin(), numbers.end());
  numbers.insert(numbers.begin(), setOf);
  return interner.of(std::move(numbers));
}

Number Canonical::values(std::span<const Id> ids) {
  Numbers numbers;
  for (Id id : ids)
    numbers.push_back(value(id));
  return set(std::move(numbers));
}

Number Canonical::ops(std::span<const Id> ids) {
  Numbers numbers;
  for (Id id : ids)
    numbers.push_back(op(id));
  return set(std::move(numbers));
}

} // namespace memreflens::diff
