//===- core/pipeline/ownership/Assumptions.cpp ----------------------------===//

#include "core/pipeline/ownership/Assumptions.h"
#include "core/source/Contracts.h"
#include "core/trace/Names.h"
#include "core/trace/Plan.h"
#include "core/trace/Symbol.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace memreflens {

using trace::Id;
using trace::none;
using trace::UnregisteredOps;

bool isAssumedHarmless(Operation *op, UnregisteredOps unregistered) {
  if (unregistered == UnregisteredOps::reject || op->isRegistered())
    return false;
  return op->getNumRegions() == 0 && op->getNumSuccessors() == 0 &&
         op->getBlock() && op != &op->getBlock()->back();
}

static bool hasMemref(TypeRange types) {
  return llvm::any_of(types, llvm::IsaPred<BaseMemRefType>);
}

/// What is assumed, of one op.
static std::string assumption(Operation *op, UnregisteredOps unregistered) {
  std::string text = "'" + op->getName().getStringRef().str() +
                     "' is not registered: assumed to ";
  text += unregistered == UnregisteredOps::assumePure
              ? "touch no memory and to allocate and deallocate none"
              : "read its memrefs at most, and to allocate and deallocate none";
  if (!hasMemref(op->getResultTypes()))
    return text;
  return text +
         (hasMemref(op->getOperandTypes())
              ? "; its memref results are taken for views of its operands"
              : "; its memref results are taken for memory of others");
}

/// Adds a note where something is stated of the external functions that are
/// called: `of` and `taken` say what.
static void recordStated(Operation *function, Recorder &recorder,
                         llvm::function_ref<bool(func::CallOp)> isStated,
                         llvm::StringRef of, llvm::StringRef taken) {
  trace::Trace &trace = recorder.getTrace();
  llvm::SmallSetVector<StringRef, 8> callees;
  function->walk<WalkOrder::PreOrder>([&](func::CallOp call) {
    if (isStated(call))
      callees.insert(call.getCallee());
  });
  if (callees.empty())
    return;
  trace::Problem problem;
  const trace::Function &entry =
      trace.functions[size_t(recorder.getFunction())];
  problem.severity = trace::Severity::note;
  problem.function = entry.id;
  problem.stage = recorder.getStage();
  problem.chunk = entry.chunk;
  problem.range = entry.nameRange;
  problem.message = "in " + trace::symbolText(entry.title()) + ", " + of.str() +
                    trace::symbolText(callees.front());
  if (callees.size() > 1)
    problem.message += " and " + std::to_string(callees.size() - 1) +
                       (callees.size() == 2 ? " other" : " others");
  problem.message += " are taken " + taken.str() + ", as stated";
  trace.problems.push_back(std::move(problem));
}

static void recordStatements(Operation *function, Recorder &recorder) {
  if (recorder.getFunction() == none)
    return;
  const trace::RunOptions &run = recorder.getTrace().options;
  SymbolTableCollection symbols;
  recordStated(
      function, recorder,
      [&](func::CallOp call) {
        return hasMemref(call.getResultTypes()) &&
               isFreshCall(call, run, symbols);
      },
      "results of ", "for buffers that nothing else points to");
  if (trace::stageOf(run, trace::lastUsePass) >= 0)
    recordStated(
        function, recorder,
        [&](func::CallOp call) {
          return hasMemref(call.getOperandTypes()) &&
                 isStated(call, noCaptureAttribute, run.noCapture, symbols);
        },
        "calls of ", "to keep no pointer to what they are passed");
}

void recordAssumptions(Operation *function, Recorder &recorder) {
  recordStatements(function, recorder);
  trace::Trace &trace = recorder.getTrace();
  UnregisteredOps unregistered = trace.options.unregistered;
  if (unregistered == UnregisteredOps::reject)
    return;
  trace::Problem problem;
  problem.severity = trace::Severity::note;
  problem.function = recorder.getFunction();
  problem.stage = recorder.getStage();
  function->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (!isAssumedHarmless(op, unregistered))
      return;
    trace::Problem note;
    note.severity = trace::Severity::note;
    note.message = assumption(op, unregistered);
    if (Id id = recorder.findId(op); id != none)
      note.range = trace.ops[size_t(id)].nameRange;
    problem.notes.push_back(std::move(note));
  });
  if (problem.notes.empty() || problem.function == none)
    return;
  const trace::Function &entry = trace.functions[size_t(problem.function)];
  size_t count = problem.notes.size();
  problem.chunk = entry.chunk;
  problem.range = entry.nameRange;
  problem.message =
      "in " + trace::symbolText(entry.title()) + ", " +
      (count == 1 ? "1 op is" : std::to_string(count) + " ops are") +
      " not registered: --unregistered=" +
      std::string(trace::nameOf(unregistered)) + " looks past " +
      (count == 1 ? "it" : "them");
  trace.problems.push_back(std::move(problem));
}

} // namespace memreflens
