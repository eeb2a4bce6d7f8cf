//===- core/pipeline/costs/LoopBounds.cpp ---------------------------------===//

#include "core/pipeline/costs/LoopBounds.h"
#include "core/pipeline/costs/Amounts.h"
#include "core/source/Identity.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

#include <algorithm>

using namespace mlir;

namespace memreflens::costs {

using trace::Amount;
using trace::LoopRange;
using trace::none;

/// Numbers of which a bound is the least, or the most.
using Bound = SmallVector<std::optional<LoopRange>, 2>;

namespace {
/// Of one induction variable.
struct Bounds {
  Bound low, high;
  Amount step;
};
} // namespace

static Bound boundOf(AffineMap map, ValueRange operands,
                     const trace::Trace &trace) {
  Bound bound;
  for (AffineExpr result : map.getResults())
    bound.push_back(rangeOf(result, operands, map.getNumDims(), trace));
  return bound;
}

/// In a loop, the least of several may differ from iteration to iteration,
/// where none of these does.
static Bound highBoundOf(OpFoldResult number, const trace::Trace &trace) {
  const auto value = dyn_cast<Value>(number);
  Operation *op = value ? value.getDefiningOp() : nullptr;
  if (!op || isa<FunctionOpInterface>(op->getParentOp()))
    return {rangeOf(number, trace)};
  if (auto least = dyn_cast<affine::AffineMinOp>(op))
    return boundOf(least.getAffineMap(), least.getMapOperands(), trace);
  if (isa<arith::MinSIOp, arith::MinUIOp>(op))
    return {rangeOf(OpFoldResult(op->getOperand(0)), trace),
            rangeOf(OpFoldResult(op->getOperand(1)), trace)};
  return {rangeOf(number, trace)};
}

static Amount constantStep(int64_t number) {
  Amount amount;
  amount.number = std::max<int64_t>(number, -1);
  return amount;
}

static std::vector<Bounds> boundsOf(LoopLikeOpInterface loop,
                                    const trace::Trace &trace) {
  std::vector<Bounds> all;
  Operation *op = loop.getOperation();
  if (auto affine = dyn_cast<affine::AffineForOp>(op)) {
    all.push_back({boundOf(affine.getLowerBoundMap(),
                           affine.getLowerBoundOperands(), trace),
                   boundOf(affine.getUpperBoundMap(),
                           affine.getUpperBoundOperands(), trace),
                   constantStep(affine.getStepAsInt())});
    return all;
  }
  if (auto affine = dyn_cast<affine::AffineParallelOp>(op)) {
    for (auto [number, step] : llvm::enumerate(affine.getSteps()))
      all.push_back({boundOf(affine.getLowerBoundMap(unsigned(number)),
                             affine.getLowerBoundsOperands(), trace),
                     boundOf(affine.getUpperBoundMap(unsigned(number)),
                             affine.getUpperBoundsOperands(), trace),
                     constantStep(step)});
    return all;
  }
  auto low = loop.getLoopLowerBounds(), high = loop.getLoopUpperBounds(),
       step = loop.getLoopSteps();
  if (!low || !high || !step || low->size() != high->size() ||
      low->size() != step->size())
    return all;
  for (size_t i = 0; i < low->size(); ++i)
    all.push_back({{rangeOf((*low)[i], trace)},
                   highBoundOf((*high)[i], trace),
                   amountOf((*step)[i], trace)});
  return all;
}

/// Whether all that it depends on is made before any loop is entered.
static bool isOutsideLoops(const LoopRange &range, const trace::Trace &trace) {
  for (const Amount *amount : {&range.low, &range.high, &range.step})
    for (const trace::Symbol &symbol : amount->factors) {
      const trace::Value &value = trace.values[size_t(symbol.value)];
      if (value.block == none)
        return false;
      const trace::Block &block = trace.blocks[size_t(value.block)];
      const bool isOutermost =
          block.parentOp == none || block.function == none ||
          block.parentOp == trace.functions[size_t(block.function)].op;
      if (!isOutermost)
        return false;
    }
  return true;
}

/// A constant first, then the one that is the same in each iteration.
static int rankOf(const LoopRange &range, const trace::Trace &trace) {
  return stepsOf(range) ? 0 : isOutsideLoops(range, trace) ? 1 : 2;
}

/// Where bounds are the least and the most of several, one that no other is
/// known to be better than.
static std::optional<LoopRange>
lengthOf(const Bounds &bounds, const trace::Trace &trace, bool &isAtMost) {
  std::vector<LoopRange> lengths;
  for (const std::optional<LoopRange> &low : bounds.low)
    for (const std::optional<LoopRange> &high : bounds.high)
      if (low && high)
        if (auto length = rangeBetween(*low, *high, bounds.step))
          lengths.push_back(std::move(*length));
  if (lengths.empty())
    return std::nullopt;
  const size_t count = bounds.low.size() * bounds.high.size();
  const auto best =
      std::ranges::min_element(lengths, {}, [&](const LoopRange &length) {
        return std::pair(rankOf(length, trace), stepsOf(length).value_or(0));
      });
  const bool areAllConstant =
      lengths.size() == count &&
      std::ranges::all_of(lengths, [](const LoopRange &length) {
        return stepsOf(length).has_value();
      });
  isAtMost |= count > 1 && !areAllConstant;
  return *best;
}

trace::LoopRounds roundsOf(LoopLikeOpInterface loop,
                           const trace::Trace &trace) {
  trace::LoopRounds found;
  found.op = taggedOp(loop->getLoc());
  const std::vector<Bounds> all = boundsOf(loop, trace);
  if (all.empty())
    return found;
  int64_t rounds = 1;
  for (const Bounds &bounds : all) {
    std::optional<LoopRange> length = lengthOf(bounds, trace, found.isAtMost);
    if (!length) {
      found.ranges.clear();
      found.isAtMost = false;
      return found;
    }
    const std::optional<int64_t> steps = stepsOf(*length);
    if (!steps || rounds < 0 ||
        __builtin_mul_overflow(rounds, std::max<int64_t>(*steps, 0), &rounds))
      rounds = -1;
    found.ranges.push_back(std::move(*length));
  }
  if (!found.isAtMost)
    found.rounds = rounds;
  if (const Bound &low = all.front().low;
      all.size() == 1 && low.size() == 1 && low.front())
    if (const std::optional<int64_t> start = stepsOf(*low.front()))
      found.start = std::max<int64_t>(*start, -1);
  return found;
}

} // namespace memreflens::costs
