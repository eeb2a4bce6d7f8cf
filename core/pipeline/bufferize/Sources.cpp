//===- core/pipeline/bufferize/Sources.cpp --------------------------------===//

#include "core/pipeline/bufferize/Sources.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace mlir;
using namespace mlir::bufferization;

namespace memreflens::bufferize {

static bool isTensor(Value value) { return isa<TensorType>(value.getType()); }

std::vector<Value> tensorsOf(Operation *root) {
  std::vector<Value> tensors;
  root->walk<WalkOrder::PreOrder>([&](Operation *op) {
    llvm::copy_if(op->getResults(), std::back_inserter(tensors), isTensor);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        llvm::copy_if(block.getArguments(), std::back_inserter(tensors),
                      isTensor);
  });
  return tensors;
}

//===--- What loops and calls pass on -------------------------------------===//

static OpOperand &yieldedFor(scf::ForOp loop, unsigned number) {
  return loop.getBody()->getTerminator()->getOpOperand(number);
}

/// MLIR copies what scf.for yields where it may be a tensor from outside of the
/// body, other than the one that it is yielded for.
static bool isCopied(scf::ForOp loop, unsigned number,
                     const OneShotAnalysisState &state) {
  Region *body = &loop.getRegion();
  bool isOfBody = true;
  state.applyOnAliases(yieldedFor(loop, number).get(), [&](Value alias) {
    if (alias == loop.getRegionIterArg(number))
      return;
    Region *region = alias.getParentRegion();
    isOfBody &= isa<BlockArgument>(alias) ? body->isProperAncestor(region)
                                          : body->isAncestor(region);
  });
  return !isOfBody;
}

/// MLIR copies what scf.while passes from one region to the other unless both
/// regions pass on the buffer that they are given; never what it yields.
static bool isPassedCopied(scf::WhileOp loop, unsigned number,
                           const OneShotAnalysisState &state) {
  auto before = loop.getBeforeArguments();
  auto after = loop.getAfterArguments();
  auto yielded = loop.getYieldOp().getResults();
  if (number >= before.size() || !isTensor(before[number]))
    return true;
  return !state.areEquivalentBufferizedValues(
             before[number], loop.getConditionOp().getArgs()[number]) ||
         !state.areEquivalentBufferizedValues(after[number], yielded[number]);
}

bool Sources::isAnalysed(Operation *op) const {
  return bool(state.getOptions().dynCastBufferizableOp(op));
}

func::FuncOp Sources::calleeOf(func::CallOp call) const {
  if (!state.getOptions().bufferizeFunctionBoundaries)
    return {};
  auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
      call, call.getCalleeAttr());
  return callee && !callee.isExternal() &&
                 state.getOptions().isOpAllowed(callee)
             ? callee
             : func::FuncOp();
}

Sources::Flow Sources::flowInto(Value value) const {
  Flow flow;
  auto argument = dyn_cast<BlockArgument>(value);
  Operation *op =
      argument ? argument.getOwner()->getParentOp() : value.getDefiningOp();
  if (!isAnalysed(op))
    return flow;
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    const unsigned number =
        argument ? argument.getArgNumber() - loop.getNumInductionVars()
                 : cast<OpResult>(value).getResultNumber();
    flow.by = op;
    flow.operands.push_back(&loop.getInitArgsMutable()[number]);
    (isCopied(loop, number, state) ? flow.copied : flow.carried)
        .push_back(&yieldedFor(loop, number));
    return flow;
  }
  if (auto loop = dyn_cast<scf::WhileOp>(op)) {
    flow.by = op;
    if (argument && argument.getOwner() == loop.getBeforeBody()) {
      const unsigned number = argument.getArgNumber();
      flow.operands.push_back(&loop.getInitsMutable()[number]);
      flow.carried.push_back(&loop.getYieldOp()->getOpOperand(number));
      return flow;
    }
    const unsigned number = argument ? argument.getArgNumber()
                                     : cast<OpResult>(value).getResultNumber();
    (isPassedCopied(loop, number, state) ? flow.copied : flow.operands)
        .push_back(&loop.getConditionOp().getArgsMutable()[number]);
    return flow;
  }
  if (auto call = dyn_cast<func::CallOp>(op); call && !argument)
    if (func::FuncOp callee = calleeOf(call)) {
      flow.by = op;
      for (Block &block : callee.getBody())
        if (auto end = dyn_cast<func::ReturnOp>(block.getTerminator()))
          flow.returned.push_back(
              &end->getOpOperand(cast<OpResult>(value).getResultNumber()));
      return flow;
    }
  if (!argument || !argument.getOwner()->isEntryBlock() ||
      !isa<func::FuncOp>(op))
    for (const AliasingOpOperand &given : state.getAliasingOpOperands(value))
      flow.operands.push_back(given.opOperand);
  return flow;
}

