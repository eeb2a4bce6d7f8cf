//===- core/trace/Origin.cpp - where an ownership indicator comes from ----===//
//
// The i1s that the pass appends keep the order of the memrefs they stand for,
// so the k-th one of a branch, yield or region op belongs to the k-th one of
// the block or result list that it feeds.
//
//===----------------------------------------------------------------------===//

#include "core/trace/Origin.h"
#include "core/trace/Plan.h"

#include <algorithm>
#include <map>
#include <set>

namespace memreflens::trace {

namespace {

class OriginFinder {
public:
  explicit OriginFinder(const Index &index)
      : index(index), trace(index.trace) {}

  OriginStep stepOf(Id indicator) {
    OriginStep step;
    step.indicator = indicator;
    const Value &value = trace.values[size_t(indicator)];
    if (value.standsFor != none &&
        trace.values[size_t(value.standsFor)].isMemref)
      step.memref = value.standsFor;
    if (value.constant >= 0) {
      step.kind = OriginKind::constant;
    } else if (!findMaker(step) && !value.generated) {
      step.kind = OriginKind::condition;
    }
    removeRepeats(step.from);
    return step;
  }

private:
  const Event &event(Id id) const { return trace.events[size_t(id)]; }

  static void removeRepeats(std::vector<Id> &ids) {
    std::set<Id> seen;
    auto repeated = [&](Id id) {
      return id == none || !seen.insert(id).second;
    };
    ids.erase(std::remove_if(ids.begin(), ids.end(), repeated), ids.end());
  }

  /// The event that made the i1: most tell at once, some only if no other did.
  bool findMaker(OriginStep &step) {
    auto naming = index.eventsNamingValue(step.indicator);
    auto made = [&](Id id) {
      bool found = std::visit(
          [&](const auto &detail) { return make(step, event(id), detail); },
          event(id).detail);
      if (found)
        step.event = id;
      return found;
    };
    if (std::any_of(naming.begin(), naming.end(), made))
      return true;
    auto conditional = [&](Id id) {
      const auto *dealloc = std::get_if<DeallocEvent>(&event(id).detail);
      return dealloc && makeEdgeCondition(step, event(id), *dealloc);
    };
    auto rewritten = [&](Id id) {
      const auto *rewrite = std::get_if<RewriteEvent>(&event(id).detail);
      return rewrite && makeRewritten(step, event(id), *rewrite);
    };
    return trace.values[size_t(step.indicator)].generated &&
           (std::any_of(naming.begin(), naming.end(), conditional) ||
            std::any_of(naming.begin(), naming.end(), rewritten));
  }

  bool make(OriginStep &step, const Event &by, const DeallocEvent &dealloc) {
    auto result = std::find(dealloc.results.begin(), dealloc.results.end(),
                            step.indicator);
    if (result == dealloc.results.end())
      return false;
    step.kind = OriginKind::deallocResult;
    step.memref = dealloc.retained[size_t(result - dealloc.results.begin())];
    step.from = dealloc.conditions;
    return true;
  }

  bool make(OriginStep &step, const Event &by, const SignatureEvent &added) {
    if (added.indicator != step.indicator)
      return false;
    switch (added.part) {
    case SignaturePart::blockArgument:
      step.kind = OriginKind::blockArgument;
      step.from = incoming(by.block, positionAmong(by, by.block, none));
      break;
    case SignaturePart::regionOpResult:
      step.kind = OriginKind::regionResult;
      step.from = intoOp(by.op, positionAmong(by, none, by.op));
      break;
    case SignaturePart::callResult:
      step.kind = OriginKind::callResult;
      break;
    case SignaturePart::branchOperand:
    case SignaturePart::terminatorOperand:
    case SignaturePart::regionOpOperand:
    case SignaturePart::functionResult:
      return false;
    }
    step.memref = by.value;
    return true;
  }

