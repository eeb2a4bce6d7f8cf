//===- core/query/Fate.cpp - what becomes of a buffer ---------------------===//
//
// Uses come from the user's ops, decisions from the events that name the value.
//
//===----------------------------------------------------------------------===//

#include "core/query/Fate.h"
#include "core/trace/Plan.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <set>
#include <span>

namespace memreflens::trace {

namespace {

bool contains(const auto &ids, Id id) {
  return std::find(ids.begin(), ids.end(), id) != ids.end();
}

std::optional<BufferSource> sourceBy(OwnershipRule rule) {
  switch (rule) {
  case OwnershipRule::allocation:
  case OwnershipRule::cloned:
  case OwnershipRule::conditionalClone:
    return BufferSource::allocation;
  case OwnershipRule::stackAllocation:
    return BufferSource::stack;
  case OwnershipRule::manualDeallocation:
    return BufferSource::manual;
  case OwnershipRule::entryArgument:
    return BufferSource::entryArgument;
  case OwnershipRule::blockArgument:
    return BufferSource::blockArgument;
  case OwnershipRule::regionResult:
    return BufferSource::regionResult;
  case OwnershipRule::callResult:
  case OwnershipRule::callResultDynamic:
    return BufferSource::callResult;
  case OwnershipRule::defaultJoin:
    return BufferSource::view;
  case OwnershipRule::defaultNoOperand:
    return BufferSource::borrowed;
  case OwnershipRule::liveInSameRegion:
  case OwnershipRule::liveInAncestor:
  case OwnershipRule::retainedResult:
  case OwnershipRule::mergedAtCondBranch:
  case OwnershipRule::selectMaterialized:
  case OwnershipRule::interfaceProcess:
  case OwnershipRule::interfaceMaterialize:
    return std::nullopt;
  case OwnershipRule::distinctObject:
    return BufferSource::view;
  }
  return std::nullopt;
}

/// Ops by name that take a buffer and hand it to a callee.
bool isCall(const Op &op) {
  return std::string_view(op.name).ends_with("call") ||
         std::string_view(op.name).ends_with("call_indirect");
}

class FateFinder {
public:
  FateFinder(const Index &index, Id value)
      : index(index), trace(index.trace), value(value) {
    fate.value = value;
  }

  Fate find() {
    if (value < 0 || size_t(value) >= trace.values.size() ||
        !trace.values[size_t(value)].isMemref)
      return fate;
    auto named = index.eventsNamingValue(value);
    fate.events.assign(named.begin(), named.end());
    findStatus();
    for (Id id : fate.events)
      std::visit([&](const auto &detail) { note(event(id), detail); },
                 event(id).detail);
    findUses(value);
    for (Id id : fate.clones)
      findUses(std::get<CloneEvent>(event(id).detail).result);
    findFrees();
    findRemovals();
    findWhetherGone();
    return std::move(fate);
  }

private:
  const Event &event(Id id) const { return trace.events[size_t(id)]; }
  int8_t constantOf(Id i1) const {
    return i1 == none ? int8_t(-1) : trace.values[size_t(i1)].constant;
  }

  void findStatus() {
    const Value &buffer = trace.values[size_t(value)];
    if (Id function = index.functionOfValue(value); function != none)
      fate.status = trace.functions[size_t(function)].status;
    fate.unreachable =
        buffer.block != none && !trace.blocks[size_t(buffer.block)].reachable;
    fate.neverConsidered = fate.unreachable ||
                           fate.status == FunctionStatus::notProcessed ||
                           fate.status == FunctionStatus::declaration ||
                           fate.status == FunctionStatus::skipped;
  }

  //===--- What the events say ---===//

