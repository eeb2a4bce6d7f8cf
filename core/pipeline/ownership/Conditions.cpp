//===- core/pipeline/ownership/Conditions.cpp -----------------------------===//

#include "core/pipeline/ownership/Conditions.h"
#include "core/pipeline/ownership/OwnershipState.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/BufferDeallocationOpInterface.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include <utility>

using namespace mlir;

namespace memreflens {

using trace::Answer;
using trace::OpCount;
using trace::OpHandling;
using trace::OpModel;
using trace::RejectionCause;

static Answer answer(bool is) { return is ? Answer::yes : Answer::no; }

//===--- The tables -------------------------------------------------------===//

static bool hasKnownEffects(const OpFeatures &features) {
  return features.hasEffects || features.hasRecursiveEffects || features.isCall;
}

/// One region with results, or several regions.
static Answer needsRegionInterface(const OpFeatures &features) {
  OpCount regions = features.regions, results = features.results;
  if (regions.least > 1 || (regions == OpCount{1, 1} && results.least > 0))
    return Answer::yes;
  if (regions.most == 0 || (regions.most == 1 && results.most == 0))
    return Answer::no;
  return Answer::depends;
}

static Answer moreThanOne(OpCount count) {
  if (count.least > 1)
    return Answer::yes;
  return count.most <= 1 ? Answer::no : Answer::depends;
}

ArrayRef<Condition> preconditions() {
  static constexpr Condition table[] = {
      {RejectionCause::existingDealloc,
       "No deallocation operations must be present when running this pass!",
       [](const OpFeatures &op) { return answer(op.isDealloc); }},
      {RejectionCause::unknownEffects,
       "ops with unknown memory side effects are not supported",
       [](const OpFeatures &op) { return answer(!hasKnownEffects(op)); }},
      {RejectionCause::regionWithoutInterface,
       "All operations with attached regions need to implement the "
       "RegionBranchOpInterface.",
       [](const OpFeatures &op) {
         return op.isRegionBranch ? Answer::no : needsRegionInterface(op);
       }},
      {RejectionCause::noTerminatorTrait, "NoTerminator trait is not supported",
       [](const OpFeatures &op) { return answer(op.hasNoTerminator); }},
      {RejectionCause::terminatorInterface,
       "Terminators must implement either BranchOpInterface or "
       "RegionBranchTerminatorOpInterface (but not both)!",
       [](const OpFeatures &op) {
         return answer(op.isTerminator && op.isBranch == op.isRegionTerminator);
       }},
      {RejectionCause::multipleSuccessorsWithMemref,
       "Terminators with more than one successor are not supported!",
       [](const OpFeatures &op) {
         return op.isTerminator ? moreThanOne(op.successors) : Answer::no;
       }}};
  return table;
}

ArrayRef<Condition> conditionsOf(OpHandling handling) {
  static constexpr Condition effects[] = {
      {RejectionCause::freeEffect,
       "memory free side-effect on MemRef value not supported!",
       [](const OpFeatures &op) { return op.freesOperand; }}};
  static constexpr Condition branch[] = {
      {RejectionCause::multipleSuccessors,
       "BranchOpInterface operations with multiple successors are not "
       "supported yet",
       [](const OpFeatures &op) { return moreThanOne(op.successors); }},
      {RejectionCause::multipleSuccessors,
       "only BranchOpInterface operations with exactly one successor are "
       "supported yet",
       [](const OpFeatures &op) {
         if (op.successors.least > 0)
           return Answer::no;
         return op.successors.most == 0 ? Answer::yes : Answer::depends;
       },
       /*wantsSuccessor=*/true},
      {RejectionCause::producedOperands, "produced operands are not supported",
       [](const OpFeatures &op) { return op.producesOperands; }}};
  static constexpr Condition model[] = {
      {RejectionCause::reduceReturnMemref,
       "only supported when operand is not a MemRef",
       [](const OpFeatures &op) {
         return op.model == OpModel::reductionTerminator ? op.hasMemrefOperand
                                                         : Answer::no;
       }},
      {RejectionCause::inParallelNotEmpty,
       "only supported when nested region is empty", [](const OpFeatures &op) {
         return op.model == OpModel::parallelTerminator ? op.hasBody
                                                        : Answer::no;
       }}};
  switch (handling) {
  case OpHandling::memoryEffects:
    return effects;
  case OpHandling::branch:
    return branch;
  case OpHandling::deallocationModel:
    return model;
  case OpHandling::regionBranch:
  case OpHandling::call:
  case OpHandling::regionTerminator:
    return {};
  }
  return {};
}

static std::optional<Rejection> firstFailed(ArrayRef<Condition> conditions,
                                            const OpFeatures &features) {
  for (const Condition &condition : conditions)
    if (condition.fails(features) == Answer::yes)
      return Rejection{condition.cause, condition.message};
  return std::nullopt;
}

/// Asks for effects only where they matter: an op may take long to tell.
static OpFeatures structureOf(Operation *op);
static Answer freesOperand(Operation *op);
static Answer producesOperands(Operation *op);

std::optional<Rejection> rejectionOf(Operation *op) {
  if (isPassedOver(op))
    return std::nullopt;
  return firstFailed(preconditions(), structureOf(op));
}

std::optional<Rejection> rejectionOf(Operation *op, OpHandling handling) {
  ArrayRef<Condition> conditions = conditionsOf(handling);
  if (conditions.empty())
    return std::nullopt;
  OpFeatures features = structureOf(op);
  if (handling == OpHandling::memoryEffects)
    features.freesOperand = freesOperand(op);
  if (handling == OpHandling::branch)
    features.producesOperands = producesOperands(op);
  return firstFailed(conditions, features);
}

//===--- By name ----------------------------------------------------------===//

OpModel modelOf(OperationName name) {
  if (!hasInterface<bufferization::BufferDeallocationOpInterface>(name))
    return OpModel::none;
  const std::pair<TypeID, OpModel> known[] = {
      {TypeID::get<arith::SelectOp>(), OpModel::passThrough},
      {TypeID::get<cf::CondBranchOp>(), OpModel::conditionalBranch},
      {TypeID::get<scf::InParallelOp>(), OpModel::parallelTerminator},
      {TypeID::get<scf::ReduceReturnOp>(), OpModel::reductionTerminator},
      {TypeID::get<gpu::TerminatorOp>(), OpModel::emptyTerminator}};
  for (auto [type, model] : known)
    if (name.getTypeID() == type)
      return model;
  return OpModel::own;
}

llvm::SmallVector<OpHandling, 4> handlingsOf(OperationName name) {
  if (hasInterface<bufferization::BufferDeallocationOpInterface>(name))
    return {OpHandling::deallocationModel};
  llvm::SmallVector<OpHandling, 4> handlings;
  if (hasInterface<MemoryEffectOpInterface>(name))
    handlings.push_back(OpHandling::memoryEffects);
  if (hasInterface<RegionBranchOpInterface>(name))
    handlings.push_back(OpHandling::regionBranch);
  if (hasInterface<CallOpInterface>(name))
    handlings.push_back(OpHandling::call);
  if (hasInterface<BranchOpInterface>(name))
    handlings.push_back(OpHandling::branch);
  if (hasInterface<RegionBranchTerminatorOpInterface>(name))
    handlings.push_back(OpHandling::regionTerminator);
  return handlings;
}

namespace {
/// The traits by which a definition says how many of something there are; the
/// numbers that ODS gives are small. Compilers name those with a number in
/// different ways: where the op's library was built with another one, the count
/// stays open.
template <template <class> class Zero, template <class> class One,
          template <unsigned> class Many, template <unsigned> class AtLeast>
struct Counter {
  template <unsigned... n>
  static OpCount count(OperationName name,
                       std::integer_sequence<unsigned, n...>) {
    OpCount found;
    if (name.hasTrait<Zero>())
      return {0, 0};
    if (name.hasTrait<One>())
      return {1, 1};
    ((name.hasTrait<Many<n + 2>::template Impl>()
          ? void(found = {int(n + 2), int(n + 2)})
          : void()),
     ...);
    if (found.least > 0)
      return found;
    ((name.hasTrait<AtLeast<n + 1>::template Impl>()
          ? void(found.least = int(n + 1))
          : void()),
     ...);
    return found;
  }
  static OpCount count(OperationName name) {
    return count(name, std::make_integer_sequence<unsigned, 12>());
  }
};
} // namespace

template <class... Types> static bool hasTypedResult(OperationName name) {
  return (name.hasTrait<OpTrait::OneTypedResult<Types>::template Impl>() ||
          ...);
}

/// Whether the single result is a memref, by its type in the definition.
static Answer resultIsMemref(OperationName name) {
  if (hasTypedResult<MemRefType, BaseMemRefType, UnrankedMemRefType>(name))
    return Answer::yes;
  if (hasTypedResult<IndexType, IntegerType, FloatType, VectorType, TensorType,
                     RankedTensorType, UnrankedTensorType>(name))
    return Answer::no;
  return Answer::depends;
}

static Answer passesOver(OperationName name, const OpFeatures &features) {
  Answer result =
      features.results.most == 0 ? Answer::no : resultIsMemref(name);
  bool neverAllocates = !features.hasEffects && features.hasRecursiveEffects;
  if (result == Answer::yes || (!features.hasEffects && !neverAllocates))
    return Answer::no;
  bool hasNoMemref = result == Answer::no && features.operands.most == 0 &&
                     features.regions.most == 0;
  return hasNoMemref && neverAllocates ? Answer::yes : Answer::depends;
}

/// All that the name tells.
static OpFeatures knownFeatures(OperationName name) {
  OpFeatures features;
  features.isDealloc =
      name.getTypeID() == TypeID::get<bufferization::DeallocOp>();
  features.hasEffects = hasInterface<MemoryEffectOpInterface>(name);
  features.hasRecursiveEffects =
      name.hasTrait<OpTrait::HasRecursiveMemoryEffects>();
  features.isCall = hasInterface<CallOpInterface>(name);
  features.isRegionBranch = hasInterface<RegionBranchOpInterface>(name);
  features.isBranch = hasInterface<BranchOpInterface>(name);
  features.isRegionTerminator =
      hasInterface<RegionBranchTerminatorOpInterface>(name);
  features.isTerminator = name.hasTrait<OpTrait::IsTerminator>();
  features.hasNoTerminator = name.hasTrait<OpTrait::NoTerminator>();
  features.model = modelOf(name);
  return features;
}

OpFeatures featuresOf(OperationName name) {
  OpFeatures features = knownFeatures(name);
  features.operands =
      Counter<OpTrait::ZeroOperands, OpTrait::OneOperand, OpTrait::NOperands,
              OpTrait::AtLeastNOperands>::count(name);
  features.results =
      Counter<OpTrait::ZeroResults, OpTrait::OneResult, OpTrait::NResults,
              OpTrait::AtLeastNResults>::count(name);
  features.regions =
      Counter<OpTrait::ZeroRegions, OpTrait::OneRegion, OpTrait::NRegions,
              OpTrait::AtLeastNRegions>::count(name);
  features.successors =
      Counter<OpTrait::ZeroSuccessors, OpTrait::OneSuccessor,
              OpTrait::NSuccessors, OpTrait::AtLeastNSuccessors>::count(name);
  features.passedOver = passesOver(name, features);
  if (features.operands.most == 0)
    features.freesOperand = features.hasMemrefOperand = Answer::no;
  return features;
}

//===--- Of an op ---------------------------------------------------------===//

static bool hasBufferSemantics(Operation *op) {
  if (llvm::any_of(op->getOperands(), isMemref) ||
      llvm::any_of(op->getResults(), isMemref))
    return true;
  return llvm::any_of(op->getRegions(), [](Region &region) {
    return !region.empty() &&
           llvm::any_of(region.front().getArguments(), isMemref);
  });
}

static bool neverAllocatesOrFrees(Operation *op) {
  if (isa<MemoryEffectOpInterface>(op))
    return !hasEffect<MemoryEffects::Allocate>(op) &&
           !hasEffect<MemoryEffects::Free>(op);
  return op->hasTrait<OpTrait::HasRecursiveMemoryEffects>();
}

bool isPassedOver(Operation *op) {
  return !hasBufferSemantics(op) && neverAllocatesOrFrees(op);
}

Value freedMemref(Operation *op) {
  if (auto effects = dyn_cast<MemoryEffectOpInterface>(op))
    for (Value operand : op->getOperands())
      if (isMemref(operand) &&
          effects.getEffectOnValue<MemoryEffects::Free>(operand))
        return operand;
  return {};
}

static Answer freesOperand(Operation *op) {
  bool byHand =
      op->hasAttr(bufferization::BufferizationDialect::kManualDeallocation);
  return answer(!byHand && freedMemref(op));
}

static Answer producesOperands(Operation *op) {
  auto branch = dyn_cast<BranchOpInterface>(op);
  return answer(branch && op->getNumSuccessors() == 1 &&
                branch.getSuccessorOperands(0).getProducedOperandCount() > 0);
}

static OpCount exactly(unsigned count) { return {int(count), int(count)}; }

static OpFeatures structureOf(Operation *op) {
  OpFeatures features = knownFeatures(op->getName());
  features.operands = exactly(op->getNumOperands());
  features.results = exactly(op->getNumResults());
  features.regions = exactly(op->getNumRegions());
  features.successors = exactly(op->getNumSuccessors());
  features.passedOver = features.freesOperand = features.producesOperands =
      Answer::no;
  features.hasMemrefOperand = answer(llvm::any_of(op->getOperands(), isMemref));
  features.hasBody = answer(llvm::any_of(op->getRegions(), [](Region &region) {
    return !region.empty() && !region.front().empty();
  }));
  return features;
}

OpFeatures featuresOf(Operation *op) {
  OpFeatures features = structureOf(op);
  features.passedOver = answer(isPassedOver(op));
  features.freesOperand = freesOperand(op);
  features.producesOperands = producesOperands(op);
  return features;
}

} // namespace memreflens
