//===- core/source/ElementSize.cpp ----------------------------------------===//

#include "core/source/ElementSize.h"
#include "core/trace/ElementBytes.h"
#include "core/trace/Sizes.h"

#include "mlir/IR/BuiltinDialect.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"

using namespace mlir;

namespace memreflens {

static uint64_t indexBits(Operation *scope) {
  return DataLayout::closest(scope)
      .getTypeSizeInBits(IndexType::get(scope->getContext()))
      .getFixedValue();
}

/// Of a number; 0 for what is none.
static uint64_t bitsOf(Operation *scope, Type type) {
  if (type.isIndex())
    return indexBits(scope);
  return type.isIntOrFloat() ? type.getIntOrFloatBitWidth() : 0;
}

/// A pointer that was allocated and one that is aligned, then numbers.
static uint64_t descriptorBytes(Operation *scope, BaseMemRefType type) {
  constexpr uint64_t pointer = 8;
  const uint64_t number = trace::integerBytes(indexBits(scope));
  auto ranked = dyn_cast<MemRefType>(type);
  if (!ranked)
    return trace::roundedUp(number + pointer, pointer);
  return trace::roundedUp(
      2 * pointer + number * (1 + 2 * uint64_t(ranked.getRank())), pointer);
}

static std::optional<uint64_t> vectorBytes(Operation *scope, VectorType type) {
  const uint64_t bits = bitsOf(scope, type.getElementType());
  if (type.isScalable() || bits == 0)
    return std::nullopt;
  // Without a dimension it is one of one element.
  if (type.getRank() == 0)
    return trace::vectorBytes(1, bits);
  uint64_t rows = 1;
  for (int64_t size : type.getShape().drop_back())
    if (__builtin_mul_overflow(rows, uint64_t(size), &rows))
      return std::nullopt;
  uint64_t bytes = trace::vectorBytes(uint64_t(type.getShape().back()), bits);
  return __builtin_mul_overflow(bytes, rows, &bytes) ? std::nullopt
                                                     : std::optional(bytes);
}

std::optional<uint64_t> elementBytes(Operation *scope, Type element) {
  if (auto vector = dyn_cast<VectorType>(element))
    return vectorBytes(scope, vector);
  if (auto complex = dyn_cast<ComplexType>(element)) {
    std::optional<uint64_t> part =
        elementBytes(scope, complex.getElementType());
    return part ? std::optional(2 * *part) : std::nullopt;
  }
  if (auto memref = dyn_cast<BaseMemRefType>(element))
    return descriptorBytes(scope, memref);
  if (const uint64_t bits = bitsOf(scope, element))
    return isa<FloatType>(element) ? trace::floatBytes(bits)
                                   : trace::integerBytes(bits);
  // Of another dialect, which may say it.
  if (isa<BuiltinDialect>(element.getDialect()) ||
      !isa<DataLayoutTypeInterface>(element))
    return std::nullopt;
  const DataLayout layout = DataLayout::closest(scope);
  const llvm::TypeSize bytes = layout.getTypeSize(element);
  if (bytes.isScalable())
    return std::nullopt;
  return trace::roundedUp(
      bytes.getFixedValue(),
      std::max<uint64_t>(layout.getTypeABIAlignment(element), 1));
}

int64_t bytesOfElement(const trace::RunOptions &options, Operation *scope,
                       Type element) {
  if (const std::optional<uint64_t> bytes = elementBytes(scope, element))
    return *bytes <= uint64_t(INT64_MAX) ? int64_t(*bytes) : -1;
  int64_t stated = -1;
  std::string printed;
  for (const std::string &text : options.sizes) {
    if (!text.starts_with("!"))
      continue;
    if (printed.empty())
      llvm::raw_string_ostream(printed) << element;
    if (auto size = trace::sizeIn(text); size && size->type == printed)
      stated = size->size;
  }
  return stated;
}

std::optional<uint64_t> memrefBytes(Operation *scope, MemRefType type) {
  if (!type.hasStaticShape())
    return std::nullopt;
  std::optional<uint64_t> bytes = elementBytes(scope, type.getElementType());
  for (int64_t size : type.getShape()) {
    // Of nothing, whatever its elements are.
    if (size == 0)
      return 0;
    if (bytes && __builtin_mul_overflow(*bytes, uint64_t(size), &*bytes))
      return std::nullopt;
  }
  return bytes;
}

} // namespace memreflens
