//===- core/check/rules/NoUniqueOwnership.cpp -----------------------------===//
//
// What the pass alone would reject, without the canonicalization before it.
//
//===----------------------------------------------------------------------===//

#include "core/check/rules/Finders.h"

#include <algorithm>
#include <set>

namespace memreflens {

using trace::Id;
using trace::none;

/// What the branch passes to its successor of that number.
static std::vector<Id> passedTo(const Lookup &lookup, const trace::Op &branch,
                                size_t successor) {
  size_t begin = branch.name == "cf.cond_br" ? 1 : 0, size = 0;
  for (size_t i = 0; i <= successor; ++i) {
    begin += size;
    const trace::Block *block = lookup.block(branch.successors[i]);
    size = block ? block->arguments.size() : 0;
  }
  if (begin + size > branch.operands.size())
    return {};
  auto first = branch.operands.begin() + std::ptrdiff_t(begin);
  return {first, first + std::ptrdiff_t(size)};
}

/// An op of the program that uses the value in the block or behind it, without
/// passing its definition again; `none` if there is none.
static Id liveInUse(const Lookup &lookup, Id value, Id block) {
  std::set<Id> blocks, pendingBlocks = {block};
  const Id home = lookup.value(value)->block;
  while (!pendingBlocks.empty()) {
    const Id next = *pendingBlocks.begin();
    pendingBlocks.erase(pendingBlocks.begin());
    const trace::Block *known = lookup.block(next);
    if (!known || next == home || !blocks.insert(next).second)
      continue;
    pendingBlocks.insert(known->successors.begin(), known->successors.end());
  }
  for (Id user : lookup.getIndex().usersOf(value)) {
    const trace::Op *use = lookup.op(user);
    if (!use || use->generated)
      continue;
    for (Id at = use->block; lookup.block(at);) {
      if (blocks.count(at))
        return user;
      const trace::Op *parent = lookup.op(lookup.block(at)->parentOp);
      at = parent ? parent->block : none;
    }
  }
  return none;
}

/// Whether the branch has two ways and the value is passed or live on both:
/// then the pass retains it on each, and has one answer to who owns it.
static bool goesAlongEachEdge(const Lookup &lookup, const trace::Op &branch,
                              Id value) {
  for (size_t i = 0; i < branch.successors.size(); ++i) {
    const std::vector<Id> passed = passedTo(lookup, branch, i);
    if (std::find(passed.begin(), passed.end(), value) == passed.end() &&
        liveInUse(lookup, value, branch.successors[i]) == none)
      return false;
  }
  return branch.successors.size() > 1;
}

void addForwardedAndLive(FindingMaker &maker, const trace::Op &op) {
  if (op.name != "cf.br" && op.name != "cf.cond_br")
    return;
  const Lookup &lookup = maker.lookup;
  Id function = lookup.getIndex().functionOfBlock(op.block);
  if (isRejected(lookup, function))
    return;
  for (size_t i = 0; i < op.successors.size(); ++i)
    for (Id operand : passedTo(lookup, op, i)) {
      const trace::Value *value = lookup.value(operand);
      if (!value || !value->isMemref || value->block != op.block)
        continue;
      const Id user = liveInUse(lookup, operand, op.successors[i]);
      if (user == none || goesAlongEachEdge(lookup, op, operand))
        continue;
      Finding &finding = maker.add(
          ruleIds::noUniqueOwnership, function, lookup.rangeOfOp(op.id),
          lookup.name(operand) + " is passed to " +
              lookup.blockName(op.successors[i]) +
              ", which has it as a live-in, too: without a "
              "canonicalization before "
              "it, upstream's pass may reject this");
      finding.severity = trace::Severity::note;
      maker.relate(finding, lookup.rangeOfOp(user),
                   "used by " + lookup.opName(user));
      finding.remedies = {
          "use the block argument in the successor",
          {"run lift-cf-to-scf or canonicalize before",
           {RemedyPass::liftCfToScf, RemedyPass::canonicalize}}};
      return;
    }
}

} // namespace memreflens
