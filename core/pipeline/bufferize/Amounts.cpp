//===- core/pipeline/bufferize/Amounts.cpp --------------------------------===//

#include "core/pipeline/bufferize/Amounts.h"
#include "core/source/ElementSize.h"
#include "core/source/Identity.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;

namespace memreflens::bufferize {

using trace::Id;
using trace::none;

/// "%n" of a value with a name.
static std::string nameIn(const trace::Trace &trace, Id value) {
  if (value < 0 || size_t(value) >= trace.values.size() ||
      trace.values[size_t(value)].name.empty())
    return {};
  return "%" + trace.values[size_t(value)].name;
}

static std::string dimension(const std::string &of, int64_t number) {
  return of.empty() ? "?" : "dim(" + of + ", " + std::to_string(number) + ")";
}

/// As a user would write the size: a number, its name, a dimension.
static std::string sizeName(Value size, const trace::Trace &trace) {
  APInt number;
  if (matchPattern(size, m_ConstantInt(&number)))
    return std::to_string(number.getSExtValue());
  if (const std::string name = nameIn(trace, taggedValue(size, trace));
      !name.empty())
    return name;
  auto named = [&](Value of, std::optional<int64_t> index) {
    return dimension(nameIn(trace, taggedValue(of, trace)), index.value_or(-1));
  };
  if (auto dim = size.getDefiningOp<tensor::DimOp>())
    return named(dim.getSource(), dim.getConstantIndex());
  if (auto dim = size.getDefiningOp<memref::DimOp>())
    return named(dim.getSource(), dim.getConstantIndex());
  return "?";
}

void setBytes(trace::TensorCost &cost, Operation *scope, ShapedType type,
              ValueRange sizes, const trace::Trace &trace) {
  const std::optional<uint64_t> element =
      elementBytes(scope, type.getElementType());
  if (!element || !type.hasRank())
    return;
  int64_t bytes = int64_t(*element);
  std::string names;
  for (auto [number, size] : llvm::enumerate(type.getShape())) {
    if (!ShapedType::isDynamic(size)) {
      if (__builtin_mul_overflow(bytes, size, &bytes))
        return;
      continue;
    }
    const std::string name =
        sizes.empty() ? dimension(nameIn(trace, cost.value), int64_t(number))
                      : sizeName(sizes.front(), trace);
    sizes = sizes.empty() ? sizes : sizes.drop_front();
    names += (names.empty() ? "" : " * ") + name;
  }
  if (names.empty())
    cost.bytes = bytes;
  else
    cost.size = names + " * " + std::to_string(bytes);
}

void setLoops(trace::TensorCost &cost, Block *block) {
  auto multiply = [&](std::optional<int64_t> by) {
    if (!by || __builtin_mul_overflow(cost.times, *by, &cost.times))
      cost.times = 0;
  };
  for (; block; block = block->getParentOp()->getBlock()) {
    if (!block->getParent()->hasOneBlock() && block->isReachable(block))
      multiply(std::nullopt);
    Operation *parent = block->getParentOp();
    if (!parent)
      return;
    if (auto loop = dyn_cast<LoopLikeOpInterface>(parent)) {
      cost.loops.push_back(taggedOp(parent->getLoc()));
      std::optional<APInt> trips = loop.getStaticTripCount();
      multiply(trips && trips->isSignedIntN(63)
                   ? std::optional(trips->getSExtValue())
                   : std::nullopt);
    }
  }
}

} // namespace memreflens::bufferize
