//===- core/check/rules/Bufferized.cpp ------------------------------------===//
//
// The copies that bufferization makes, each by what it is for, and arguments
// that it overwrites though they are read later.
//
//===----------------------------------------------------------------------===//

#include "core/check/rules/Finders.h"
#include "core/explain/TensorText.h"

#include <algorithm>
#include <optional>

namespace memreflens {

using trace::Id;
using trace::none;
using trace::TensorCause;
using trace::TensorCost;

/// The rule that copies of a group fall under; nothing where there is none.
static std::optional<RuleId> ruleOf(TensorCause group) {
  switch (group) {
  case TensorCause::perIteration:
    return ruleIds::copyPerIteration;
  case TensorCause::readOnlyWritten:
    return ruleIds::notWritable;
  case TensorCause::constantWritten:
    return ruleIds::constantWritten;
  case TensorCause::readAfterWrite:
    return ruleIds::readAfterWrite;
  case TensorCause::writtenBack:
    return ruleIds::writtenBack;
  case TensorCause::layout:
    return ruleIds::layoutCopy;
  default:
    return std::nullopt;
  }
}

/// Whether eliminate-empty-tensors could give the value its place from the
/// start: it begins as a tensor.empty, and an op puts it there that the pass
/// looks through.
static bool isEmptyInserted(const Lookup &lookup, const trace::Tensors &tensors,
                            const TensorCost &copy) {
  const TensorCost *source = tensors.allocationOf(copy.value);
  const trace::Op *from = source ? lookup.op(source->op) : nullptr;
  const trace::Op *by = lookup.op(copy.op);
  return from && by && from->name == "tensor.empty" &&
         (by->name == "tensor.insert_slice" ||
          by->name == "tensor.parallel_insert_slice" ||
          by->name == "bufferization.materialize_in_destination");
}

/// Whether all that keeps the tensor from being written is its to_tensor.
static bool isOfToTensor(const trace::Tensors &tensors,
                         const TensorCost &copy) {
  const trace::TensorOperand *decision =
      tensors.decisionOf(copy.op, copy.operand);
  return decision && !decision->reasons.empty() &&
         decision->reasonCount == decision->reasons.size() &&
         std::ranges::all_of(decision->reasons, [](const auto &reason) {
           return reason.readOnly == trace::TensorReadOnly::toTensor;
         });
}

static std::vector<Advice> adviceFor(TensorCause cause, const Lookup &lookup,
                                     const trace::Tensors &tensors,
                                     const TensorCost &copy) {
  const trace::Value *because = lookup.value(copy.because);
  switch (cause) {
  case TensorCause::constantWritten:
    return {{"of a constant with one value, make the tensor with tensor.empty "
             "and linalg.fill instead",
             {RemedyPass::fillConstants}}};
  case TensorCause::readAfterWrite:
    // In place, the tensor is the caller's buffer, and the function boundary
    // ABI has a returned argument cloned.
    return {
        "read the old value before the write, if the program allows it" +
        std::string(tensors.argument(tensors.bufferOf(copy.value))
                        ? "; where the function returns the tensor, a clone "
                          "takes the copy's place"
                        : "")};
  case TensorCause::readOnlyWritten:
    if (isOfToTensor(tensors, copy))
      return {"state `writable` on bufferization.to_tensor, if its memref may "
              "be overwritten"};
    return {};
  case TensorCause::loopValue:
    return {"do two steps in one iteration, so that each value is yielded in "
            "its own place"};
  case TensorCause::writtenBack:
    if (isEmptyInserted(lookup, tensors, copy))
      return {{"run eliminate-empty-tensors before one-shot-bufferize",
               {RemedyPass::eliminateEmptyTensors}}};
    return {};
  case TensorCause::layout:
    if (because && because->kind == trace::ValueKind::argument)
      return {"state the layout of " + lookup.name(copy.because) +
                  " with bufferization.buffer_layout",
              {"bufferize with function-boundary-type-conversion="
               "identity-layout-map",
               {RemedyPass::identityLayout}}};
    return {};
  default:
    return {};
  }
}

static void addCopy(FindingMaker &maker, const TensorText &text,
                    const TensorCost &copy) {
  const TensorCause cause = text.facts().causeOf(copy);
  const std::optional<RuleId> rule = ruleOf(text.facts().groupOf(copy));
  const trace::Op *op = maker.lookup.op(copy.op);
  if (!rule || !op)
    return;
  Explanation why = text.aboutCost(copy);
  Finding &finding =
      maker.add(*rule, maker.lookup.getIndex().functionOfBlock(op->block),
                maker.lookup.rangeOfOp(op->id), why.sentence);
  finding.bytes = copy.bytes < 0 ? 0 : uint64_t(copy.bytes);
  addEvidenceOf(maker, finding, why);
  for (Advice &advice : adviceFor(cause, maker.lookup, text.facts(), copy))
    finding.remedies.push_back(std::move(advice));
}

static void addOverwrite(FindingMaker &maker, const TensorText &text,
                         const trace::TensorOverwrite &overwrite) {
  const trace::Op *op = maker.lookup.op(overwrite.write);
  if (!op)
    return;
  Explanation why = text.aboutOverwrite(overwrite);
  Finding &finding =
      maker.add(ruleIds::argumentOverwritten,
                maker.lookup.getIndex().functionOfBlock(op->block),
                maker.lookup.rangeOfOp(op->id), why.sentence);
  addEvidenceOf(maker, finding, why);
  finding.remedies = {
      "run lift-cf-to-scf before one-shot-bufferize",
      "read the old value in the block that the argument is of"};
}

/// The texts of the overview: each cause, with what it comes to.
static TensorReport reportOf(const FindingMaker &maker,
                             const TensorText &text) {
  TensorReport report;
  report.counts = text.totals();
  for (const trace::TensorGroup &group : text.facts().groups()) {
    const std::optional<RuleId> rule = ruleOf(group.cause);
    if (group.copies.count == 0 || !rule)
      continue;
    const TensorCost &largest = *group.costs.front();
    TensorCauseText cause = {
        *rule, text.sentenceOf(group), text.costsOf(group), {}, {}};
    if (const trace::Range at = maker.lookup.rangeOfOp(largest.op); !at.empty())
      cause.place = maker.placeOf(at);
    if (const std::vector<Advice> advice = adviceFor(
            text.facts().causeOf(largest), maker.lookup, text.facts(), largest);
        !advice.empty())
      cause.advice = advice.front().words;
    report.causes.push_back(std::move(cause));
  }
  return report;
}

void addBufferizations(FindingMaker &maker) {
  if (maker.trace.bufferizations.empty())
    return;
  const TensorText text(maker.lookup);
  for (const TensorCost *cost : text.facts().costs())
    if (cost->isCopy)
      addCopy(maker, text, *cost);
  for (const trace::Bufferization &run : maker.trace.bufferizations)
    for (const trace::TensorOverwrite &overwrite : run.overwrites)
      addOverwrite(maker, text, overwrite);
  maker.report.tensors = reportOf(maker, text);
}

} // namespace memreflens