  void note(const Event &by, const OwnershipEvent &change) {
    if (by.value == value) {
      std::optional<BufferSource> source = sourceBy(change.rule);
      if (source && fate.sourceEvent == none) {
        fate.source = *source;
        fate.sourceEvent = by.id;
      }
    } else if (contains(change.inputs, value) &&
               !contains(fate.views, by.value)) {
      fate.views.push_back(by.value);
    }
  }
  void note(const Event &by, const DeallocEvent &dealloc) {
    const std::span<const Id> memrefs(dealloc.memrefs.data(),
                                      dealloc.memrefs.size());
    for (size_t i = 0; i < memrefs.size();) {
      // One list may have all buffers, each of which looks itself up.
      if (i + blockSize <= memrefs.size() && !hasInBlock(&memrefs[i])) {
        i += blockSize;
        continue;
      }
      for (const size_t end = std::min(i + blockSize, memrefs.size()); i < end;
           ++i)
        if (memrefs[i] == value)
          noteListed(by, dealloc, uint32_t(i));
    }
  }
  void noteListed(const Event &by, const DeallocEvent &dealloc, uint32_t i) {
    if (!contains(bases, dealloc.bases[i]))
      bases.push_back(dealloc.bases[i]);
    Id condition = dealloc.conditions[i];
    fate.listed.push_back({by.id, i, by.block, dealloc.dealloc, condition,
                           constantOf(condition), dealloc.edge});
  }
  static constexpr size_t blockSize = 64;
  /// Without a branch: several at a time.
  bool hasInBlock(const Id *block) const {
    int found = 0;
    for (size_t i = 0; i < blockSize; ++i)
      found |= block[i] == value;
    return found;
  }
  void note(const Event &by, const RetainEvent &) {
    if (by.value == value)
      fate.retained.push_back(by.id);
  }
  void note(const Event &by, const CloneEvent &) {
    if (by.value == value)
      fate.clones.push_back(by.id);
  }
  void note(const Event &by, const RejectionEvent &) {
    fate.rejections.push_back(by.id);
  }
  template <class Other> void note(const Event &, const Other &) {}

  //===--- Where the user's program sends it ---===//

  void findUses(Id as) {
    for (Id user : index.usersOf(as)) {
      const Op &op = trace.ops[size_t(user)];
      for (size_t i = 0; i < op.operands.size(); ++i)
        if (op.operands[i] == as)
          noteUse(op, {user, int32_t(i), as});
    }
  }
  void noteUse(const Op &op, Passed passed) {
    if (!op.successors.empty())
      return noteBranch(op, passed);
    if (op.isTerminator) {
      bool leaves = leavesFunction(op);
      if (leaves)
        passed.as = copyFor(op, passed.as);
      (leaves ? fate.returned : fate.yielded).push_back(passed);
      return;
    }
    if (isCall(op))
      fate.calls.push_back(passed);
    else if (!op.regions.empty())
      fate.entering.push_back(passed);
  }
  /// The user's op names the buffer where its copy is returned.
  Id copyFor(const Op &op, Id as) const {
    for (Id id : fate.clones) {
      const auto &clone = std::get<CloneEvent>(event(id).detail);
      if (endsBlock(op, event(id).block))
        return clone.result;
    }
    return as;
  }
  /// Whether the pass saw the block end with the user's op: with its own, or
  /// with that of a block that was merged into it.
  bool endsBlock(const Op &op, Id block) const {
    if (op.block == block)
      return true;
    for (Id id : index.eventsOfBlock(block))
      if (const auto *seen = std::get_if<LivenessEvent>(&event(id).detail))
        return seen->terminator == op.id;
    return false;
  }
  bool leavesFunction(const Op &op) const {
    if (op.block == none)
      return false;
    Id function = trace.blocks[size_t(op.block)].function;
    return function != none &&
           contains(trace.functions[size_t(function)].blocks, op.block);
  }
  /// A branch's last operands are those of its successors, one after another.
  void noteBranch(const Op &op, Passed passed) {
    for (const ForwardedOperand &one : forwardedOperands(trace, op)) {
      if (one.index != uint32_t(passed.operandIndex))
        continue;
      passed.edge = one.edge;
      passed.block = op.successors[size_t(one.edge)];
      passed.argument = one.argument;
      fate.forwarded.push_back(passed);
    }
  }

  //===--- Where it is freed ---===//

  bool isThisBuffer(Id freed) const {
    return freed == value || (freed != none && contains(bases, freed));
  }

