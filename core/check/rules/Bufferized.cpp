//===- core/check/rules/Bufferized.cpp ------------------------------------===//
//
// The copies that bufferization makes, each by what it is for.
//
//===----------------------------------------------------------------------===//

#include "core/check/rules/Finders.h"
#include "core/explain/TensorText.h"
#include "core/explain/Words.h"
#include "core/text/Bytes.h"
#include "core/trace/Symbol.h"

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
  case TensorCause::calleeWrites:
    return ruleIds::calleeMayWrite;
  case TensorCause::falseConflict:
    return ruleIds::falseConflict;
  case TensorCause::disjointParts:
    return ruleIds::disjointParts;
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

/// In place, the tensor is the caller's buffer, and the function boundary ABI
/// has a returned argument cloned.
static std::string cloneWarning(const trace::Tensors &tensors,
                                const TensorCost &copy) {
  return tensors.argument(tensors.bufferOf(copy.value))
             ? "; where the function returns the tensor, a clone takes the "
               "copy's place"
             : "";
}

static std::vector<Advice> adviceOnCallee(const Lookup &lookup,
                                          const trace::Tensors &tensors,
                                          const TensorCost &copy) {
  const trace::Function *callee = lookup.calleeOf(*lookup.op(copy.op));
  std::vector<Advice> advice;
  if (callee && callee->status == trace::FunctionStatus::declaration)
    advice.push_back("if " + trace::symbolText(callee->name) +
                     " only reads it, state that on the declaration: "
                     "{bufferization.access = \"read\"}");
  advice.push_back({"read the old value before the call, if the program allows "
                    "it" +
                        cloneWarning(tensors, copy),
                    {RemedyPass::readsFirst}});
  return advice;
}

/// Whether one op writes and reads the parts.
static bool isByOneOp(const trace::Tensors &tensors, const TensorCost &copy) {
  const trace::TensorOperand *decision =
      tensors.decisionOf(copy.op, copy.operand);
  return decision &&
         std::ranges::any_of(decision->reasons, [](const auto &one) {
           return one.write == one.read;
         });
}

/// Whether the tensor is that of a memref.global.
static bool isOfGlobal(const Lookup &lookup, const TensorCost &copy) {
  const trace::Value *tensor = lookup.value(copy.value);
  const trace::Op *by = tensor ? lookup.op(tensor->op) : nullptr;
  const trace::Value *memref = by && by->operands.size() == 1
                                   ? lookup.value(by->operands.front())
                                   : nullptr;
  const trace::Op *from = memref ? lookup.op(memref->op) : nullptr;
  return from && from->name == "memref.get_global";
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
    return {{"read the old value before the write, if the program allows it" +
                 cloneWarning(tensors, copy),
             {RemedyPass::readsFirst}}};
  case TensorCause::calleeWrites:
    return adviceOnCallee(lookup, tensors, copy);
  case TensorCause::falseConflict:
    return {"write the tensor in the branch that chooses it: the analysis "
            "knows that branches exclude each other"};
  case TensorCause::disjointParts:
    if (isByOneOp(tensors, copy))
      return {"give each part a tensor of its own: bufferization.to_tensor "
              "`restrict` of a memref.subview, where the memref is at hand"};
    return {{"read the other part before the write, if the program allows it" +
                 cloneWarning(tensors, copy),
             {RemedyPass::readsFirst}}};
  case TensorCause::readOnlyWritten:
    if (!isOfToTensor(tensors, copy))
      return {};
    // What is of a constant must never be written.
    if (isOfGlobal(lookup, copy))
      return {"state `writable` on bufferization.to_tensor only if its "
              "memref.global is not `constant`, and may be overwritten"};
    return {"state `writable` on bufferization.to_tensor, if its memref may "
            "be overwritten"};
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
  Finding *finding =
      rule ? addAtOp(maker, *rule, copy.op, text.aboutCost(copy)) : nullptr;
  if (!finding)
    return;
  finding->bytes = copy.bytes < 0 ? 0 : uint64_t(copy.bytes);
  finding->remedies = adviceFor(cause, maker.lookup, text.facts(), copy);
}

static void addEmpties(FindingMaker &maker, const TensorText &text) {
  for (const TensorText::Empties &empties : text.empties()) {
    Finding *finding =
        addAtOp(maker, ruleIds::emptyForEachOp, empties.buffers.front()->op,
                text.aboutEmpties(empties));
    if (!finding)
      continue;
    finding->bytes = empties.bytes < 0 ? 0 : uint64_t(empties.bytes);
    finding->remedies = {{"run cse before one-shot-bufferize: it makes one of "
                          "equal tensor.empty ops, but also of other ops, "
                          "which may need copies then",
                          {RemedyPass::cse}}};
  }
}

/// Of all functions, as one cause of buffers.
static void addEmptiesTo(TensorReport &report, const FindingMaker &maker,
                         const TensorText &text) {
  const std::vector<TensorText::Empties> all = text.empties();
  if (all.empty())
    return;
  size_t buffers = 0;
  int64_t bytes = 0;
  for (const TensorText::Empties &one : all) {
    buffers += one.buffers.size();
    bytes = bytes < 0 || one.bytes < 0 ? -1 : bytes + one.bytes;
  }
  TensorCauseText cause = {
      ruleIds::emptyForEachOp,
      all.size() == 1
          ? text.aboutEmpties(all.front()).sentence
          : "ops get a tensor.empty each, though " + grouped(buffers) +
                " are of " + counted(all.size(), "type"),
      counted(buffers, "buffer") +
          (bytes < 0 ? "" : ", " + bytesText(uint64_t(bytes))),
      {},
      "run cse before one-shot-bufferize"};
  const trace::Id first = all.front().buffers.front()->op;
  if (const trace::Range at = maker.lookup.rangeOfOp(first); !at.empty())
    cause.place = maker.placeOf(at);
  report.causes.push_back(std::move(cause));
}

/// The texts of the overview: each cause, with what it comes to.
static TensorReport reportOf(const FindingMaker &maker,
                             const TensorText &text) {
  TensorReport report;
  report.counts = text.totals();
  report.slow = text.slowAnalysis();
  report.bounded = text.boundedSearch();
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
  addEmptiesTo(report, maker, text);
  return report;
}

void addBufferizations(FindingMaker &maker, const CheckInputs &) {
  if (maker.trace.bufferizations.empty())
    return;
  const TensorText text(maker.lookup);
  for (const TensorCost *cost : text.facts().costs())
    if (cost->isCopy)
      addCopy(maker, text, *cost);
  addEmpties(maker, text);
  for (const trace::Bufferization &run : maker.trace.bufferizations)
    addBufferizeFaults(maker, text, run);
  maker.report.tensors = reportOf(maker, text);
}

} // namespace memreflens
