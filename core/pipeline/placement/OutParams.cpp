//===- core/pipeline/placement/OutParams.cpp ------------------------------===//

#include "core/pipeline/placement/OutParams.h"

#include "mlir/Dialect/Bufferization/IR/AllocationOpInterface.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;

namespace memreflens::placement {

namespace {
class Converter {
public:
  Converter(ModuleOp module, const OutParamOptions &options)
      : module(module), symbols(module), options(options) {}
  OutParams run();

private:
  LogicalResult changeFunction(func::FuncOp function);
  bool isChanged(func::FuncOp function) const;
  LogicalResult changeType(func::FuncOp function,
                           MutableArrayRef<OutParam> results);
  void changeReturn(func::ReturnOp op, MutableArrayRef<OutParam> results);
  ReturnedBuffer passOut(func::ReturnOp op, const OutParam &result,
                         ArrayRef<OutParam> results) const;
  bool isHoisted(Value value) const;
  void changeCall(func::CallOp call);
  Value allocate(OpBuilder &builder, func::CallOp call, MemRefType type,
                 OutParam *result);
  OutParam *entryOf(func::FuncOp function, unsigned result);

  ModuleOp module;
  SymbolTable symbols;
  const OutParamOptions &options;
  OutParams found;
  llvm::DenseMap<Operation *, size_t> firstEntry;
};
} // namespace

/// Strides and offset are known only at run time: a cast gets any dense buffer
/// there.
static bool isFullyDynamic(MemRefType type) {
  SmallVector<int64_t> strides;
  int64_t offset = 0;
  return succeeded(type.getStridesAndOffset(strides, offset)) &&
         ShapedType::isDynamic(offset) &&
         llvm::all_of(strides, ShapedType::isDynamic);
}

static bool canBeAllocated(MemRefType type) {
  return type.getLayout().isIdentity() || isFullyDynamic(type);
}

bool Converter::isChanged(func::FuncOp function) const {
  return !function.isExternal() &&
         (!function.isPublic() || options.modifyPublicFunctions);
}

LogicalResult Converter::changeFunction(func::FuncOp function) {
  std::vector<OutParam> results(function.getNumResults());
  for (auto [number, result] : llvm::enumerate(results)) {
    result.function = function;
    result.result = number;
    result.type = function.getResultTypes()[number];
    if (function.isExternal())
      result.outcome = MoveOutcome::external;
    else if (!isChanged(function))
      result.outcome = MoveOutcome::publicFunction;
    else if (!isa<MemRefType>(result.type))
      result.outcome = MoveOutcome::notMemref;
  }
  const bool isRejected =
      isChanged(function) && failed(changeType(function, results));
  if (isChanged(function) && !isRejected)
    for (Block &block : function.getBody())
      if (auto op = dyn_cast<func::ReturnOp>(block.getTerminator()))
        changeReturn(op, results);
  firstEntry[function] = found.results.size();
  found.results.insert(found.results.end(), results.begin(), results.end());
  return failure(isRejected);
}

/// Results become arguments, with their attributes.
LogicalResult Converter::changeType(func::FuncOp function,
                                    MutableArrayRef<OutParam> results) {
  for (OutParam &result : results) {
    if (result.outcome != MoveOutcome::becameArgument ||
        canBeAllocated(cast<MemRefType>(result.type)))
      continue;
    for (OutParam &other : results)
      if (other.outcome == MoveOutcome::becameArgument)
        other.outcome = MoveOutcome::besideUnsupported;
    result.outcome = MoveOutcome::unsupportedLayout;
    return function->emitError()
           << "cannot create out param for result with unsupported layout";
  }
  MLIRContext *context = function.getContext();
  llvm::BitVector gone(results.size());
  for (OutParam &result : results) {
    if (result.outcome != MoveOutcome::becameArgument)
      continue;
    gone.set(result.result);
    NamedAttrList attributes(function.getResultAttrDict(result.result));
    if (options.addResultAttr)
      attributes.set("bufferize.result", UnitAttr::get(context));
    result.argument = function.getNumArguments();
    if (failed(function.insertArgument(result.argument, result.type,
                                       attributes.getDictionary(context),
                                       function.getLoc())))
      return failure();
  }
  return function.eraseResults(gone);
}

void Converter::changeReturn(func::ReturnOp op,
                             MutableArrayRef<OutParam> results) {
  for (OutParam &result : results)
    if (result.outcome == MoveOutcome::becameArgument)
      result.returns.push_back(passOut(op, result, results));
  SmallVector<Value> kept;
  for (auto [result, value] : llvm::zip_equal(results, op.getOperands()))
    if (result.outcome != MoveOutcome::becameArgument)
      kept.push_back(value);
  op.getOperandsMutable().assign(kept);
}

bool Converter::isHoisted(Value value) const {
  const bool isStatic = cast<MemRefType>(value.getType()).hasStaticShape();
  return isStatic ? options.hoistStaticAllocs : options.hoistDynamicAllocs;
}

/// The operands that an allocation takes for sizes, as far as they are
/// arguments of its function.
static void noteSizes(Operation *allocation, func::FuncOp function,
                      ReturnedBuffer &returned) {
  for (Value operand : allocation->getOperands()) {
    if (!operand.getType().isIndex())
      continue;
    auto argument = dyn_cast<BlockArgument>(operand);
    if (!argument || argument.getOwner() != &function.getBody().front()) {
      returned.hasOtherSize = true;
      if (Operation *made = operand.getDefiningOp())
        returned.sizeFrom = made->getName();
      returned.sizes.clear();
      return;
    }
    returned.sizes.push_back(argument.getArgNumber());
  }
}

static void hoist(Value value, BlockArgument argument,
                  ReturnedBuffer &returned) {
  Operation *allocation = value.getDefiningOp();
  returned.outcome = ReturnOutcome::hoisted;
  returned.allocation = allocation->getName();
  returned.location = allocation->getLoc();
  returned.hadContents =
      isa<bufferization::CloneOp, memref::ReallocOp>(allocation);
  if (auto alloc = dyn_cast<memref::AllocOp>(allocation))
    returned.alignment = alloc.getAlignment().value_or(0);
  if (!cast<MemRefType>(value.getType()).hasStaticShape())
    noteSizes(allocation,
              cast<func::FuncOp>(argument.getOwner()->getParentOp()), returned);
  value.replaceAllUsesWith(argument);
  allocation->erase();
}

/// Whether a value is an argument that the pass made, and since when.
static std::optional<ReturnOutcome> hoistedEarlier(Operation *op, Value value,
                                                   ArrayRef<OutParam> results) {
  auto source = dyn_cast<BlockArgument>(value);
  if (!source || !source.getOwner()->isEntryBlock() ||
      source.getOwner()->getParentOp() != op->getParentOp())
    return std::nullopt;
  for (const OutParam &result : results) {
    if (result.outcome != MoveOutcome::becameArgument ||
        result.argument != source.getArgNumber())
      continue;
    const ReturnedBuffer &last = result.returns.back();
    const bool isBeside =
        last.at == op && last.outcome == ReturnOutcome::hoisted;
    return isBeside ? ReturnOutcome::hoistedBeside
                    : ReturnOutcome::hoistedBefore;
  }
  return std::nullopt;
}

ReturnedBuffer Converter::passOut(func::ReturnOp op, const OutParam &result,
                                  ArrayRef<OutParam> results) const {
  func::FuncOp function = result.function;
  BlockArgument argument = function.getArgument(result.argument);
  const Value value = op.getOperand(result.result);
  ReturnedBuffer returned;
  returned.at = op;
  Operation *definition = value.getDefiningOp();
  if (isa_and_nonnull<bufferization::AllocationOpInterface>(definition)) {
    if (isHoisted(value)) {
      hoist(value, argument, returned);
      return returned;
    }
    returned.outcome = ReturnOutcome::hoistingOff;
  }
  if (auto earlier = hoistedEarlier(op, value, results))
    returned.outcome = *earlier;
  OpBuilder builder(op);
  returned.copy = memref::CopyOp::create(builder, op.getLoc(), value, argument);
  return returned;
}

OutParam *Converter::entryOf(func::FuncOp function, unsigned result) {
  auto first = firstEntry.find(function);
  if (first == firstEntry.end())
    return nullptr;
  const size_t at = first->second + result;
  return at < found.results.size() && found.results[at].function == function
             ? &found.results[at]
             : nullptr;
}

/// What the caller passes for a result; null after an error.
Value Converter::allocate(OpBuilder &builder, func::CallOp call,
                          MemRefType type, OutParam *result) {
  SmallVector<Value> sizes;
  // A call in a nested module may mean another function of the name.
  if (result && !result->returns.empty())
    for (unsigned argument : result->returns.front().sizes)
      if (argument < call.getNumOperands())
        sizes.push_back(call.getOperand(argument));
  if (!type.hasStaticShape() && sizes.empty()) {
    if (result && !result->call) {
      result->outcome = MoveOutcome::callUnknownSize;
      result->call = call;
    }
    call.emitError("cannot create out param for dynamically shaped result");
    return {};
  }
  auto dense =
      MemRefType::get(type.getShape(), type.getElementType(),
                      MemRefLayoutAttrInterface(), type.getMemorySpace());
  Value memory = memref::AllocOp::create(builder, call.getLoc(), dense, sizes);
  if (result)
    result->allocations.push_back(memory.getDefiningOp());
  if (isFullyDynamic(type))
    memory = memref::CastOp::create(builder, call.getLoc(), type, memory);
  return memory;
}

void Converter::changeCall(func::CallOp call) {
  auto callee = symbols.lookup<func::FuncOp>(call.getCallee());
  if (!callee) {
    found.succeeded = false;
    found.unknownCallees.push_back(call);
    call.emitError() << "cannot find callee '" << call.getCallee()
                     << "' in symbol table";
    return;
  }
  if (!isChanged(callee))
    return;
  OpBuilder builder(call);
  SmallVector<Value> operands(call.getOperands()), kept;
  for (OpResult result : call.getResults()) {
    auto type = dyn_cast<MemRefType>(result.getType());
    if (!type) {
      kept.push_back(result);
      continue;
    }
    Value memory = allocate(builder, call, type,
                            entryOf(callee, result.getResultNumber()));
    if (!memory) {
      found.succeeded = false;
      return;
    }
    result.replaceAllUsesWith(memory);
    operands.push_back(memory);
  }
  auto shorter =
      func::CallOp::create(builder, call.getLoc(), call.getCalleeAttr(),
                           ValueRange(kept).getTypes(), operands);
  for (auto [old, replacement] : llvm::zip_equal(kept, shorter.getResults()))
    old.replaceAllUsesWith(replacement);
  call.erase();
}

OutParams Converter::run() {
  for (func::FuncOp function : module.getOps<func::FuncOp>())
    if (failed(changeFunction(function))) {
      found.succeeded = false;
      return std::move(found);
    }
  SmallVector<func::CallOp> calls;
  module.walk([&](func::CallOp call) { calls.push_back(call); });
  for (func::CallOp call : calls)
    changeCall(call);
  return std::move(found);
}

OutParams moveResultsToArguments(ModuleOp module,
                                 const OutParamOptions &options) {
  return Converter(module, options).run();
}

} // namespace memreflens::placement