  bool make(OriginStep &step, const Event &by, const OwnershipEvent &change) {
    if (change.with.indicator != step.indicator)
      return false;
    if (change.rule == OwnershipRule::selectMaterialized) {
      step.kind = OriginKind::selected;
      for (const Ownership &input : change.inputOwnerships)
        step.from.push_back(input.indicator);
    } else if (change.rule == OwnershipRule::mergedAtCondBranch) {
      step.kind = OriginKind::merged;
      step.from = deallocResultsFor(by.value, by.block, by.id);
    } else {
      return false;
    }
    addConditions(step, by.op);
    step.memref = by.value;
    return true;
  }
  template <class Other> bool make(OriginStep &, const Event &, const Other &) {
    return false;
  }

  /// Conditions of the op for which a select or dealloc was made.
  void addConditions(OriginStep &step, Id op) {
    for (int steps = 0; op != none && steps < 8; ++steps) {
      for (Id operand : trace.ops[size_t(op)].operands)
        if (operand != none && operand != step.indicator &&
            trace.values[size_t(operand)].type == "i1" &&
            !trace.values[size_t(operand)].generated)
          step.from.push_back(operand);
      op = trace.ops[size_t(op)].origin;
    }
  }

  /// What each dealloc of the block says about a memref that it retained.
  std::vector<Id> deallocResultsFor(Id memref, Id block, Id before) const {
    std::vector<Id> results;
    for (Id id : index.eventsOfBlock(block)) {
      const auto *dealloc = std::get_if<DeallocEvent>(&event(id).detail);
      if (!dealloc || id > before)
        continue;
      for (size_t i = dealloc->retained.size(); i-- > 0;)
        if (dealloc->retained[i] == memref) {
          results.push_back(dealloc->results[i]);
          break;
        }
    }
    return results;
  }

  /// `and` of an ownership and the branch condition, in front of a cond_br.
  bool makeEdgeCondition(OriginStep &step, const Event &by,
                         const DeallocEvent &dealloc) {
    auto found = std::find(dealloc.conditions.begin(), dealloc.conditions.end(),
                           step.indicator);
    if (found == dealloc.conditions.end() ||
        !isPass(trace.options, by.stage, ownershipPass))
      return false;
    step.kind = OriginKind::edgeCondition;
    step.event = by.id;
    step.memref = dealloc.memrefs[size_t(found - dealloc.conditions.begin())];
    step.from.push_back(ownershipBeforeDeallocs(step.memref, by.block));
    addConditions(step, by.op);
    return true;
  }
  Id ownershipBeforeDeallocs(Id memref, Id block) const {
    Id indicator = none;
    for (Id id : index.eventsOfBlock(block)) {
      if (std::holds_alternative<DeallocEvent>(event(id).detail))
        break;
      const auto *change = std::get_if<OwnershipEvent>(&event(id).detail);
      if (change && event(id).value == memref)
        indicator = change->after.indicator;
    }
    return indicator;
  }

  /// The value whose place it took says what it means.
  bool makeRewritten(OriginStep &step, const Event &by,
                     const RewriteEvent &rewrite) {
    for (size_t i = 0; i < rewrite.replacements.size(); ++i) {
      if (rewrite.replacements[i] != step.indicator ||
          rewrite.replaced[i] == step.indicator)
        continue;
      step.kind = OriginKind::rewritten;
      step.event = by.id;
      step.from.push_back(rewrite.replaced[i]);
      return true;
    }
    return false;
  }

  /// How many i1s were appended to the same block, or op, before this one.
  size_t positionAmong(const Event &by, Id block, Id op) const {
    const auto &added = std::get<SignatureEvent>(by.detail);
    auto events =
        op != none ? index.eventsOfOp(op) : index.eventsOfBlock(block);
    size_t position = 0;
    for (Id id : events) {
      const auto *other = std::get_if<SignatureEvent>(&event(id).detail);
      if (other && other->part == added.part && id < by.id)
        ++position;
    }
    return position;
  }

