//===- core/check/rules/BufferizeFaults.cpp -------------------------------===//
//
// Where bufferization does other than the program says, or than its writer
// thinks: a write in place that is read, memory that threads share, statements
// that are believed, encodings that are dropped, functions that it passes over,
// and buffers that stay for a part of them.
//
//===----------------------------------------------------------------------===//

#include "core/check/rules/Finders.h"
#include "core/explain/TensorText.h"

namespace memreflens {

using trace::Id;
using trace::none;

static Finding *addAtValue(FindingMaker &maker, RuleId rule, Id value,
                           const Explanation &why) {
  if (!maker.lookup.value(value) || why.empty())
    return nullptr;
  return &maker.add(rule, maker.lookup.getIndex().functionOfValue(value),
                    maker.lookup.rangeOfValue(value), why.sentence);
}

static void addFunctionFaults(FindingMaker &maker, const TensorText &text,
                              const trace::TensorFunction &function) {
  for (const trace::TensorArgument &argument : function.arguments)
    if (Finding *finding =
            addAtValue(maker, ruleIds::accessContradicted, argument.value,
                       text.aboutAccess(argument)))
      finding->remedies = {"leave bufferization.access out where the function "
                           "has a body: the pass sees what that does"};
  for (const trace::TensorResult &result : function.results)
    if (Finding *finding = addAtValue(maker, ruleIds::partKeepsBuffer,
                                      result.partOf, text.aboutPart(result)))
      finding->remedies = {
          "compute only the part that is returned, or copy it into a tensor of "
          "its own"};
}

static void addOverwrite(FindingMaker &maker, const TensorText &text,
                         const trace::TensorOverwrite &overwrite) {
  const trace::Op *by = maker.lookup.op(overwrite.by);
  const bool isOfCall = by && maker.lookup.calleeOf(*by);
  Finding *finding =
      addAtOp(maker,
              !by                      ? ruleIds::argumentOverwritten
              : overwrite.read == none ? ruleIds::constantOverwritten
              : isOfCall               ? ruleIds::resultsShareBuffer
                                       : ruleIds::loopSharesBuffer,
              overwrite.write, text.aboutOverwrite(overwrite));
  if (!finding)
    return;
  if (!by)
    finding->remedies = {
        {"run lift-cf-to-scf before one-shot-bufferize",
         {RemedyPass::liftCfToScf}},
        "read the old value in the block that the argument is of"};
  else if (overwrite.read == none)
    finding->remedies = {
        {isOfCall ? "return a copy (bufferization.alloc_tensor() "
                    "copy(...)), or of a splat constant a tensor.empty that "
                    "linalg.fill fills"
                  : "yield a copy (bufferization.alloc_tensor() "
                    "copy(...))",
         {RemedyPass::copyShared}}};
  else
    finding->remedies = {
        {isOfCall ? "return the tensor once, or a copy of it "
                    "(bufferization.alloc_tensor() copy(...)) as one of the "
                    "results"
                  : "yield a copy of the tensor "
                    "(bufferization.alloc_tensor() copy(...))",
         {RemedyPass::copyShared}}};
}

void addBufferizeFaults(FindingMaker &maker, const TensorText &text,
                        const trace::Bufferization &run) {
  for (const trace::TensorOverwrite &overwrite : run.overwrites)
    addOverwrite(maker, text, overwrite);
  for (const trace::TensorOperand &decision : run.operands)
    if (Finding *finding = addAtOp(maker, ruleIds::sharedByThreads, decision.op,
                                   text.aboutSharing(decision)))
      finding->remedies = {"run one-shot-bufferize without "
                           "check-parallel-regions=0"};
  for (const trace::TensorFunction &function : run.functions)
    addFunctionFaults(maker, text, function);
  for (Id value : run.madeDense) {
    // Once for each buffer.
    if (text.facts().bufferOf(value) != value)
      continue;
    if (Finding *finding = addAtValue(maker, ruleIds::madeDense, value,
                                      text.aboutMadeDense(value)))
      finding->remedies = {"run sparsification-and-bufferization in place of "
                           "one-shot-bufferize"};
  }
  for (Id function : run.untouched) {
    const trace::Function *known = maker.lookup.function(function);
    maker
        .add(ruleIds::tensorLeft, function,
             known ? known->nameRange : trace::Range(),
             text.aboutUntouched(function).sentence)
        .remedies = {"run the pass on the inner module: --pre='builtin.module("
                     "builtin.module(one-shot-bufferize{"
                     "bufferize-function-boundaries=1}))'"};
  }
}

} // namespace memreflens
