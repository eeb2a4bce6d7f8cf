//===- core/check/rules/UpstreamReadsFreed.cpp ----------------------------===//
//
// The ownership pass computes liveness once and then rebuilds ops.
//
//===----------------------------------------------------------------------===//

#include "core/check/rules/Finders.h"
#include "core/trace/Symbol.h"
#include "core/upstream/Defects.h"
#include "core/upstream/Release.h"

namespace memreflens {

using trace::Id;
using trace::none;

void addReadsFreed(FindingMaker &maker, const trace::Function &function) {
  if (!function.upstreamReadsFreedMemory ||
      function.status == trace::FunctionStatus::notProcessed)
    return;
  Finding &finding = maker.add(
      ruleIds::upstreamReadsFreed, function.id, function.nameRange,
      "mlir-opt up to " MEMREF_LENS_UPSTREAM_RELEASE " reads freed memory on " +
          trace::symbolText(function.title()) +
          ": a result of an op that the pass rebuilds is a live-out of its "
          "block (fixed by " +
          upstream::fixText(upstream::DefectId::staleLiveness) + ")");
  finding.remedies = {
      liftAdvice(),
      "use an LLVM with " +
          std::string(
              upstream::defectOf(upstream::DefectId::staleLiveness).fix)};
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
void addLiveOutOfRegion(FindingMaker &maker, const trace::Op &op) {
  const Lookup &lookup = maker.lookup;
  if (op.results.empty() || op.regions.empty())
    return;
  Id function = lookup.getIndex().functionOfBlock(op.block);
  if (!op.name.starts_with("scf.") || isRejected(lookup, function))
    return;
  for (Id result : op.results) {
    Id user = userInOtherBlock(lookup, result, op.block);
    if (user == none)
      continue;
    Finding &finding = maker.add(
        ruleIds::upstreamReadsFreed, function, lookup.rangeOfOp(op.id),
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

} // namespace memreflens
