//===- core/diff/Kinds.h - what is compared -------------------------------===//

#ifndef MEMREFLENS_DIFF_KINDS_H
#define MEMREFLENS_DIFF_KINDS_H

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace memreflens::diff {

/// The decisions that are compared, and of each what must be equal; those that
/// cost most come first. Liveness and rewrites are not among them: what they
/// lead to is.
enum class DecisionKind : uint8_t {
  status,    ///< how far the function came
  rejection, ///< cause, message, ops that show it
  warning,   ///< where a pass makes the program worse
  copy,      ///< that bufferization made, why, and of how many bytes
  buffer,    ///< the same of what it allocated
  clone,     ///< always or under a condition; whether it is there at the end
  check,     ///< comparisons of pointers and library calls that stay
  free,      ///< memref.deallocs that stay, and whether under a condition
  dealloc,   ///< memrefs listed, each with its condition
  retained,  ///< by the dealloc of an edge, and why
  signature, ///< i1 operands, arguments and results
  interface, ///< calls of other dialects' process and materialize
  move,      ///< what placement passes moved, and what stopped them
  critical,  ///< classic pass: what cannot share a fate
  alias,     ///< classic pass: what may be another's buffer
  candidate, ///< on the dealloc list of a block, or why not
  ownership, ///< of a memref at a block's end
};
inline constexpr size_t kindCount = size_t(DecisionKind::ownership) + 1;

enum class Change : uint8_t { appeared, went, changed };

/// "clone", "runTimeCheck": in JSON.
std::string_view nameOf(DecisionKind kind);
std::string_view nameOf(Change change);
/// "clone", "run-time check": in a sentence.
std::string_view wordOf(DecisionKind kind);
/// "1 clone", "2 retained entries".
std::string countedKind(size_t count, DecisionKind kind);

} // namespace memreflens::diff

#endif // MEMREFLENS_DIFF_KINDS_H
