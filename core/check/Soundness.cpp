//===- core/check/Soundness.cpp - faults as findings, and static rules ----===//

#include "core/check/Collect.h"
#include "core/check/Rules.h"
#include "core/explain/FateHeadline.h"
#include "core/query/Fate.h"
#include "core/upstream/Defects.h"
#include "core/upstream/Release.h"

#include <algorithm>
#include <functional>
#include <set>

namespace memreflens {

using trace::Id;
using trace::none;

//===--- From the explorer ------------------------------------------------===//

/// Of deallocs by hand; in a function that the pass rejects for them, one more
/// helps nobody.
static std::vector<Advice> remediesAsWritten(FaultKind kind, bool isRejected) {
  const char *leaveIt =
      "remove the deallocs of the input, and let the pipeline place them";
  switch (kind) {
  case FaultKind::leak:
    return isRejected ? std::vector<Advice>{leaveIt}
                      : std::vector<Advice>{"deallocate it on this path, too",
                                            leaveIt};
  case FaultKind::doubleFree:
  case FaultKind::useAfterFree:
  case FaultKind::returnedFreed:
  case FaultKind::escapedFreed:
    return {leaveIt};
  default:
    return {};
  }
}

/// Of what a call returned, which bears no attribute for the pass.
static std::vector<Advice> remediesForResult(FaultKind kind) {
  switch (kind) {
  case FaultKind::leak:
    return {"call the function outside of what the pass does not look into"};
  case FaultKind::doubleFree:
  case FaultKind::useAfterFree:
    return {"let the pipeline alone deallocate it: the pass deallocates what "
            "calls return"};
  case FaultKind::freeOfUnowned:
  case FaultKind::returnedUnowned:
  case FaultKind::escapedFreed:
    return {"the pass deallocates what calls return: let it be passed in, or "
            "stored into a memref of memrefs that is passed"};
  default:
    return {};
  }
}

static std::vector<Advice> remediesFor(FaultKind kind, bool isInput,
                                       bool isRejected, bool isResult) {
  if (isInput && kind != FaultKind::allocatorMismatch)
    return remediesAsWritten(kind, isRejected);
  if (std::vector<Advice> lines;
      isResult && !(lines = remediesForResult(kind)).empty())
    return lines;
  switch (kind) {
  case FaultKind::leak:
    return {"deallocate it by hand, with bufferization.manual_deallocation on "
            "the allocation and on the dealloc",
            "allocate it outside of what the pass does not look into, where "
            "its iterations or threads may share it"};
  case FaultKind::doubleFree:
  case FaultKind::useAfterFree:
    return {
        "put bufferization.manual_deallocation on the allocation and on "
        "every dealloc by hand, and deallocate it once, after its last use"};
  case FaultKind::freeOfUnowned:
    return {
        "leave it to its owner: deallocate only what the function allocates "
        "or what a call returns"};
  case FaultKind::returnedFreed:
  case FaultKind::returnedUnowned:
    return {"return a clone (bufferization.clone)"};
  case FaultKind::allocatorMismatch:
    return {"deallocate it with the op of its own dialect; put "
            "bufferization.manual_deallocation on both"};
  case FaultKind::escapedFreed:
    return {"put bufferization.manual_deallocation on the allocation, and "
            "deallocate "
            "it where it is no longer reachable"};
  case FaultKind::returnedTwice:
    return {"return it once, or return a clone: a caller deallocates both "
            "results"};
  case FaultKind::lostWrite:
    return {"use one of the two memrefs for reads and writes alike, as the "
            "pass takes what a function returns for a buffer of its own"};
  default:
    return {};
  }
}

bool Explored::hasRuleFor(FaultKind kind) const {
  return !isInput || (kind != FaultKind::freeOfUnowned &&
                      kind != FaultKind::returnedUnowned &&
                      kind != FaultKind::returnedTwice);
}

/// Whether the program as written has the same fault, which is told there.
static bool isAsWritten(const CheckInputs &inputs, Id function,
                        const MemoryFault &fault) {
  for (const Explored &other : inputs.explored) {
    if (!other.isInput || other.function != function ||
        !other.hasRuleFor(fault.kind))
      continue;
    for (const MemoryFault &same : other.result.faults)
      if (same.kind == fault.kind &&
          same.allocation.op == fault.allocation.op &&
          (fault.kind == FaultKind::leak || same.at.op == fault.at.op))
        return true;
  }
  return false;
}

void addFaults(FindingMaker &maker, const CheckInputs &inputs) {
  for (const Explored &explored : inputs.explored) {
    const trace::Function *function = maker.lookup.function(explored.function);
    // A stage may have died after the function was looked at.
    if (!function || (!explored.isInput &&
                      function->status != trace::FunctionStatus::traced &&
                      function->status != trace::FunctionStatus::notProcessed))
      continue;
    maker.report.explorations.push_back(
        {function->title(), explored.isInput,
         (explored.isInput ? "as written: " : "") + boundsText(explored.result),
         explored.result.stopped.empty(), explored.result.assumed,
         explored.result.unfollowed, maker.placeOf(function->nameRange)});
    for (const MemoryFault &fault : explored.result.faults) {
      if (!explored.hasRuleFor(fault.kind) ||
          (!explored.isInput && isAsWritten(inputs, function->id, fault)))
        continue;
      Finding &finding =
          maker.add(nameOf(fault.kind), explored.function, {},
                    fault.at.text + (explored.isInput ? " (as written)" : ""));
      if (!fault.isSure)
        finding.severity = trace::Severity::warning;
      // A leak is shown at what leaks, all else where it happens.
      const PathStep &place =
          fault.kind == FaultKind::leak && fault.allocation.offset >= 0
              ? fault.allocation
              : fault.at;
      if (place.offset >= 0)
        finding.place = maker.placeAt(place.offset);
      for (const PathStep &step : fault.path)
        finding.path.push_back({maker.placeAt(step.offset), step.text});
      const trace::Op *origin = maker.lookup.op(fault.allocation.op);
      finding.remedies = remediesFor(
          fault.kind, explored.isInput,
          function->status == trace::FunctionStatus::rejected,
          origin && std::string_view(origin->name).ends_with("call"));
    }
  }
}

//===--- From the program alone -------------------------------------------===//

/// Calls `look` for the op and all below it.
static void walk(const Lookup &lookup, Id id,
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

static bool isInside(const Lookup &lookup, Id block, Id op) {
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

/// Whether the pipeline deallocates the buffer in its own function.
static bool isDeallocatedHere(const Lookup &lookup, Id buffer) {
  const trace::Function *function =
      lookup.function(lookup.getIndex().functionOfValue(buffer));
  if (!function || function->status != trace::FunctionStatus::traced)
    return false;
  const trace::Fate fate = trace::fateOf(lookup.getIndex(), buffer);
  return std::any_of(
      fate.frees.begin(), fate.frees.end(), [&](const trace::Freed &freed) {
        Id condition = conditionOfFree(lookup, freed);
        return !lookup.isRemoved(freed) &&
               (condition == none || lookup.constantOf(condition) != 0);
      });
}

/// Used below an async.execute, allocated outside of it: freed at the end of
/// the block, which does not wait.
static void addAsyncCaptures(FindingMaker &maker, const trace::Op &op) {
  const Lookup &lookup = maker.lookup;
  if (!lookup.reachesPass(op.id))
    return;
  std::vector<Id> captured;
  walk(lookup, op.id, [&](const trace::Op &nested) {
    const bool isGone = !lookup.reachesPass(nested.id) &&
                        lookup.getIndex().generatedFor(nested.id).empty();
    for (Id operand : nested.operands) {
      const trace::Value *value = lookup.value(operand);
      const trace::Op *source = value ? lookup.op(value->op) : nullptr;
      if (value && value->isMemref && source && nested.id != op.id && !isGone &&
          source->name == "memref.alloc" &&
          !isInside(lookup, value->block, op.id) &&
          isDeallocatedHere(lookup, lookup.heirOf(operand)) &&
          std::find(captured.begin(), captured.end(), operand) ==
              captured.end())
        captured.push_back(operand);
    }
  });
  for (Id value : captured)
    maker
        .add("async-capture", lookup.getIndex().functionOfBlock(op.block),
             lookup.rangeOfOp(op.id),
             lookup.name(value) + " is used by async.execute, and deallocated "
                                  "at the end of its block "
                                  "without waiting for it")
        .remedies = {"wait for the token before the block ends (after the "
                     "pipeline: async.await is not accepted by it)",
                     "put bufferization.manual_deallocation on the "
                     "allocation and deallocate it where the work is done"};
}

static void addParallelHoist(FindingMaker &maker, const trace::Op &op) {
  const Lookup &lookup = maker.lookup;
  Id loop = loopAround(lookup, op.block, /*parallel=*/true);
  const trace::Op *known = lookup.op(loop);
  const trace::Block *block = lookup.block(op.block);
  if (!known || known->name != "affine.parallel" || !block ||
      block->parentOp != loop || !op.operands.empty())
    return;
  maker
      .add("parallel-hoist", lookup.getIndex().functionOfBlock(op.block),
           lookup.rangeOfOp(op.id),
           lookup.name(op.results.empty() ? none : op.results.front()) +
               " belongs to one iteration of affine.parallel; "
               "buffer-loop-hoisting moves it out, and the iterations share it")
      .remedies = {
      "do not run buffer-loop-hoisting before affine.parallel is "
      "lowered (" +
      std::string(
          upstream::defectOf(upstream::DefectId::parallelHoist).thread) +
      ")"};
}

//===--- What the pass alone would do -------------------------------------===//

static bool isRejected(const Lookup &lookup, Id function) {
  const trace::Function *known = lookup.function(function);
  return !known || known->status != trace::FunctionStatus::traced ||
         known->upstreamReadsFreedMemory;
}

/// First op outside of `block`, in its region, that uses the value.
static Id userInOtherBlock(const Lookup &lookup, Id value, Id block) {
  const trace::Block *home = lookup.block(block);
  for (Id user : lookup.getIndex().usersOf(value)) {
    const trace::Op *op = lookup.op(user);
    const trace::Block *there = op ? lookup.block(op->block) : nullptr;
    if (there && !op->generated && there->id != block &&
        there->parentOp == home->parentOp && there->region == home->region)
      return user;
  }
  return none;
}

/// The canonicalization in front may hide it; other pipelines have none.
static void addLiveOutOfRegion(FindingMaker &maker, const trace::Op &op) {
  const Lookup &lookup = maker.lookup;
  Id function = lookup.getIndex().functionOfBlock(op.block);
  if (!op.name.starts_with("scf.") || isRejected(lookup, function))
    return;
  for (Id result : op.results) {
    Id user = userInOtherBlock(lookup, result, op.block);
    if (user == none)
      continue;
    Finding &finding = maker.add(
        "upstream-reads-freed", function, lookup.rangeOfOp(op.id),
        lookup.name(result) + ", a result of " + op.name +
            ", is used in another block: without a canonicalization before "
            "it, MLIR's pass up to " MEMREF_LENS_UPSTREAM_RELEASE
            " may read freed memory here");
    finding.severity = trace::Severity::note;
    maker.relate(finding, lookup.rangeOfOp(user),
                 "used by " + lookup.opName(user));
    finding.remedies = {{"run lift-cf-to-scf or canonicalize before the pass",
                         {RemedyPass::liftCfToScf, RemedyPass::canonicalize}}};
    return;
  }
}

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

static void addForwardedAndLive(FindingMaker &maker, const trace::Op &op) {
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
      Finding &finding =
          maker.add("no-unique-ownership", function, lookup.rangeOfOp(op.id),
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

void addStaticRules(FindingMaker &maker) {
  for (const trace::Op &op : maker.trace.ops) {
    if (op.generated)
      continue;
    if (op.name == "async.execute")
      addAsyncCaptures(maker, op);
    if (op.name == "memref.alloc")
      addParallelHoist(maker, op);
    if (!op.results.empty() && !op.regions.empty())
      addLiveOutOfRegion(maker, op);
    if (op.name == "cf.br" || op.name == "cf.cond_br")
      addForwardedAndLive(maker, op);
  }
}

} // namespace memreflens
