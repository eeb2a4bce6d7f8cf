//===- core/trace/Escapes.h - where a buffer can be followed no further ---===//
//
// A buffer is followed through views, branches and regions. Where an op hands
// on its address or its contents in another form, uses may come that nobody
// sees: its last use is not known from there on. Decided by what an op is
// called and by what kinds of types it has, so that it is the same for the IR
// of any stage and for a stored trace.
//
//   escapeThrough({"bufferization.to_tensor", {TypeKind::buffer},
//                  {TypeKind::tensor}}, 0)   // Escape::tensor
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_TRACE_ESCAPES_H
#define MEMREFLENS_TRACE_ESCAPES_H

#include <cstdint>
#include <string_view>
#include <vector>

namespace memreflens::trace {

enum class Escape : uint8_t {
  none,
  tensor,   ///< its contents are read as a tensor
  address,  ///< its address becomes a number
  cast,     ///< builtin.unrealized_conversion_cast makes something else of it
  stored,   ///< it is put into memory, from where it may be loaded
  deferred, ///< the op may use it after control has gone on
  result    ///< a result that is no buffer may lead back to it
};

/// What a type can hold.
enum class TypeKind : uint8_t {
  buffer, ///< a memref
  number, ///< too small for an address, or a vector
  wide,   ///< an integer that may be an address
  tensor,
  token, ///< stands for work that may not be done
  other
};

/// Of a type as it is printed.
TypeKind typeKindOf(std::string_view type);

struct OpShape {
  std::string_view name;
  std::vector<TypeKind> operands, results;
};

/// What becomes of the memref that is operand number `operand`.
Escape escapeThrough(const OpShape &op, uint32_t operand);

/// Whether what is used inside of the op may be used after control has gone on.
bool isDeferred(const OpShape &op);

/// Whether the op may use memory that none of its operands names: through a
/// tensor, a pointer, a call.
bool mayUseByOtherWays(const OpShape &op);

/// "its contents go on as a tensor".
std::string_view wordsOf(Escape escape);

} // namespace memreflens::trace

#endif // MEMREFLENS_TRACE_ESCAPES_H
