//===- core/execute/jit/Values.cpp - buffers and numbers for arguments ----===//

#include "core/execute/jit/Preparer.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

#include <cstdio>

using namespace mlir;

namespace memreflens::execute {

//===--- Buffers ----------------------------------------------------------===//

std::string textOf(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

bool Preparer::setFilling(Type element, const ArgumentSpec *spec,
                          Filling &filling) {
  if (auto vector = dyn_cast<VectorType>(element)) {
    if (vector.isScalable())
      return false;
    filling.elements *= uint64_t(vector.getNumElements());
    element = vector.getElementType();
  }
  if (auto pair = dyn_cast<ComplexType>(element)) {
    filling.elements *= 2;
    element = pair.getElementType();
  }
  if (spec) {
    filling.content = spec->content;
    filling.bytes = spec->bytes;
  }
  if (element.isIndex())
    filling.width = 64;
  else if (element.isIntOrFloat())
    filling.width = element.getIntOrFloatBitWidth();
  else
    return false;
  if (element.isBF16())
    filling.number = Filling::Number::bfloat;
  else if (isa<FloatType>(element))
    filling.number = Filling::Number::real;
  else
    filling.number = Filling::Number::integer;
  const unsigned width = filling.width;
  return filling.number == Filling::Number::real
             ? element.isF16() || element.isF32() || element.isF64()
             : width <= 64;
}

/// Sizes for the type: those that were asked for, or its own.
static std::optional<SmallVector<int64_t>>
extentsOf(BaseMemRefType type, const ArgumentSpec *spec, std::string &fault) {
  SmallVector<int64_t> extents;
  const bool isAsked = spec && (!spec->shape.empty() || !spec->element.empty());
  if (isAsked && !spec->element.empty() &&
      spec->element != textOf(type.getElementType()) &&
      !(type.getElementType().isIndex() && spec->element == "i64")) {
    fault = "has elements of type " + textOf(type.getElementType()) + ", not " +
            spec->element +
            (spec->content == Content::file
                 ? ", which '" + spec->path + "' has: save it with its astype()"
                 : "");
    return std::nullopt;
  }
  if (isAsked)
    extents.assign(spec->shape.begin(), spec->shape.end());
  else if (type.hasRank())
    for (int64_t extent : type.getShape())
      extents.push_back(ShapedType::isDynamic(extent) ? defaultExtent : extent);
  else
    extents.push_back(defaultExtent);
  if (!type.hasRank())
    return extents;
  bool fits = extents.size() == size_t(type.getRank());
  for (size_t i = 0; fits && i < extents.size(); ++i)
    fits = type.isDynamicDim(unsigned(i)) ||
           type.getDimSize(unsigned(i)) == extents[i];
  if (fits)
    return extents;
  fault = "is a " + textOf(type) + ", which " +
          shapeText({extents.begin(), extents.end()}) + spec->element +
          " does not fit";
  return std::nullopt;
}

/// The elements of a file where the strides have them, in `span` elements.
static std::vector<char> spread(const std::vector<char> &bytes,
                                ArrayRef<int64_t> extents,
                                ArrayRef<int64_t> strides, int64_t offset,
                                int64_t span) {
  int64_t elements = 1;
  for (int64_t extent : extents)
    elements *= extent;
  if (elements == 0)
    return {};
  const size_t width = bytes.size() / size_t(elements);
  std::vector<char> memory(size_t(span) * width);
  for (int64_t i = 0; i < elements; ++i) {
    int64_t at = offset, rest = i;
    for (size_t axis = extents.size(); axis-- > 0; rest /= extents[axis])
      at += rest % extents[axis] * strides[axis];
    std::copy_n(bytes.begin() + std::ptrdiff_t(size_t(i) * width), width,
                memory.begin() + std::ptrdiff_t(size_t(at) * width));
  }
  return memory;
}

/// The memory as the type has it: with its strides, or without its sizes.
static Value viewed(OpBuilder &builder, Location location, Value memory,
                    BaseMemRefType type, ArrayRef<int64_t> extents,
                    ArrayRef<int64_t> strides, int64_t offset) {
  auto ranked = dyn_cast<MemRefType>(type);
  if (!ranked || ranked.getLayout().isIdentity())
    return memory.getType() == type
               ? memory
               : memref::CastOp::create(builder, location, type, memory);
  auto exact = MemRefType::get(
      extents, type.getElementType(),
      StridedLayoutAttr::get(builder.getContext(), offset, strides),
      type.getMemorySpace());
  Value made = memref::ReinterpretCastOp::create(
      builder, location, exact, memory, offset, extents, strides,
      ArrayRef<NamedAttribute>());
  return made.getType() == type
             ? made
             : memref::CastOp::create(builder, location, type, made);
}

Value Preparer::buffer(Type wanted, const ArgumentSpec *spec, Location location,
                       std::string &shown) {
  auto type = cast<BaseMemRefType>(wanted);
  std::string fault;
  auto extents = extentsOf(type, spec, fault);
  if (!extents) {
    fail(shown + " " + fault);
    return {};
  }
  // Bytes of the memory, with the gaps that strides leave.
  SmallVector<int64_t> strides(extents->size(), 1);
  for (size_t i = extents->size(); i-- > 1;)
    strides[i - 1] = strides[i] * std::max<int64_t>((*extents)[i], 1);
  int64_t offset = 0;
  auto ranked = dyn_cast<MemRefType>(type);
  const bool isStrided = ranked && !ranked.getLayout().isIdentity();
  SmallVector<int64_t> own;
  if (isStrided) {
    if (failed(ranked.getStridesAndOffset(own, offset))) {
      fail(shown + " has a layout without strides, for which no buffer can be "
                   "made");
      return {};
    }
    offset = ShapedType::isDynamic(offset) ? 0 : offset;
    for (size_t i = 0; i < own.size(); ++i)
      if (!ShapedType::isDynamic(own[i]))
        strides[i] = own[i];
  }
  int64_t elements = 1;
  for (int64_t extent : *extents)
    elements *= extent;
  int64_t span = elements;
  if (isStrided) {
    span = offset + 1;
    for (size_t i = 0; i < own.size(); ++i)
      span += ((*extents)[i] - 1) * strides[i];
  }
  Filling filling;
  filling.elements = uint64_t(span);
  if (!setFilling(type.getElementType(), spec, filling)) {
    fail(shown + " has elements of type " + textOf(type.getElementType()) +
         ", for which no values can be made");
    return {};
  }
  if (isStrided && filling.content == Content::file)
    filling.bytes = spread(filling.bytes, *extents, strides, offset, span);
  auto plain = MemRefType::get(
      isStrided ? ArrayRef<int64_t>(span) : ArrayRef<int64_t>(*extents),
      type.getElementType(), AffineMap(), type.getMemorySpace());
  Value memory = memref::AllocOp::create(builder, location, plain);
  Value address =
      memref::ExtractAlignedPointerAsIndexOp::create(builder, location, memory);
  Value number = arith::ConstantIndexOp::create(
      builder, location, int64_t(program.fillings.size()));
  program.fillings.push_back(std::move(filling));
  func::CallOp::create(builder, location, fillName, TypeRange(),
                       ValueRange{address, number});
  static constexpr const char *words[] = {"random", "zeros", "iota", ""};
  const Content content = program.fillings.back().content;
  std::string sizes;
  for (int64_t extent : *extents)
    sizes += std::to_string(extent) + "x";
  shown = sizes + textOf(type.getElementType()) + " " +
          (content == Content::file ? spec->path : words[int(content)]);
  owned.push_back({memory, location});
  return viewed(builder, location, memory, type, *extents, strides, offset);
}

//===--- Numbers ----------------------------------------------------------===//

/// An `index` that is read with: within each buffer of the default's.
static bool isPosition(Value value) {
  return llvm::any_of(value.getUses(), [](OpOperand &use) {
    return isa<memref::LoadOp, memref::StoreOp>(use.getOwner());
  });
}

Value Preparer::scalar(Type type, const ArgumentSpec *spec, Value user,
                       std::string &shown) {
  const Location location = UnknownLoc::get(builder.getContext());
  const std::string name = shown;
  if (spec && !spec->isScalar) {
    fail(name + " is a " + textOf(type) + ", which takes a number, not '" +
         spec->text + "'");
    return {};
  }
  Type element = type;
  if (auto vector = dyn_cast<VectorType>(type))
    element = vector.getElementType();
  TypedAttr value;
  if (isa<IntegerType, IndexType>(element)) {
    int64_t number = element.isIndex() ? defaultExtent : int64_t(random() % 4);
    if (element.isInteger(1))
      number = int64_t(random() % 2);
    if (user && element.isIndex() && isPosition(user))
      number = 1;
    if (spec)
      number = spec->integer;
    shown = element.isInteger(1) ? (number & 1 ? "true" : "false")
                                 : std::to_string(number);
    const unsigned width =
        element.isIndex() ? 64 : element.getIntOrFloatBitWidth();
    value = IntegerAttr::get(
        element, llvm::APInt(64, uint64_t(number), true).sextOrTrunc(width));
  } else if (auto real = dyn_cast<FloatType>(element)) {
    const double number =
        spec ? spec->number : double(random() % 1000) / 1000.0;
    char text[32];
    std::snprintf(text, sizeof(text), "%g", number);
    shown = text;
    value = FloatAttr::get(real, number);
  } else if (auto pair = dyn_cast<ComplexType>(type);
             pair && isa<FloatType>(pair.getElementType())) {
    auto part =
        FloatAttr::get(pair.getElementType(), spec ? spec->number : 0.5);
    shown = spec ? spec->text + " in both parts" : "0.5 + 0.5i";
    return complex::ConstantOp::create(builder, location, pair,
                                       builder.getArrayAttr({part, part}));
  } else {
    fail(name + " is a " + textOf(type) + ", for which no value can be made" +
         (isa<TensorType>(type) ? "; bufferize the program first (--bufferize)"
                                : ""));
    return {};
  }
  if (auto vector = dyn_cast<VectorType>(type)) {
    if (vector.isScalable()) {
      fail(name + " is a " + textOf(type) + ", for which no value can be made");
      return {};
    }
    const Attribute lane = value;
    value = cast<TypedAttr>(
        Attribute(DenseElementsAttr::get(vector, ArrayRef<Attribute>(lane))));
  }
  return arith::ConstantOp::create(builder, location, value);
}

} // namespace memreflens::execute
