//===- core/explain/Evaluate.cpp - which ownership i1s are really constant
//--===//
//
// The pass writes i1s that later stages fold: `false and %c`, the dealloc
// result of a buffer that nobody owns. A sentence should say "never" there.
//
//===----------------------------------------------------------------------===//

#include "core/explain/Lookup.h"

#include <mutex>

namespace memreflens {

using trace::Id;
using trace::none;

Id Lookup::withoutEdge(Id condition, int32_t edge) const {
  const trace::Value *known = value(condition);
  const trace::Op *definer = known ? op(known->op) : nullptr;
  bool isConjunction = definer && definer->generated &&
                       definer->name == "arith.andi" &&
                       definer->operands.size() == 2;
  return edge >= 0 && isConjunction ? definer->operands.front() : condition;
}

const trace::Event *Lookup::copyEventOf(Id copy) const {
  const trace::Value *known = value(copy);
  if (!known || !known->generated || known->standsFor == none)
    return nullptr;
  for (Id id : eventsOfValue(known->standsFor)) {
    auto *clone = std::get_if<trace::CloneEvent>(&event(id)->detail);
    if (clone && clone->result == copy)
      return event(id);
  }
  return nullptr;
}

bool Lookup::isConditional(const trace::CloneEvent &copy) const {
  return copy.conditional && constantOf(copy.ownership.indicator) != 0;
}

bool Lookup::isNeverMade(const trace::CloneEvent &copy) const {
  return copy.conditional && constantOf(copy.ownership.indicator) == 1;
}

int Lookup::evaluateOp(const trace::Op &op, unsigned depth) const {
  auto operand = [&](size_t i) { return evaluate(op.operands[i], depth); };
  if (op.operands.size() == 2) {
    int first = operand(0), second = operand(1);
    if (op.name == "arith.andi")
      return first == 0 || second == 0 ? 0 : first == 1 && second == 1 ? 1 : -1;
    if (op.name == "arith.ori")
      return first == 1 || second == 1 ? 1 : first == 0 && second == 0 ? 0 : -1;
    if (op.name == "arith.xori" && first >= 0 && second >= 0)
      return first ^ second;
  }
  if (op.operands.size() == 3 && op.name == "arith.select") {
    int chooser = operand(0);
    int first = operand(1), second = operand(2);
    return chooser >= 0 ? (chooser ? first : second)
                        : (first == second ? first : -1);
  }
  return -1;
}

/// False where no owned memref can be the retained one; true where one is.
int Lookup::evaluateDealloc(const DeallocSlot &slot, unsigned depth) const {
  auto &detail = std::get<trace::DeallocEvent>(event(slot.event)->detail);
  if (slot.position >= detail.retained.size() ||
      detail.conditions.size() != detail.memrefs.size())
    return -1;
  bool maybe = false;
  for (size_t i = 0; i < detail.memrefs.size(); ++i) {
    trace::SameAllocation same =
        sameAllocation(detail.memrefs[i], detail.retained[slot.position]);
    if (same == trace::SameAllocation::no)
      continue;
    int owned = evaluate(withoutEdge(detail.conditions[i], detail.edge), depth);
    if (owned == 1 && same == trace::SameAllocation::yes)
      return 1;
    maybe |= owned != 0;
  }
  return maybe ? -1 : 0;
}

/// A block argument is constant if every edge passes the same constant.
int Lookup::evaluateIncoming(Id signature, unsigned depth) const {
  const Ids &incoming = branchesInto(signature);
  if (incoming.empty() || incoming.size() != edgesInto(event(signature)->block))
    return -1;
  int all = -2;
  for (Id branch : incoming) {
    auto &passed = std::get<trace::SignatureEvent>(event(branch)->detail);
    int one = evaluate(passed.indicator, depth);
    if (one < 0 || (all != -2 && one != all))
      return -1;
    all = one;
  }
  return all;
}

int Lookup::evaluate(Id indicator, unsigned depth) const {
  const trace::Value *known = value(indicator);
  if (!known || known->constant >= 0 || depth == 0)
    return known ? known->constant : -1;
  if (auto cached = constants.find(indicator); cached != constants.end())
    return cached->second;
  constants[indicator] = -1;
  const trace::Op *definer = op(known->op);
  int result = -1;
  if (auto slot = deallocGiving(indicator))
    result = evaluateDealloc(*slot, depth - 1);
  else if (const trace::Event *made = event(signatureOf(indicator)))
    result = std::get<trace::SignatureEvent>(made->detail).part ==
                     trace::SignaturePart::blockArgument
                 ? evaluateIncoming(made->id, depth - 1)
                 : -1;
  else if (definer && definer->generated)
    result = evaluateOp(*definer, depth - 1);
  constants[indicator] = result;
  return result;
}

int Lookup::constantOf(Id indicator) const {
  // A picture may be made in one thread while another one writes sentences.
  // Answers are kept, so that nobody waits for long; one lock does for all.
  static std::mutex evaluating;
  std::lock_guard<std::mutex> lock(evaluating);
  // The deepest chain that a stack surely holds.
  return evaluate(indicator, /*depth=*/2000);
}

} // namespace memreflens
