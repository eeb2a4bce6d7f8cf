//===- core/check/rules/Shared.cpp ----------------------------------------===//
//
// What several rules ask.
//
//===----------------------------------------------------------------------===//

#include "core/check/rules/Finders.h"
#include "core/explain/Words.h"
#include "core/trace/Symbol.h"

#include <set>

namespace memreflens {

using trace::Id;
using trace::none;

trace::Id loopAround(const Lookup &lookup, Id block, bool parallel) {
  static const std::set<std::string> together = {"scf.forall", "scf.parallel",
                                                 "affine.parallel",
                                                 "omp.parallel", "omp.wsloop"};
  static const std::set<std::string> inTurn = {"scf.for", "scf.while",
                                               "affine.for"};
  for (int depth = 0; depth < 1000; ++depth) {
    const trace::Block *known = lookup.block(block);
    const trace::Op *parent = known ? lookup.op(known->parentOp) : nullptr;
    if (!parent)
      return none;
    if (together.count(parent->name) ||
        (!parallel && inTurn.count(parent->name)))
      return parent->id;
    block = parent->block;
  }
  return none;
}

std::string inLoop(const Lookup &lookup, Id op) {
  const trace::Op *known = lookup.op(op);
  Id loop = known ? loopAround(lookup, known->block, false) : none;
  if (loop == none)
    return {};
  return ", in each iteration of " + lookup.opAt(loop);
}

bool isTraced(const Lookup &lookup, Id function) {
  const trace::Function *known = lookup.function(function);
  return known && known->status == trace::FunctionStatus::traced;
}

Finding *addAtOp(FindingMaker &maker, RuleId rule, Id id,
                 const Explanation &why) {
  const trace::Op *op = maker.lookup.op(id);
  if (!op || why.empty())
    return nullptr;
  Finding &finding =
      maker.add(rule, maker.lookup.getIndex().functionOfBlock(op->block),
                maker.lookup.rangeOfOp(op->id), why.sentence);
  addEvidenceOf(maker, finding, why);
  return &finding;
}

void addEvidenceOf(FindingMaker &maker, Finding &finding,
                   const Explanation &why) {
  for (const Evidence &fact : why.evidence)
    maker.relate(finding, fact.range, fact.text);
  finding.remedies.insert(finding.remedies.end(), why.remedies.begin(),
                          why.remedies.end());
}

std::string functionOf(const Lookup &lookup, Id function) {
  const trace::Function *known = lookup.function(function);
  return known ? trace::symbolText(known->title()) : "the module";
}

Advice liftAdvice() {
  return {"run lift-cf-to-scf before the pipeline", {RemedyPass::liftCfToScf}};
}

/// Calls `look` for the op and all below it.
void walk(const Lookup &lookup, Id id,
          const std::function<void(const trace::Op &)> &look) {
  const trace::Op *op = lookup.op(id);
  if (!op)
    return;
  look(*op);
  for (const auto &region : op->regions)
    for (Id block : region)
      if (const trace::Block *known = lookup.block(block))
        for (Id nested : known->ops)
          walk(lookup, nested, look);
}

bool isInside(const Lookup &lookup, Id block, Id op) {
  for (int depth = 0; depth < 1000; ++depth) {
    const trace::Block *known = lookup.block(block);
    if (!known || known->parentOp == none)
      return false;
    if (known->parentOp == op)
      return true;
    block = lookup.op(known->parentOp)->block;
  }
  return false;
}

bool isRejected(const Lookup &lookup, Id function) {
  const trace::Function *known = lookup.function(function);
  return !known || known->status != trace::FunctionStatus::traced ||
         known->upstreamReadsFreedMemory;
}

/// Whether an op allocates the buffer, not a region or a call that hands one
/// on.
bool isMade(const Lookup &lookup, Id buffer) {
  const trace::Value *value = lookup.value(buffer);
  const trace::Op *op = value ? lookup.op(value->op) : nullptr;
  return op && op->regions.empty() &&
         op->name.find("alloc") != std::string::npos;
}

} // namespace memreflens