bool Sources::hasHiding(Operation *root, unsigned least) const {
  return root
      ->walk([&](Operation *op) {
        bool hides = false;
        if (!isAnalysed(op))
          return WalkResult::advance();
        if (auto call = dyn_cast<func::CallOp>(op))
          hides = llvm::count_if(call.getResults(), isTensor) >= least &&
                  calleeOf(call);
        else if (auto loop = dyn_cast<scf::ForOp>(op))
          hides = llvm::count_if(loop.getRegionIterArgs(), [&](Value carried) {
                    const unsigned number =
                        cast<BlockArgument>(carried).getArgNumber() -
                        unsigned(loop.getNumInductionVars());
                    return isTensor(carried) &&
                           !state.areEquivalentBufferizedValues(
                               carried, yieldedFor(loop, number).get());
                  }) >= least;
        else if (auto loop = dyn_cast<scf::WhileOp>(op))
          hides = llvm::any_of(
              llvm::enumerate(loop.getYieldOp().getResults()),
              [&](const auto &yielded) {
                auto after = loop.getAfterArguments();
                return isTensor(yielded.value()) &&
                       (yielded.index() >= after.size() ||
                        !isTensor(after[yielded.index()]) ||
                        !state.areEquivalentBufferizedValues(
                            after[yielded.index()], yielded.value()));
              });
        return hides ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

bool Sources::mayHide(Operation *root) const { return hasHiding(root, 2); }

static bool isReadOnly(Value value) {
  Operation *op = value.getDefiningOp();
  auto toTensor = dyn_cast_or_null<ToTensorOp>(op);
  return isa_and_nonnull<arith::ConstantOp>(op) ||
         (toTensor && !toTensor.getWritable());
}

bool Sources::mayHideReadOnly(Operation *root) {
  if (!hasReadOnly) {
    Operation *program = root;
    while (program->getParentOp())
      program = program->getParentOp();
    hasReadOnly = program
                      ->walk([](Operation *op) {
                        return op->getNumResults() == 1 &&
                                       isTensor(op->getResult(0)) &&
                                       isReadOnly(op->getResult(0))
                                   ? WalkResult::interrupt()
                                   : WalkResult::advance();
                      })
                      .wasInterrupted();
  }
  return *hasReadOnly && hasHiding(root, 1);
}

//===--- Sources ----------------------------------------------------------===//

unsigned Sources::numberOf(const void *key, const Source &source) {
  auto [entry, isNew] =
      numbers.try_emplace({source.kind, key, source.inner}, sources.size());
  if (isNew)
    sources.push_back(source);
  return entry->second;
}

bool Sources::isConstant(unsigned source) const {
  return sources[source].kind == Kind::made &&
         sources[source].value.getDefiningOp<arith::ConstantOp>();
}

/// Whether each iteration makes another one.
bool Sources::isWithin(unsigned source, Operation *loop) const {
  return !isConstant(source) && loop->isProperAncestor(sources[source].by);
}

void Sources::addMade(Value value, Numbers &found) {
  Operation *op = value.getDefiningOp();
  found.push_back(numberOf(
      value.getAsOpaquePointer(),
      {Kind::made, value, op ? op : value.getParentBlock()->getParentOp()}));
}

void Sources::addCopied(OpOperand &operand, Numbers &found) {
  found.push_back(
      numberOf(&operand, {Kind::copied, operand.get(), operand.getOwner()}));
}

void Sources::addOperand(OpOperand &operand, Numbers &found) {
  if (state.isInPlace(operand))
    llvm::append_range(found, of(operand.get()));
  else
    addCopied(operand, found);
}

void Sources::addCarried(OpOperand &operand, Operation *loop, Kind kind,
                         Numbers &found) {
  for (unsigned source : Numbers(of(operand.get())))
    found.push_back(isWithin(source, loop)
                        ? numberOf(loop, {kind, {}, loop, source})
                        : source);
}

void Sources::addReturned(OpOperand &operand, func::CallOp call,
                          Numbers &found) {
  for (unsigned source : Numbers(of(operand.get()))) {
    auto argument = sources[source].kind == Kind::made
                        ? dyn_cast<BlockArgument>(sources[source].value)
                        : BlockArgument();
    if (argument && isa<func::FuncOp>(argument.getOwner()->getParentOp()))
      addOperand(call->getOpOperand(argument.getArgNumber()), found);
    else if (isConstant(source))
      found.push_back(source);
    else
      found.push_back(numberOf(call, {Kind::returned, {}, call, source}));
  }
}

Sources::Numbers Sources::gather(Value value) {
  const Flow flow = flowInto(value);
  Numbers found;
  for (OpOperand *operand : flow.operands)
    addOperand(*operand, found);
  for (OpOperand *operand : flow.copied)
    addCopied(*operand, found);
  for (OpOperand *operand : flow.carried)
    addCarried(*operand, flow.by,
               isa<BlockArgument>(value) ? Kind::carried : Kind::left, found);
  for (OpOperand *operand : flow.returned)
    addReturned(*operand, cast<func::CallOp>(flow.by), found);
  if (flow.operands.empty() && flow.copied.empty() && flow.carried.empty() &&
      flow.returned.empty())
    addMade(value, found);
  // None goes, so that the rounds come to an end.
  llvm::append_range(found, of(value));
  llvm::sort(found);
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

void Sources::follow(Operation *root) {
  // One that calls itself is followed once; its results are not known there.
  if (!followed.insert(root).second)
    return;
  root->walk([&](func::CallOp call) {
    if (llvm::any_of(call.getResults(), isTensor))
      if (func::FuncOp callee = calleeOf(call))
        follow(callee);
  });
  const std::vector<Value> tensors = tensorsOf(root);
  spread(tensors);
  // Of a function that calls itself: what is returned is not known.
  bool isAnyLeft = false;
  for (Value value : tensors)
    if (of(value).empty()) {
      addMade(value, known[value]);
      isAnyLeft = true;
    }
  if (isAnyLeft)
    spread(tensors);
}

void Sources::spread(ArrayRef<Value> tensors) {
  for (bool isChanged = true; isChanged;) {
    isChanged = false;
    for (Value value : tensors) {
      Numbers found = gather(value);
      Numbers &old = known[value];
      isChanged |= found != old;
      old = std::move(found);
    }
  }
}

ArrayRef<unsigned> Sources::of(Value value) const {
  auto found = known.find(value);
  return found == known.end() ? ArrayRef<unsigned>()
                              : ArrayRef<unsigned>(found->second);
}

Value Sources::madeAs(unsigned source) const {
  Kind kind = sources[source].kind;
  for (; kind != Kind::made && kind != Kind::copied;
       kind = sources[source].kind)
    source = sources[source].inner;
  return kind == Kind::made ? sources[source].value : Value();
}

Value Sources::readOnlyIn(Value value) const {
  for (unsigned source : of(value))
    if (Value made = madeAs(source); made && isReadOnly(made))
      return made;
  return {};
}

bool Sources::share(Value one, Value other) const {
  ArrayRef<unsigned> first = of(one), second = of(other);
  auto a = first.begin(), b = second.begin();
  while (a != first.end() && b != second.end()) {
    if (*a == *b)
      return true;
    *a < *b ? ++a : ++b;
  }
  return false;
}

} // namespace memreflens::bufferize
