//===- core/query/Evaluate.cpp --------------------------------------------===//
//
// Which ownership i1s are really constant.
//
// The pass writes i1s that later stages fold: `false and %c`, the dealloc
// result of a buffer that nobody owns. A sentence should say "never" there.
//
//===----------------------------------------------------------------------===//

#include "core/query/Lookup.h"

#include <algorithm>
#include <iterator>
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

namespace {

/// Values of i1s: not met yet, false, true, or either.
enum Constant : int { unmet = -2, either = -1, no = 0, yes = 1 };

/// The i1s on which one depends, solved together: each is unmet until a value
/// comes to it, so that what is only ever false around a loop is false.
class Solver {
public:
  Solver(const Lookup &lookup, std::map<Id, int> &known)
      : lookup(lookup), known(known) {}

  void solve(Id indicator) {
    numberOf(indicator);
    // The list grows.
    for (size_t i = 0; i < nodes.size(); ++i)
      describe(i);
    std::vector<size_t> pending(nodes.size());
    for (size_t i = 0; i < nodes.size(); ++i)
      pending[i] = i;
    while (!pending.empty()) {
      size_t at = pending.back();
      pending.pop_back();
      int now = valueOf(nodes[at]);
      // What was found to be either stays so.
      if (nodes[at].value == either || now == unmet || now == nodes[at].value)
        continue;
      nodes[at].value = nodes[at].value == unmet ? now : int(either);
      std::ranges::copy(nodes[at].users, std::back_inserter(pending));
    }
    for (const Node &node : nodes)
      known[node.indicator] = node.value == unmet ? int(either) : node.value;
  }

private:
  enum class Rule { constant, all, conjunction, disjunction, parity, choice };
  struct Node {
    Id indicator = none;
    Rule rule = Rule::constant;
    int constant = either;
    std::vector<size_t> inputs;
    /// Of a dealloc's result: whether it is surely the memref of that input.
    std::vector<bool> isSame;
    std::vector<size_t> users;
    int value = unmet;
  };

  size_t numberOf(Id indicator) {
    auto [at, isNew] = numbers.emplace(indicator, nodes.size());
    if (isNew)
      nodes.push_back({indicator, {}, either, {}, {}, {}, unmet});
    return at->second;
  }
  void addInput(size_t node, Id indicator) {
    size_t input = numberOf(indicator);
    nodes[node].inputs.push_back(input);
    nodes[input].users.push_back(node);
  }

  void describe(size_t at) {
    Id indicator = nodes[at].indicator;
    const trace::Value *value = lookup.value(indicator);
    if (auto found = known.find(indicator); found != known.end()) {
      nodes[at].constant = found->second;
    } else if (!value || value->constant >= 0) {
      nodes[at].constant = value ? value->constant : int(either);
    } else if (int proved = lookup.provedConstant(indicator); proved >= 0) {
      nodes[at].constant = proved;
    } else if (auto slot = lookup.deallocGiving(indicator)) {
      describeDealloc(at, *slot);
    } else if (Id made = lookup.signatureOf(indicator); made != none) {
      describeFlow(at, lookup.sourcesOf(made));
    } else if (const trace::Op *op = lookup.op(value->op);
               op && op->generated) {
      describeOp(at, *op);
    }
  }
  /// True where an owned memref is surely the retained one, false where none
  /// can be.
  void describeDealloc(size_t at, const DeallocSlot &slot) {
    auto &detail =
        std::get<trace::DeallocEvent>(lookup.event(slot.event)->detail);
    if (slot.position >= detail.retained.size() ||
        detail.conditions.size() != detail.memrefs.size())
      return;
    nodes[at].rule = Rule::disjunction;
    for (size_t i = 0; i < detail.memrefs.size(); ++i) {
      trace::SameAllocation same = lookup.sameAllocation(
          detail.memrefs[i], detail.retained[slot.position]);
      if (same == trace::SameAllocation::no)
        continue;
      addInput(at, lookup.withoutEdge(detail.conditions[i], detail.edge));
      nodes[at].isSame.push_back(same == trace::SameAllocation::yes);
    }
  }
  void describeFlow(size_t at, const IndicatorSources &sources) {
    if (!sources.isComplete || sources.all.empty())
      return;
    nodes[at].rule = Rule::all;
    for (const IndicatorSource &source : sources.all)
      addInput(at, std::get<trace::SignatureEvent>(
                       lookup.event(source.event)->detail)
                       .indicator);
  }
  void describeOp(size_t at, const trace::Op &op) {
    std::string_view name = op.name;
    if (op.operands.size() == 2)
      nodes[at].rule = name == "arith.andi"   ? Rule::conjunction
                       : name == "arith.ori"  ? Rule::disjunction
                       : name == "arith.xori" ? Rule::parity
                                              : Rule::constant;
    if (op.operands.size() == 3 && name == "arith.select")
      nodes[at].rule = Rule::choice;
    if (nodes[at].rule == Rule::constant)
      return;
    for (Id operand : op.operands)
      addInput(at, operand);
  }

  /// False in front of "and", true in front of "or": decides alone.
  int joined(const Node &node, Constant decisive) const {
    bool isOpen = false, isUnmet = false;
    for (size_t i = 0; i < node.inputs.size(); ++i) {
      int input = nodes[node.inputs[i]].value;
      const bool isSame = i >= node.isSame.size() || node.isSame[i];
      if (input == decisive && isSame)
        return decisive;
      isUnmet |= input == unmet;
      isOpen |= input == either || input == decisive;
    }
    return isUnmet ? unmet : isOpen ? either : 1 - decisive;
  }
  static int sum(int one, int other) {
    return one == unmet || one == other ? other : other == unmet ? one : either;
  }
  int valueOf(const Node &node) const {
    auto input = [&](size_t i) { return nodes[node.inputs[i]].value; };
    switch (node.rule) {
    case Rule::constant:
      return node.constant;
    case Rule::conjunction:
      return joined(node, no);
    case Rule::disjunction:
      return joined(node, yes);
    case Rule::parity:
      return input(0) == unmet || input(1) == unmet     ? unmet
             : input(0) == either || input(1) == either ? int(either)
                                                        : input(0) ^ input(1);
    case Rule::choice:
      return input(0) == unmet    ? unmet
             : input(0) == either ? sum(input(1), input(2))
                                  : input(input(0) ? 1 : 2);
    case Rule::all:
      break;
    }
    int all = unmet;
    for (size_t i = 0; i < node.inputs.size(); ++i)
      all = sum(all, input(i));
    return all;
  }

  const Lookup &lookup;
  std::map<Id, int> &known;
  std::map<Id, size_t> numbers;
  std::vector<Node> nodes;
};

} // namespace

int Lookup::constantOf(Id indicator) const {
  const trace::Value *known = value(indicator);
  if (!known || known->constant >= 0)
    return known ? known->constant : -1;
  // A picture may be made in one thread while another one writes sentences.
  // Answers are kept, so that nobody waits for long; one lock does for all.
  static std::mutex evaluating;
  std::lock_guard<std::mutex> lock(evaluating);
  auto found = constants.find(indicator);
  if (found == constants.end()) {
    Solver(*this, constants).solve(indicator);
    found = constants.find(indicator);
  }
  return found->second;
}

} // namespace memreflens