  std::vector<Id> incoming(Id block, size_t position) {
    if (block == none)
      return {};
    std::vector<Id> sources = branchesInto(block).at(position);
    // The first block of a region is entered from the op around it.
    if (trace.blocks[size_t(block)].isEntry) {
      std::vector<Id> entering =
          intoOp(trace.blocks[size_t(block)].parentOp, position);
      sources.insert(sources.end(), entering.begin(), entering.end());
    }
    return sources;
  }
  std::vector<Id> intoOp(Id op, size_t position) {
    if (op == none)
      return {};
    std::vector<Id> sources = operandsOf(op).at(position);
    for (const Block *block : blocksIn(op)) {
      std::vector<Id> yielded = yieldsOf(block->id).at(position);
      sources.insert(sources.end(), yielded.begin(), yielded.end());
    }
    return sources;
  }

  /// i1s by position.
  struct Positions {
    std::vector<std::vector<Id>> byPosition;
    void add(size_t position, Id id) {
      if (byPosition.size() <= position)
        byPosition.resize(position + 1);
      byPosition[position].push_back(id);
    }
    std::vector<Id> at(size_t position) const {
      return position < byPosition.size() ? byPosition[position]
                                          : std::vector<Id>();
    }
  };

  /// Collects, in one walk over a function's events, what branches hand over.
  const Positions &branchesInto(Id block) {
    Id function = trace.blocks[size_t(block)].function;
    if (collected.insert(function).second)
      collect(function);
    return into[block];
  }
  void collect(Id function) {
    std::map<std::pair<Id, int>, size_t> next;
    for (Id id : index.eventsOfFunction(function)) {
      const Event &by = event(id);
      const auto *added = std::get_if<SignatureEvent>(&by.detail);
      if (!added || added->part != SignaturePart::branchOperand ||
          by.op == none)
        continue;
      const auto &successors = trace.ops[size_t(by.op)].successors;
      size_t edge = size_t(std::max(added->edge, 0));
      if (edge < successors.size())
        into[successors[edge]].add(next[{by.op, int(edge)}]++,
                                   added->indicator);
    }
  }

  Positions operandsOf(Id op) const {
    return appended(index.eventsOfOp(op), SignaturePart::regionOpOperand);
  }
  Positions yieldsOf(Id block) const {
    return appended(index.eventsOfBlock(block),
                    SignaturePart::terminatorOperand);
  }
  Positions appended(std::span<const Id> events, SignaturePart part) const {
    Positions positions;
    size_t next = 0;
    for (Id id : events) {
      const auto *added = std::get_if<SignatureEvent>(&event(id).detail);
      if (added && added->part == part)
        positions.add(next++, added->indicator);
    }
    return positions;
  }
  std::vector<const Block *> blocksIn(Id op) const {
    std::vector<const Block *> blocks;
    for (const std::vector<Id> &region : trace.ops[size_t(op)].regions)
      for (Id block : region)
        if (block != none)
          blocks.push_back(&trace.blocks[size_t(block)]);
    return blocks;
  }

  const Index &index;
  const Trace &trace;
  std::set<Id> collected;
  std::map<Id, Positions> into;
};

} // namespace

std::vector<OriginStep> indicatorOrigin(const Index &index, Id indicator) {
  std::vector<OriginStep> steps;
  if (indicator < 0 || size_t(indicator) >= index.trace.values.size())
    return steps;
  OriginFinder finder(index);
  std::set<Id> seen = {indicator};
  std::vector<Id> queue = {indicator};
  for (size_t next = 0; next < queue.size(); ++next) {
    steps.push_back(finder.stepOf(queue[next]));
    for (Id from : steps.back().from)
      if (seen.insert(from).second)
        queue.push_back(from);
  }
  return steps;
}

} // namespace memreflens::trace
