//===- core/pipeline/costs/Amounts.cpp ------------------------------------===//

#include "core/pipeline/costs/Amounts.h"
#include "core/source/ElementSize.h"
#include "core/source/Identity.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

#include "llvm/ADT/DenseMap.h"

#include <algorithm>

using namespace mlir;

namespace memreflens::costs {

using trace::Amount;
using trace::LoopRange;
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
  if (one.number == 0)
    return constantAmount(0);
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

/// What `source` is a view of, or a copy, with the same sizes.
static Value sameShape(Value source) {
  for (int depth = 0; depth < 100; ++depth) {
    if (auto cast = source.getDefiningOp<memref::CastOp>())
      source = cast.getSource();
    else if (auto clone = source.getDefiningOp<bufferization::CloneOp>())
      source = clone.getInput();
    else
      break;
  }
  return source;
}

static Amount dimensionOf(Value source, std::optional<int64_t> dimension,
                          const trace::Trace &trace) {
  source = sameShape(source);
  const auto type = dyn_cast<MemRefType>(source.getType());
  if (!dimension || *dimension < 0 || !type || *dimension >= type.getRank())
    return {};
  const unsigned number = unsigned(*dimension);
  if (!type.isDynamicDim(number))
    return constantAmount(type.getDimSize(number));
  if (auto alloc = source.getDefiningOp<memref::AllocOp>())
    return amountOf(alloc.getDynamicSizes()[type.getDynamicDimIndex(number)],
                    trace, 4);
  if (auto view = source.getDefiningOp<memref::SubViewOp>();
      view && view.getSourceType().getRank() == type.getRank()) {
    const OpFoldResult size = view.getMixedSizes()[number];
    if (auto value = dyn_cast<Value>(size))
      return amountOf(value, trace, 4);
  }
  const trace::Id known = namedValue(source, trace);
  return known == none ? Amount() : symbolic(known, *dimension);
}

/// Where `value` is computed from others, as a product.
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

//===--- Ranges -----------------------------------------------------------===//

static LoopRange rangeOf(const Amount &amount) {
  LoopRange range = {constantAmount(0), amount, constantAmount(1), 0};
  if (amount.factors.empty()) {
    range.plus = amount.number;
    range.high = constantAmount(0);
  }
  return range;
}

static bool isNumber(const Amount &amount, int64_t number) {
  return amount.factors.empty() && amount.number == number;
}

/// Of a range that is a number without factors; nothing for any other.
static std::optional<int64_t> constantOf(const LoopRange &range) {
  return isNumber(range.low, 0) && isNumber(range.high, 0) &&
                 isNumber(range.step, 1)
             ? std::optional(range.plus)
             : std::nullopt;
}

static LoopRange constantRange(int64_t number) {
  LoopRange range = rangeOf(constantAmount(0));
  range.plus = number;
  return range;
}

static std::optional<LoopRange> sumOf(LoopRange range, int64_t more) {
  int64_t steps = 0;
  if (!range.step.factors.empty() ||
      __builtin_mul_overflow(more, range.step.number, &steps) ||
      __builtin_add_overflow(range.plus, steps, &range.plus))
    return std::nullopt;
  return range;
}

static std::optional<LoopRange> scaled(LoopRange range, int64_t by) {
  if (by < 0) {
    // Turned round: what is subtracted is added.
    std::swap(range.low, range.high);
    if (by == std::numeric_limits<int64_t>::min() ||
        __builtin_sub_overflow(0, range.plus, &range.plus))
      return std::nullopt;
    by = -by;
  }
  range.low = product(range.low, constantAmount(by));
  range.high = product(range.high, constantAmount(by));
  if (!isNumber(range.step, 1) || !range.low.isKnown() ||
      !range.high.isKnown() ||
      __builtin_mul_overflow(range.plus, by, &range.plus))
    return std::nullopt;
  return range;
}

static std::optional<LoopRange> sumOf(const LoopRange &one,
                                      const LoopRange &other) {
  if (const std::optional<int64_t> more = constantOf(other))
    return sumOf(one, *more);
  if (const std::optional<int64_t> more = constantOf(one))
    return sumOf(other, *more);
  if (!isNumber(one.step, 1) || !isNumber(other.step, 1))
    return std::nullopt;
  // One amount is added, and one is subtracted: others cancel out.
  std::vector<Amount> added = {one.high, other.high},
                      less = {one.low, other.low};
  auto isZero = [](const Amount &amount) { return isNumber(amount, 0); };
  for (Amount &high : added)
    for (Amount &low : less)
      if (high == low)
        high = low = constantAmount(0);
  std::erase_if(added, isZero);
  std::erase_if(less, isZero);
  if (added.size() > 1 || less.size() > 1)
    return std::nullopt;
  LoopRange sum = constantRange(0);
  if (!added.empty())
    sum.high = added.front();
  if (!less.empty())
    sum.low = less.front();
  if (__builtin_add_overflow(one.plus, other.plus, &sum.plus))
    return std::nullopt;
  return sum;
}

/// Rounded up, or down.
static std::optional<LoopRange> divided(LoopRange range, int64_t by,
                                        bool roundsUp) {
  if (by <= 0 || !isNumber(range.step, 1) ||
      (!roundsUp && __builtin_sub_overflow(range.plus, by - 1, &range.plus)))
    return std::nullopt;
  range.step = constantAmount(by);
  if (const std::optional<int64_t> steps = stepsOf(range))
    return constantRange(*steps);
  return range;
}

std::optional<int64_t> stepsOf(const LoopRange &range) {
  if (!isNumber(range.low, 0) || !isNumber(range.high, 0) ||
      !range.step.factors.empty() || range.step.number <= 0)
    return std::nullopt;
  const int64_t whole = range.plus / range.step.number;
  return whole + (range.plus % range.step.number > 0);
}

std::optional<LoopRange>
rangeBetween(const LoopRange &low, const LoopRange &high, const Amount &step) {
  const std::optional<LoopRange> less = scaled(low, -1);
  std::optional<LoopRange> length = less ? sumOf(high, *less) : std::nullopt;
  if (!length || !step.isKnown() || step.number == 0)
    return std::nullopt;
  // To round up twice is to round up once.
  length->step = product(length->step, step);
  return length->step.isKnown() ? length : std::nullopt;
}

static std::optional<LoopRange> rangeOf(Value value, const trace::Trace &trace,
                                        int depth);

static std::optional<LoopRange> rangeOf(AffineExpr number, ValueRange operands,
                                        unsigned dimensions,
                                        const trace::Trace &trace, int depth) {
  if (depth > 16)
    return std::nullopt;
  if (auto constant = dyn_cast<AffineConstantExpr>(number))
    return constantRange(constant.getValue());
  if (auto dimension = dyn_cast<AffineDimExpr>(number))
    return rangeOf(operands[dimension.getPosition()], trace, depth + 1);
  if (auto symbol = dyn_cast<AffineSymbolExpr>(number))
    return rangeOf(operands[dimensions + symbol.getPosition()], trace,
                   depth + 1);
  const auto binary = cast<AffineBinaryOpExpr>(number);
  const std::optional<LoopRange> left = rangeOf(binary.getLHS(), operands,
                                                dimensions, trace, depth + 1),
                                 right = rangeOf(binary.getRHS(), operands,
                                                 dimensions, trace, depth + 1);
  if (!left || !right)
    return std::nullopt;
  if (number.getKind() == AffineExprKind::Add)
    return sumOf(*left, *right);
  const std::optional<int64_t> by = constantOf(*right);
  if (!by)
    return std::nullopt;
  switch (number.getKind()) {
  case AffineExprKind::Mul:
    return scaled(*left, *by);
  case AffineExprKind::FloorDiv:
    return divided(*left, *by, /*roundsUp=*/false);
  case AffineExprKind::CeilDiv:
    return divided(*left, *by, /*roundsUp=*/true);
  default:
    return std::nullopt;
  }
}

/// Where `value` is computed from others.
static std::optional<LoopRange>
madeRange(Value value, const trace::Trace &trace, int depth) {
  Operation *op = value.getDefiningOp();
  if (!op || depth > 16)
    return std::nullopt;
  if (const Amount made = madeAmount(value, trace, 0); made.isKnown())
    return rangeOf(made);
  if (auto apply = dyn_cast<affine::AffineApplyOp>(op))
    return rangeOf(apply.getAffineMap().getResult(0), apply.getMapOperands(),
                   apply.getAffineMap().getNumDims(), trace, depth + 1);
  if (op->getNumOperands() != 2)
    return std::nullopt;
  if (!isa<arith::AddIOp, arith::SubIOp, arith::DivUIOp, arith::CeilDivUIOp,
           arith::CeilDivSIOp, arith::FloorDivSIOp>(op))
    return std::nullopt;
  const std::optional<LoopRange> left = rangeOf(op->getOperand(0), trace,
                                                depth + 1),
                                 right = rangeOf(op->getOperand(1), trace,
                                                 depth + 1);
  if (!left || !right)
    return std::nullopt;
  if (isa<arith::AddIOp>(op))
    return sumOf(*left, *right);
  if (isa<arith::SubIOp>(op))
    return rangeBetween(*right, *left, constantAmount(1));
  const std::optional<int64_t> by = constantOf(*right);
  return by ? divided(*left, *by,
                      isa<arith::CeilDivUIOp, arith::CeilDivSIOp>(op))
            : std::nullopt;
}

static std::optional<LoopRange> rangeOf(Value value, const trace::Trace &trace,
                                        int depth) {
  if (const std::optional<int64_t> number = getConstantIntValue(value))
    return constantRange(*number);
  const Amount amount = amountOf(value, trace, 0);
  if (amount.isKnown() && namedValue(value, trace) == none)
    return rangeOf(amount);
  // What is computed in a loop may be the same in each iteration.
  const bool isInside =
      value.getDefiningOp() &&
      !isa<FunctionOpInterface>(value.getDefiningOp()->getParentOp());
  if (isInside || !amount.isKnown())
    if (std::optional<LoopRange> made = madeRange(value, trace, depth + 1))
      return made;
  return amount.isKnown() ? std::optional(rangeOf(amount)) : std::nullopt;
}

std::optional<LoopRange> rangeOf(OpFoldResult number,
                                 const trace::Trace &trace) {
  if (const std::optional<int64_t> constant = getConstantIntValue(number))
    return constantRange(*constant);
  const auto value = dyn_cast<Value>(number);
  return value ? rangeOf(value, trace, 0) : std::nullopt;
}

std::optional<LoopRange> rangeOf(AffineExpr number, ValueRange operands,
                                 unsigned dimensions,
                                 const trace::Trace &trace) {
  return rangeOf(number, operands, dimensions, trace, 0);
}

//===--- Of a function ----------------------------------------------------===//

std::vector<trace::PassedNumber> passedBy(CallOpInterface call,
                                          const trace::Trace &trace) {
  std::vector<trace::PassedNumber> passed;
  auto add = [&](size_t argument, int64_t dimension, Amount amount) {
    if (amount.isKnown())
      passed.push_back({uint32_t(argument), dimension, std::move(amount)});
  };
  for (auto [number, operand] : llvm::enumerate(call.getArgOperands())) {
    if (operand.getType().isIntOrIndex() && !operand.getType().isInteger(1))
      add(number, -1, amountOf(OpFoldResult(operand), trace));
    auto type = dyn_cast<MemRefType>(operand.getType());
    for (int64_t dimension = 0; type && dimension < type.getRank(); ++dimension)
      if (type.isDynamicDim(unsigned(dimension)))
        add(number, dimension, dimensionOf(operand, dimension, trace));
  }
  return passed;
}

static void addSymbols(const LoopRange &range, std::set<trace::Id> &to) {
  for (const Amount *amount : {&range.low, &range.high, &range.step})
    for (const trace::Symbol &symbol : amount->factors)
      if (symbol.dimension < 0)
        to.insert(symbol.value);
}

std::vector<trace::ComputedNumber> computedIn(FunctionOpInterface function,
                                              std::set<trace::Id> wanted,
                                              const trace::Trace &trace) {
  std::vector<trace::ComputedNumber> computed;
  if (wanted.empty())
    return computed;
  llvm::DenseMap<trace::Id, Value> values;
  function->walk([&](Operation *op) {
    if (op->getNumResults() != 1 ||
        !op->getResult(0).getType().isIntOrIndex() ||
        op->hasTrait<OpTrait::ConstantLike>())
      return;
    if (const trace::Id id = namedValue(op->getResult(0), trace); id != none)
      values.try_emplace(id, op->getResult(0));
  });
  std::set<trace::Id> known;
  while (!wanted.empty()) {
    const trace::Id id = *wanted.begin();
    wanted.erase(wanted.begin());
    const auto value = values.find(id);
    if (value == values.end() || !known.insert(id).second)
      continue;
    const std::optional<LoopRange> range =
        madeRange(value->second, trace, /*depth=*/0);
    if (!range)
      continue;
    addSymbols(*range, wanted);
    computed.push_back({id, *range});
  }
  std::ranges::sort(computed, {}, &trace::ComputedNumber::value);
  return computed;
}

} // namespace memreflens::costs
