//===- core/pipeline/opneeds/OpNeeds.cpp ----------------------------------===//

#include "core/pipeline/opneeds/OpNeeds.h"
#include "core/pipeline/opneeds/OpRegistry.h"
#include "core/pipeline/ownership/Conditions.h"
#include "core/pipeline/ownership/OwnershipPass.h"
#include "core/pipeline/ownership/Remedies.h"
#include "core/source/Identity.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace memreflens {

using trace::Answer;
using trace::OpFacts;
using trace::OpHandling;
using trace::OpPlace;
using trace::SignaturePart;

static bool has(const OpFacts &facts, OpHandling handling) {
  return llvm::is_contained(facts.handlings, handling);
}

//===--- Conditions -------------------------------------------------------===//

static void addConditions(ArrayRef<Condition> conditions,
                          const OpFeatures &features, bool isGuarded,
                          OpFacts &facts) {
  for (const Condition &condition : conditions) {
    Answer fails = condition.fails(features);
    if (isGuarded && features.passedOver == Answer::yes)
      fails = Answer::no;
    if (isGuarded && features.passedOver == Answer::depends &&
        fails == Answer::yes)
      fails = Answer::depends;
    facts.conditions.push_back(
        {condition.cause, condition.message, fails, condition.wantsSuccessor});
  }
}

static OpFacts factsOf(OperationName name, const OpFeatures &features) {
  OpFacts facts;
  facts.name = name.getStringRef().str();
  facts.isRegistered = name.isRegistered();
  facts.remediesOfMlir = remediesOfMlir(name);
  facts.operands = features.operands;
  facts.results = features.results;
  facts.regions = features.regions;
  facts.successors = features.successors;
  facts.passedOver = features.passedOver;
  facts.model = features.model;
  for (OpHandling handling : handlingsOf(name))
    facts.handlings.push_back(handling);
  if (!has(facts, OpHandling::deallocationModel))
    addConditions(preconditions(), features, /*isGuarded=*/true, facts);
  for (OpHandling handling : facts.handlings)
    addConditions(conditionsOf(handling), features, /*isGuarded=*/false, facts);
  // Each model has its own, which are nobody else's.
  if (has(facts, OpHandling::deallocationModel))
    std::erase_if(facts.conditions, [](const trace::OpCondition &condition) {
      return condition.fails == Answer::no;
    });
  return facts;
}

/// Whether more of something can be appended: its number is fixed, or a
/// segment's size is.
static bool isFixed(const trace::OpCount &count) {
  return count.least == count.most;
}

/// What the definition has no place for.
static void findSpoiled(OperationName name, OpFacts &facts) {
  OpFeatures defined = featuresOf(name);
  bool inSegments = name.hasTrait<OpTrait::AttrSizedOperandSegments>();
  bool resultSegments = name.hasTrait<OpTrait::AttrSizedResultSegments>();
  for (const trace::OpAppended &appended : facts.appended) {
    Answer does = appended.count > 0 ? Answer::yes : Answer::depends;
    bool toOperands = appended.part == SignaturePart::regionOpOperand ||
                      appended.part == SignaturePart::terminatorOperand ||
                      appended.part == SignaturePart::branchOperand;
    // Only those of a region op are appended past the op's own accessors, which
    // keep the sizes of segments.
    if (toOperands &&
        (isFixed(defined.operands) ||
         (inSegments && appended.part == SignaturePart::regionOpOperand)))
      facts.spoiledOperands = does;
    if (appended.part == SignaturePart::regionOpResult &&
        (isFixed(defined.results) || resultSegments))
      facts.spoiledResults = does;
  }
}

static bool isVisitedFunction(OperationName name) {
  return name.getTypeID() == TypeID::get<func::FuncOp>();
}

/// The pass asks nothing of what is not inside of a func.func.
static void leaveOut(trace::OpPlace place, OpFacts &facts) {
  facts.place = place;
  if (place == trace::OpPlace::inside)
    return;
  facts.conditions.clear();
  facts.handlings.clear();
  facts.model = trace::OpModel::none;
}

//===--- By name ----------------------------------------------------------===//

static void addAppendedByName(const OpFeatures &features, OpFacts &facts) {
  auto add = [&](SignaturePart part) { facts.appended.push_back({part, -1}); };
  if (features.regions.most > 0 && facts.place != OpPlace::otherFunction)
    add(SignaturePart::blockArgument);
  if (has(facts, OpHandling::regionBranch)) {
    if (features.operands.most > 0)
      add(SignaturePart::regionOpOperand);
    if (features.results.most > 0)
      add(SignaturePart::regionOpResult);
  }
  if (has(facts, OpHandling::call) && features.results.most > 0)
    add(SignaturePart::callResult);
  if (has(facts, OpHandling::branch) ||
      facts.model == trace::OpModel::conditionalBranch)
    add(SignaturePart::branchOperand);
  if (has(facts, OpHandling::regionTerminator) && features.operands.most > 0)
    add(SignaturePart::terminatorOperand);
}

