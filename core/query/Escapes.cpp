//===- core/query/Escapes.cpp ---------------------------------------------===//

#include "core/query/Escapes.h"

#include <algorithm>
#include <unordered_set>

namespace memreflens {

using namespace trace;

static void noteFirst(TraceEscape &found, TraceEscape other) {
  if (other.kind != Escape::none && (found.op == none || other.op < found.op))
    found = other;
}

/// At one value.
class TraceEscapes::Look {
public:
  Look(TraceEscapes &escapes, size_t depth)
      : escapes(escapes), lookup(escapes.lookup), depth(depth) {}
  Step at(Id value);

private:
  void add(Id value) {
    const Value *known = lookup.value(value);
    if (known && known->isMemref)
      step.next.push_back(value);
  }

  OpShape shapeOf(const Op &op) const {
    OpShape shape;
    shape.name = op.name;
    for (Id id : op.operands)
      if (const Value *value = lookup.value(id))
        shape.operands.push_back(typeKindOf(value->type));
    for (Id id : op.results)
      if (const Value *value = lookup.value(id))
        shape.results.push_back(typeKindOf(value->type));
    return shape;
  }

  void note(Escape kind, Id op) { noteFirst(step.found, {kind, op}); }

  bool isUsed(const Op &op) const {
    return std::any_of(op.results.begin(), op.results.end(), [&](Id id) {
      return !lookup.getIndex().usersOf(id).empty();
    });
  }

  /// What two addresses compare to is no way to memory.
  bool onlyIdentifies(const Op &op) const {
    for (Id result : op.results)
      for (Id user : lookup.getIndex().usersOf(result))
        if (const Op *known = lookup.op(user);
            known && !known->generated && known->name != "arith.cmpi")
          return false;
    return true;
  }

  Escape escapeAt(const Op &op, uint32_t operand) const {
    const Escape kind = escapeThrough(shapeOf(op), operand);
    const bool isByResult = kind != Escape::none && kind != Escape::stored &&
                            kind != Escape::deferred;
    if (isByResult && !isUsed(op))
      return Escape::none;
    if (kind == Escape::address && onlyIdentifies(op))
      return Escape::none;
    return kind;
  }

  int depthOf(Id block) const {
    int blocks = 0;
    for (; block != none; block = lookup.getIndex().enclosingBlock(block))
      ++blocks;
    return blocks;
  }

  /// An op around `user`, but not around `value`, that runs later.
  void lookAround(const Op &user, const Value &value) {
    if (user.block == value.block)
      return;
    const Index &index = lookup.getIndex();
    Id inner = user.block, outer = value.block;
    int innerDepth = depthOf(inner), outerDepth = depthOf(outer);
    for (; outerDepth > innerDepth; --outerDepth)
      outer = index.enclosingBlock(outer);
    for (; inner != outer; --innerDepth) {
      if (innerDepth == outerDepth) {
        outer = index.enclosingBlock(outer);
        --outerDepth;
      }
      const Op *parent = lookup.op(lookup.block(inner)->parentOp);
      if (parent && isDeferred(shapeOf(*parent)))
        note(Escape::deferred, parent->id);
      inner = index.enclosingBlock(inner);
    }
  }

  const Function *calleeOf(const Op &call) const {
    return call.name == "func.call" ? lookup.calleeOf(call) : nullptr;
  }

  /// What the callee keeps when it returns: in memory, or by work that is not
  /// done. What it does with an address ends with the call.
  void lookInto(const Op &call, size_t operand) {
    const Function *callee =
        depth + 1 < escapes.steps.size() ? calleeOf(call) : nullptr;
    const Block *entry = callee && !callee->blocks.empty()
                             ? lookup.block(callee->blocks.front())
                             : nullptr;
    if (!entry || operand >= entry->arguments.size())
      return;
    const Escape kind =
        escapes.follow(entry->arguments[operand], depth + 1).kind;
    if (kind == Escape::stored || kind == Escape::deferred)
      note(kind, call.id);
  }

  /// To what the op makes of it: a view, or a value of its type.
  void flow(const Op &op, Id value) {
    const Name type = lookup.value(value)->type;
    auto addAlike = [&](const std::vector<Id> &values) {
      for (Id id : values)
        if (const Value *other = lookup.value(id); other && other->type == type)
          add(id);
    };
    for (Id successor : op.successors)
      if (const Block *block = lookup.block(successor))
        addAlike(block->arguments);
    if (op.isTerminator) {
      const Block *block = lookup.block(op.block);
      const Op *parent = block ? lookup.op(block->parentOp) : nullptr;
      if (op.successors.empty() && parent && parent->name != "func.func") {
        addAlike(parent->results);
        addArguments(*parent, addAlike);
      }
      return;
    }
    if (!op.regions.empty()) {
      addAlike(op.results);
      addArguments(op, addAlike);
      return;
    }
    // A call returns what is the caller's own.
    if (op.name != "func.call" && op.name != "bufferization.clone" &&
        op.name != "memref.load")
      for (Id id : op.results)
        add(id);
  }

  void addArguments(const Op &op, const auto &addAlike) {
    for (const auto &region : op.regions)
      for (Id id : region)
        if (const Block *block = lookup.block(id))
          addAlike(block->arguments);
  }

  TraceEscapes &escapes;
  const Lookup &lookup;
  const size_t depth;
  Step step;
};

TraceEscapes::Step TraceEscapes::Look::at(Id value) {
  for (Id user : lookup.getIndex().usersOf(value)) {
    const Op *op = lookup.op(user);
    if (!op || op->generated || lookup.isErased(user))
      continue;
    lookAround(*op, *lookup.value(value));
    for (size_t i = 0; i < op->operands.size(); ++i)
      if (op->operands[i] == value) {
        note(escapeAt(*op, uint32_t(i)), user);
        lookInto(*op, i);
      }
    flow(*op, value);
  }
  if (Id named = lookup.ancestorOf(value); named != none)
    add(named);
  if (Id heir = lookup.heirOf(value); heir != none)
    add(heir);
  return std::move(step);
}

const TraceEscapes::Step &TraceEscapes::stepOf(Id value, size_t depth) {
  if (auto known = steps[depth].find(value); known != steps[depth].end())
    return known->second;
  return steps[depth]
      .emplace(value, Look(*this, depth).at(value))
      .first->second;
}

TraceEscape TraceEscapes::follow(Id buffer, size_t depth) {
  const Value *known = lookup.value(buffer);
  if (!known || !known->isMemref)
    return {};
  std::unordered_set<Id> seen = {buffer};
  std::vector<Id> pending = {buffer};
  TraceEscape found;
  for (size_t at = 0; at < pending.size(); ++at) {
    const Step &step = stepOf(pending[at], depth);
    noteFirst(found, step.found);
    for (Id next : step.next)
      if (seen.insert(next).second)
        pending.push_back(next);
  }
  return found;
}

} // namespace memreflens
