//===- core/pipeline/costs/LoopBounds.cpp ---------------------------------===//

#include "core/pipeline/costs/LoopBounds.h"
#include "core/source/ElementSize.h"
#include "core/source/Identity.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;

namespace memreflens::costs {

using trace::Amount;
using trace::none;

/// A constant that is negative has no amount.
static Amount constantAmount(int64_t number) {
  Amount amount;
  amount.number = std::max<int64_t>(number, -1);
  return amount;
}

static Amount product(Amount one, const Amount &other) {
  if (!one.isKnown() || !other.isKnown() ||
      __builtin_mul_overflow(one.number, other.number, &one.number))
    return {};
  one.factors.insert(one.factors.end(), other.factors.begin(),
                     other.factors.end());
  return one;
}

/// One that the user has named; `none` for any other.
static trace::Id namedValue(Value value, const trace::Trace &trace) {
  const trace::Id id = taggedValue(value, trace);
  return id >= 0 && size_t(id) < trace.values.size() &&
                 !trace.values[size_t(id)].generated &&
                 !trace.values[size_t(id)].name.empty()
             ? id
             : none;
}

static Amount symbolic(trace::Id value, int64_t dimension = -1) {
  Amount amount;
  amount.number = 1;
  amount.factors.push_back({value, dimension});
  return amount;
}

static Amount amountOf(Value value, const trace::Trace &trace, int depth);

/// Of what is allocated here, the size that is asked for.
static Amount dimensionOf(Value source, std::optional<int64_t> dimension,
                          const trace::Trace &trace) {
  if (auto cast = source.getDefiningOp<memref::CastOp>())
    source = cast.getSource();
  auto alloc = source.getDefiningOp<memref::AllocOp>();
  if (alloc && dimension && *dimension >= 0 &&
      *dimension < alloc.getType().getRank()) {
    if (!alloc.getType().isDynamicDim(unsigned(*dimension)))
      return constantAmount(alloc.getType().getDimSize(unsigned(*dimension)));
    return amountOf(alloc.getDynamicSizes()[alloc.getType().getDynamicDimIndex(
                        unsigned(*dimension))],
                    trace, 4);
  }
  const trace::Id known = namedValue(source, trace);
  return known == none || !dimension ? Amount() : symbolic(known, *dimension);
}

static Amount madeAmount(Value value, const trace::Trace &trace, int depth);

static Amount amountOf(Value value, const trace::Trace &trace, int depth) {
  if (const std::optional<int64_t> number = getConstantIntValue(value))
    return constantAmount(*number);
  const trace::Id known = namedValue(value, trace);
  // What is computed in a loop may be the same in each iteration.
  const Operation *maker = value.getDefiningOp();
  const bool isInside =
      maker && !isa<FunctionOpInterface>(value.getDefiningOp()->getParentOp());
  if (known != none && !isInside)
    return symbolic(known);
  const Amount made = madeAmount(value, trace, depth);
  return made.isKnown() || known == none ? made : symbolic(known);
}

static Amount madeAmount(Value value, const trace::Trace &trace, int depth) {
  if (depth > 8)
    return {};
  if (auto dim = value.getDefiningOp<memref::DimOp>())
    return dimensionOf(dim.getSource(), dim.getConstantIndex(), trace);
  if (auto times = value.getDefiningOp<arith::MulIOp>())
    return product(amountOf(times.getLhs(), trace, depth + 1),
                   amountOf(times.getRhs(), trace, depth + 1));
  if (auto cast = value.getDefiningOp<arith::IndexCastOp>())
    return amountOf(cast.getIn(), trace, depth + 1);
  return {};
}

Amount amountOf(OpFoldResult number, const trace::Trace &trace) {
  if (const std::optional<int64_t> constant = getConstantIntValue(number))
    return constantAmount(*constant);
  const auto value = dyn_cast<Value>(number);
  return value ? amountOf(value, trace, 0) : Amount();
}

Amount bytesOf(Operation *op, MemRefType type, ValueRange sizes, Value buffer,
               const trace::Trace &trace) {
  Amount bytes =
      constantAmount(bytesOfElement(trace.options, op, type.getElementType()));
  for (auto [number, size] : llvm::enumerate(type.getShape())) {
    if (!ShapedType::isDynamic(size)) {
      bytes = product(std::move(bytes), constantAmount(size));
    } else if (!sizes.empty()) {
      bytes = product(std::move(bytes), amountOf(sizes.front(), trace));
      sizes = sizes.drop_front();
    } else {
      bytes = product(std::move(bytes),
                      dimensionOf(buffer, int64_t(number), trace));
    }
  }
  return bytes;
}

//===--- Loops ------------------------------------------------------------===//

/// Of `affine.for`, whose bounds are maps.
static OpFoldResult affineBound(AffineMap map, ValueRange operands) {
  if (map.getNumResults() != 1)
    return {};
  const AffineExpr bound = map.getResult(0);
  if (auto constant = dyn_cast<AffineConstantExpr>(bound))
    return IntegerAttr::get(IndexType::get(map.getContext()),
                            constant.getValue());
  if (auto dim = dyn_cast<AffineDimExpr>(bound))
    return operands[dim.getPosition()];
  if (auto symbol = dyn_cast<AffineSymbolExpr>(bound))
    return operands[map.getNumDims() + symbol.getPosition()];
  return {};
}

namespace {
struct Bounds {
  SmallVector<OpFoldResult> low, high, step;
};
} // namespace

static std::optional<Bounds> boundsOf(LoopLikeOpInterface loop) {
  if (auto affine = dyn_cast<affine::AffineForOp>(loop.getOperation())) {
    Bounds bounds;
    bounds.low.push_back(
        affineBound(affine.getLowerBoundMap(), affine.getLowerBoundOperands()));
    bounds.high.push_back(
        affineBound(affine.getUpperBoundMap(), affine.getUpperBoundOperands()));
    bounds.step.push_back(IntegerAttr::get(IndexType::get(affine.getContext()),
                                           affine.getStepAsInt()));
    if (!bounds.low.front() || !bounds.high.front())
      return std::nullopt;
    return bounds;
  }
  auto low = loop.getLoopLowerBounds(), high = loop.getLoopUpperBounds(),
       step = loop.getLoopSteps();
  if (!low || !high || !step || low->empty() || low->size() != high->size() ||
      low->size() != step->size())
    return std::nullopt;
  return Bounds{*low, *high, *step};
}

/// -1 where they are no constant.
static int64_t constantRounds(OpFoldResult low, OpFoldResult high,
                              OpFoldResult step) {
  const std::optional<int64_t> first = getConstantIntValue(low),
                               end = getConstantIntValue(high),
                               by = getConstantIntValue(step);
  int64_t length = 0;
  if (!first || !end || !by || *by <= 0 ||
      __builtin_sub_overflow(*end, *first, &length))
    return -1;
  return length <= 0 ? 0 : length / *by + (length % *by == 0 ? 0 : 1);
}

trace::LoopRounds roundsOf(LoopLikeOpInterface loop,
                           const trace::Trace &trace) {
  trace::LoopRounds found;
  found.op = taggedOp(loop->getLoc());
  const std::optional<Bounds> bounds = boundsOf(loop);
  if (!bounds)
    return found;
  found.rounds = 1;
  bool isKnown = true;
  for (auto [low, high, step] :
       llvm::zip_equal(bounds->low, bounds->high, bounds->step)) {
    const int64_t rounds = constantRounds(low, high, step);
    if (rounds < 0 || found.rounds < 0 ||
        __builtin_mul_overflow(found.rounds, rounds, &found.rounds))
      found.rounds = -1;
    trace::LoopRange range = {amountOf(low, trace), amountOf(high, trace),
                              amountOf(step, trace)};
    isKnown &= range.low.isKnown() && range.high.isKnown() &&
               range.step.isKnown() && range.step.number > 0;
    found.ranges.push_back(std::move(range));
  }
  if (!isKnown)
    found.ranges.clear();
  return found;
}

} // namespace memreflens::costs
