//===- core/check/rules/Rejections.cpp ------------------------------------===//
//
// Why the pipeline does not take a function.
//
//===----------------------------------------------------------------------===//

#include "core/check/Rules.h"
#include "core/check/rules/Finders.h"
#include "core/explain/RejectionText.h"
#include "core/explain/Words.h"
#include "core/trace/Plan.h"
#include "core/trace/Symbol.h"
#include "core/upstream/BufferizeErrors.h"

#include <set>

namespace memreflens {

using trace::Id;
using trace::none;

/// Where to look: at the branch that closes a loop, not at its function.
static trace::Range rangeOfRejection(const Lookup &lookup,
                                     const trace::Event &event,
                                     const trace::RejectionEvent &detail) {
  Id op = event.op;
  // A stage's own message names a place inside of the function.
  const trace::Function *function = lookup.function(event.function);
  for (const trace::Problem &problem : lookup.getTrace().problems)
    if (function && problem.function == event.function &&
        problem.severity == trace::Severity::error && problem.stage != none &&
        problem.range.begin != function->nameRange.begin &&
        problem.range.begin > function->range.begin &&
        function->range.contains(problem.range.begin))
      return {problem.range.begin,
              std::max(problem.range.end, problem.range.begin + 1)};
  bool pointsAway = detail.cause == trace::RejectionCause::loopInControlFlow ||
                    detail.cause == trace::RejectionCause::noUniqueOwnership;
  if (pointsAway && !detail.witnesses.empty())
    op = detail.witnesses.front();
  return lookup.rangeOfOp(op);
}

/// What helps where the pass makes IR that the op's definition does not allow.
static Advice adviceOnInvalid(std::string_view op) {
  const std::string name = "'" + std::string(op) + "'";
  if (op.starts_with("omp."))
    return "run the pipeline before the pass that makes " + name +
           " (convert-scf-to-openmp): it may hold one op only, and the "
           "pipeline adds a constant";
  if (op == "memref.realloc")
    return "where it gets smaller, take a memref.subview of the buffer, or a "
           "new buffer and memref.copy: expand-realloc makes an invalid branch "
           "of it";
  if (op == "vector.mask")
    return "run lower-vector-mask before the pipeline, or the pipeline before "
           "the pass that makes 'vector.mask': it may hold one op only, and "
           "the pipeline adds a constant";
  if (op.starts_with("affine."))
    return {"run lower-affine before the pipeline: 'scf.for' takes the "
            "ownership indicators that the pipeline adds"};
  if (op.starts_with("gpu."))
    return "pass the workgroup memory in, or run the pipeline before the pass "
           "that gives " +
           name +
           " attributions: the pipeline adds an ownership indicator to them";
  return "lower that op before the pipeline, or keep buffers out of what it "
         "carries";
}

static void addRejections(FindingMaker &maker, std::set<Id> &ops) {
  for (const trace::Event &event : maker.trace.events) {
    const auto *detail = std::get_if<trace::RejectionEvent>(&event.detail);
    if (!detail)
      continue;
    // Also the user's op that a stage made this one of.
    for (const trace::Op *op = maker.lookup.op(event.op);
         op && ops.insert(op->id).second;)
      op = maker.lookup.op(op->origin);
    Explanation why = explainRejection(maker.lookup, event.id);
    Finding &finding =
        maker.add(ruleOf(detail->cause), event.function,
                  rangeOfRejection(maker.lookup, event, *detail), why.sentence);
    finding.event = event.id;
    finding.namesPlace = !why.named.empty() &&
                         maker.placeOf(why.named).beginsWhere(finding.place);
    for (const Evidence &fact : why.evidence)
      maker.relate(finding, fact.range, fact.text);
    finding.remedies = why.remedies;
    if (detail->cause == trace::RejectionCause::invalidIr) {
      const std::string op =
          maker.opAt(rangeOfRejection(maker.lookup, event, *detail));
      finding.remedies.push_back(adviceOnInvalid(op));
      if (finding.subject.empty())
        finding.subject = op;
    }
  }
}

/// What ended a whole chunk, and is said of no function by a rejection.
void addStageProblems(FindingMaker &maker, const CheckInputs &) {
  std::set<Id> rejected;
  for (const trace::Event &event : maker.trace.events)
    if (std::holds_alternative<trace::RejectionEvent>(event.detail))
      rejected.insert(event.function);
  for (const trace::Problem &problem : maker.trace.problems) {
    if (problem.stage == none || rejected.contains(problem.function) ||
        problem.severity != trace::Severity::error)
      continue;
    Finding &finding = maker.add(problem.died          ? ruleIds::stageCrashed
                                 : problem.isInvalidIr ? ruleIds::invalidIr
                                                       : ruleIds::stageFailed,
                                 none, problem.range, problem.message);
    const trace::RunOptions &run = maker.trace.options;
    if (const auto *known = upstream::bufferizeErrorOf(problem.message)) {
      if (!known->meaning.empty())
        maker.relate(finding, problem.range, std::string(known->meaning));
      finding.remedies.push_back(std::string(known->advice));
    }
    if (problem.isInvalidIr && run.privateFunctionDynamicOwnership &&
        trace::isPass(run, problem.stage, trace::ownershipPass))
      finding.remedies.push_back(
          "run without private-function-dynamic-ownership, "
          "which changes no signature");
  }
}

void addRejections(FindingMaker &maker, const CheckInputs &inputs) {
  std::set<Id> ops;
  addRejections(maker, ops);
  for (const AlsoRejected &also : inputs.rejected) {
    if (!ops.insert(also.op).second)
      continue;
    const trace::Op *op = maker.lookup.op(also.op);
    Id function =
        op ? maker.lookup.getIndex().functionOfBlock(op->block) : none;
    const trace::Function *known = maker.lookup.function(function);
    if (!known || known->status == trace::FunctionStatus::notProcessed ||
        known->status == trace::FunctionStatus::traced)
      continue;
    Finding &finding = maker.add(
        ruleOf(also.cause), function, maker.lookup.rangeOfOp(also.op),
        functionOf(maker.lookup, function) + " would be rejected for " +
            maker.lookup.opName(also.op) + ", too: " + also.message);
    finding.remedies = adviceAgainst(also.cause, op->name, also.remedies);
  }
}

} // namespace memreflens