std::optional<OpFacts> factsOfName(StringRef name,
                                   const DialectRegistry &registry,
                                   MLIRContext &context, std::string &error) {
  std::optional<RegisteredOperationName> registered =
      findRegistered(name, registry, context, error);
  if (!registered)
    return std::nullopt;
  OpFeatures features = featuresOf(*registered);
  OpFacts facts = factsOf(*registered, features);
  if (hasInterface<FunctionOpInterface>(*registered))
    leaveOut(isVisitedFunction(*registered) ? OpPlace::function
                                            : OpPlace::otherFunction,
             facts);
  addCapabilities(*registered, registry, facts);
  for (StringAttr attribute : registered->getAttributeNames())
    facts.attributes.push_back(attribute.str());
  bool mayHaveMemrefResult =
      features.results.most > 0 && features.passedOver != Answer::yes;
  if (mayHaveMemrefResult && has(facts, OpHandling::memoryEffects))
    facts.allocates = Answer::depends;
  if (mayHaveMemrefResult && facts.place == OpPlace::inside &&
      !has(facts, OpHandling::regionBranch) && !has(facts, OpHandling::call))
    facts.views = Answer::depends;
  facts.probe = probeEffects(*registered, facts);
  addAppendedByName(features, facts);
  findSpoiled(*registered, facts);
  return facts;
}

//===--- Of an op ---------------------------------------------------------===//

static int memrefsIn(ValueRange values) {
  return int(llvm::count_if(values, isMemref));
}

static int memrefsEntering(Operation *op) {
  auto branch = cast<RegionBranchOpInterface>(op);
  SmallVector<RegionSuccessor> successors;
  branch.getSuccessorRegions(RegionBranchPoint::parent(), successors);
  if (successors.empty())
    return 0;
  return memrefsIn(branch.getEntrySuccessorOperands(successors.front()));
}

static int memrefsForwarded(Operation *op) {
  auto branch = cast<BranchOpInterface>(op);
  int count = 0;
  for (unsigned i = 0; i < op->getNumSuccessors(); ++i)
    count += memrefsIn(
        OperandRange(branch.getSuccessorOperands(i).getForwardedOperands()));
  return count;
}

/// At a function's end only what is owned may leave: nothing is appended.
static int memrefsLeaving(Operation *op) {
  Operation *parent = op->getParentOp();
  if (hasStaticBoundary(parent, {}))
    return 0;
  return memrefsIn(OperandRange(
      cast<RegionBranchTerminatorOpInterface>(op).getMutableSuccessorOperands(
          RegionSuccessor(parent, parent->getResults()))));
}

static int memrefArguments(Operation *op) {
  int count = 0;
  for (Region &region : op->getRegions())
    for (Block &block : region)
      if (!isa<FunctionOpInterface>(op) || !block.isEntryBlock())
        count += memrefsIn(block.getArguments());
  return count;
}

static void addAppendedByOp(Operation *op, OpFacts &facts) {
  auto add = [&](SignaturePart part, int count) {
    if (count > 0)
      facts.appended.push_back({part, count});
  };
  add(SignaturePart::blockArgument, memrefArguments(op));
  if (has(facts, OpHandling::regionBranch)) {
    add(SignaturePart::regionOpOperand, memrefsEntering(op));
    add(SignaturePart::regionOpResult, memrefsIn(op->getResults()));
  }
  if (has(facts, OpHandling::branch) ||
      facts.model == trace::OpModel::conditionalBranch)
    add(SignaturePart::branchOperand, memrefsForwarded(op));
  if (has(facts, OpHandling::regionTerminator))
    add(SignaturePart::terminatorOperand, memrefsLeaving(op));
}

static void addAllocations(Operation *op, OpFacts &facts) {
  auto effects = dyn_cast<MemoryEffectOpInterface>(op);
  bool isMade =
      has(facts, OpHandling::regionBranch) || has(facts, OpHandling::call);
  for (OpResult result : op->getResults()) {
    if (!isMemref(result))
      continue;
    auto effect =
        effects ? effects.getEffectOnValue<MemoryEffects::Allocate>(result)
                : std::nullopt;
    if (!effect) {
      facts.views = isMade ? facts.views : Answer::yes;
      continue;
    }
    facts.allocates = Answer::yes;
    bool onStack = isa<SideEffects::AutomaticAllocationScopeResource>(
        effect->getResource());
    (onStack ? facts.onStack : facts.allocated)
        .push_back(int(result.getResultNumber()));
  }
}

static OpPlace placeOf(Operation *op) {
  if (op->getParentOfType<func::FuncOp>())
    return OpPlace::inside;
  if (isVisitedFunction(op->getName()))
    return OpPlace::function;
  return isa<FunctionOpInterface>(op) ? OpPlace::otherFunction
                                      : OpPlace::outside;
}

OpFacts factsOfOp(Operation *op) {
  OpFacts facts = factsOf(op->getName(), featuresOf(op));
  facts.isInstance = true;
  facts.op = taggedOp(op->getLoc());
  leaveOut(placeOf(op), facts);
  if (facts.place == OpPlace::function)
    addAppendedByOp(op, facts);
  if (rejectionIn(facts) || facts.place != OpPlace::inside)
    return facts;
  addAppendedByOp(op, facts);
  if (!has(facts, OpHandling::deallocationModel))
    addAllocations(op, facts);
  if (op->isRegistered())
    findSpoiled(op->getName(), facts);
  return facts;
}

} // namespace memreflens