  void findFrees() {
    std::set<Id> seen;
    auto consider = [&](Id id) {
      const Event &by = event(id);
      if (const auto *lowering = std::get_if<LoweringEvent>(&by.detail))
        if (seen.insert(id).second)
          noteLowering(by, *lowering);
    };
    for (Id id : fate.events)
      consider(id);
    for (Id base : bases)
      for (Id id : index.eventsNamingValue(base))
        consider(id);
    // All others that free it name it.
    for (const Listed &listed : fate.listed)
      for (Id id : index.unnamedFreesOf(listed.dealloc))
        consider(id);
    std::sort(fate.frees.begin(), fate.frees.end(),
              [](const Freed &a, const Freed &b) { return a.event < b.event; });
  }
  void noteLowering(const Event &by, const LoweringEvent &lowering) {
    Freed freed;
    freed.event = by.id;
    freed.dealloc = lowering.dealloc;
    freed.lowering = lowering.lowering;
    freed.block = by.block;
    if (!collectOps(by, lowering, freed.ops))
      return;
    constexpr size_t few = 16;
    for (Id other : lowering.compared) {
      if (lowering.lowering == LoweringCase::libraryFunction &&
          freed.compared.size() == few)
        break;
      if (!isThisBuffer(other))
        freed.compared.push_back(other);
    }
    auto own = std::find_if(
        fate.listed.begin(), fate.listed.end(),
        [&](const Listed &l) { return l.dealloc == lowering.dealloc; });
    std::optional<Listed> found;
    if (own != fate.listed.end())
      found = *own;
    if (!found)
      found = listingOfView(lowering.dealloc);
    if (!found && fate.listed.size() == 1)
      found = fate.listed.front();
    if (found) {
      freed.listing = found->event;
      freed.edge = found->edge;
      freed.condition = found->condition;
      freed.constantCondition = found->constantCondition;
      freed.block = found->block;
    }
    fate.frees.push_back(std::move(freed));
  }
  /// Where a view of the buffer is on the dealloc's list, and later the buffer
  /// in its place; with the view's condition if it is the only one.
  std::optional<Listed> listingOfView(Id number) const {
    std::set<Id> views(fate.views.begin(), fate.views.end());
    std::optional<Listed> found;
    for (std::vector<Id> open = fate.views; !open.empty();) {
      Id view = open.back();
      open.pop_back();
      for (Id id : index.eventsNamingValue(view)) {
        const Event &by = event(id);
        if (const auto *change = std::get_if<OwnershipEvent>(&by.detail);
            change && contains(change->inputs, view) &&
            views.insert(by.value).second)
          open.push_back(by.value);
        const auto *dealloc = std::get_if<DeallocEvent>(&by.detail);
        if (!dealloc || dealloc->dealloc != number)
          continue;
        for (uint32_t i = 0; i < dealloc->memrefs.size(); ++i)
          if (dealloc->memrefs[i] == view) {
            Id condition = found ? none : dealloc->conditions[i];
            found = Listed{by.id,        i,         by.block,
                           number,       condition, constantOf(condition),
                           dealloc->edge};
          }
      }
    }
    return found;
  }
  /// The memref.deallocs that free the buffer, which `freed` names in order;
  /// false if none does. The library function's may be unnamed: it frees what
  /// it is handed, by position in an array.
  bool collectOps(const Event &by, const LoweringEvent &lowering,
                  std::vector<Id> &ops) const {
    bool named = false;
    const bool mayBeUnnamed = isLeftToLibrary(lowering);
    const std::span<const Id> deallocs = index.deallocsMadeBy(by.id);
    for (size_t i = 0; i < std::max(lowering.freed.size(), deallocs.size());
         ++i) {
      const Id what = i < lowering.freed.size() ? lowering.freed[i] : none;
      const bool isNamed = isThisBuffer(what);
      named |= isNamed;
      if (i < deallocs.size() && (isNamed || (what == none && mayBeUnnamed)))
        ops.push_back(deallocs[i]);
    }
    return named || mayBeUnnamed;
  }
  bool isLeftToLibrary(const LoweringEvent &lowering) const {
    auto isNamed = [](Id id) { return id != none; };
    if (lowering.lowering != LoweringCase::libraryFunction ||
        std::any_of(lowering.freed.begin(), lowering.freed.end(), isNamed))
      return false;
    return std::any_of(fate.listed.begin(), fate.listed.end(),
                       [&](const Listed &listed) {
                         return listed.dealloc == lowering.dealloc &&
                                listed.constantCondition != 0;
                       });
  }

  void findRemovals() {
    Id op = trace.values[size_t(value)].op;
    for (Id id : index.eventsNamingOp(op)) {
      const auto *rewrite = std::get_if<RewriteEvent>(&event(id).detail);
      if (rewrite && contains(rewrite->erased, op))
        fate.removedBy.push_back(id);
    }
  }

  /// The pass saw the function, but not the value.
  void findWhetherGone() {
    auto ofPass = [&](Id id) {
      return isPass(trace.options, event(id).stage, ownershipPass);
    };
    auto ofFunction = index.eventsOfFunction(index.functionOfValue(value));
    fate.goneBeforePass =
        !fate.neverConsidered &&
        std::any_of(ofFunction.begin(), ofFunction.end(), ofPass) &&
        std::none_of(fate.events.begin(), fate.events.end(), ofPass);
  }

  const Index &index;
  const Trace &trace;
  Id value;
  Fate fate;
  /// Base buffers that deallocs list for it: few, and each free asks for them.
  std::vector<Id> bases;
};

} // namespace

Fate fateOf(const Index &index, Id value) {
  return FateFinder(index, value).find();
}

} // namespace memreflens::trace
