//===- core/trace/Sizes.h - sizes: left open, and stated by the user ------===//
//
//   hasOpenShape("memref<?x4xf32>")
//   sizeIn("%n=1024")      // each scalar that is named %n
//   sizeIn("@f:0:1=32")    // dimension 1 of argument 0 of @f
//   sizeIn("@f:2=32")      // argument 2 of @f, a scalar
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_TRACE_SIZES_H
#define MEMREFLENS_TRACE_SIZES_H

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace memreflens::trace {

struct StatedSize {
  /// Of a scalar by its name, without `%`.
  std::string value;
  /// Else of an argument of this function, without `@`.
  std::string function;
  int64_t argument = -1;
  /// -1: the argument itself.
  int64_t dimension = -1;
  int64_t size = 0;
};

/// Whether the shape of a memref, apart from its layout, is not constant, so
/// that who only knows the type cannot allocate it.
bool hasOpenShape(std::string_view memrefType);

/// Nothing if the text states none.
std::optional<StatedSize> sizeIn(std::string_view text);

} // namespace memreflens::trace

#endif // MEMREFLENS_TRACE_SIZES_H
