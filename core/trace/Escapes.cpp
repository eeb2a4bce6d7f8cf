//===- core/trace/Escapes.cpp ---------------------------------------------===//

#include "core/trace/Escapes.h"

#include <algorithm>
#include <charconv>

namespace memreflens::trace {

/// An `i64`, `si64` or `ui64` of as many bits as an address may have.
static bool isWideInteger(std::string_view type) {
  if (type.starts_with("si") || type.starts_with("ui"))
    type.remove_prefix(1);
  unsigned bits = 0;
  const char *end = type.data() + type.size();
  return type.starts_with("i") &&
         std::from_chars(type.data() + 1, end, bits).ptr == end && bits >= 64;
}

static bool isNumber(std::string_view type) {
  return type.starts_with("vector<") || type.starts_with("complex<") ||
         type.starts_with("!gpu.mma_matrix") || type.starts_with("f") ||
         type.starts_with("bf") || type.starts_with("tf") ||
         type.starts_with("i") || type.starts_with("si") ||
         type.starts_with("ui");
}

TypeKind typeKindOf(std::string_view type) {
  if (type.starts_with("memref<"))
    return TypeKind::buffer;
  if (type.starts_with("tensor<"))
    return TypeKind::tensor;
  if (type == "index" || isWideInteger(type))
    return TypeKind::wide;
  if (isNumber(type))
    return TypeKind::number;
  if (type.starts_with("!"))
    type = type.substr(0, type.find('<'));
  if (type.find("token") != std::string_view::npos ||
      type.starts_with("!async."))
    return TypeKind::token;
  return TypeKind::other;
}

/// Dialects whose ops use the memory that their operands name and nothing else,
/// and whose integer results are data or sizes.
static bool isOfKnownDialect(std::string_view name) {
  static constexpr std::string_view known[] = {
      "memref", "affine", "arith", "math",  "vector", "linalg",
      "scf",    "cf",     "gpu",   "index", "ub",     "bufferization"};
  std::string_view dialect = name.substr(0, name.find('.'));
  return std::find(std::begin(known), std::end(known), dialect) !=
         std::end(known);
}

static bool has(const std::vector<TypeKind> &kinds, TypeKind kind) {
  return std::find(kinds.begin(), kinds.end(), kind) != kinds.end();
}

bool isDeferred(const OpShape &op) {
  return op.name == "async.execute" || op.name == "async.yield" ||
         op.name == "omp.task" || op.name.ends_with(".dma_start") ||
         has(op.results, TypeKind::token);
}

Escape escapeThrough(const OpShape &op, uint32_t operand) {
  if (op.name == "bufferization.to_tensor")
    return Escape::tensor;
  if (op.name == "memref.extract_aligned_pointer_as_index")
    return Escape::address;
  if (op.name == "builtin.unrealized_conversion_cast")
    return Escape::cast;
  if (op.name == "memref.store" && operand == 0)
    return Escape::stored;
  if (isDeferred(op))
    return Escape::deferred;
  // Its region's values come out, each by a terminator of its own.
  if (op.name.starts_with("scf.") || op.name.starts_with("affine."))
    return Escape::none;
  if (has(op.results, TypeKind::tensor))
    return Escape::tensor;
  if (has(op.results, TypeKind::other) ||
      (has(op.results, TypeKind::wide) && !isOfKnownDialect(op.name)))
    return Escape::result;
  return Escape::none;
}

bool mayUseByOtherWays(const OpShape &op) {
  return (!isOfKnownDialect(op.name) && op.name != "func.return") ||
         has(op.operands, TypeKind::tensor) ||
         has(op.operands, TypeKind::token) || has(op.operands, TypeKind::other);
}

std::string_view wordsOf(Escape escape) {
  switch (escape) {
  case Escape::none:
    return {};
  case Escape::tensor:
    return "its contents go on as a tensor";
  case Escape::address:
    return "its address goes on as a number";
  case Escape::cast:
    return "it goes on as another type";
  case Escape::stored:
    return "it is stored, and may be loaded again";
  case Escape::deferred:
    return "the op may use it after control has gone on";
  case Escape::result:
    return "a result of the op may lead back to it";
  }
  return {};
}

} // namespace memreflens::trace
