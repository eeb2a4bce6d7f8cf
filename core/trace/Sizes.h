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
#include <vector>

namespace memreflens::trace {

struct StatedSize {
  /// Of a scalar by its name, without `%`.
  std::string value;
  /// Else of an argument of this function, without `@`.
  std::string function;
  int64_t argument = -1;
  /// -1: the argument itself.
  int64_t dimension = -1;
  /// Else of an element of this type, "!x.tile", in bytes.
  std::string type;
  int64_t size = 0;
};

/// Whether the shape of a memref, apart from its layout, is not constant, so
/// that who only knows the type cannot allocate it.
/// Of a memory space.
struct StatedSpace {
  /// As MLIR prints it: "2", "#gpu.address_space<workgroup>".
  std::string space;
  /// "L1"; may be empty.
  std::string name;
  /// How much it holds; -1 where that is not stated.
  int64_t bytes = -1;
};

bool hasOpenShape(std::string_view memrefType);

/// Nothing if the text states none.
std::optional<StatedSize> sizeIn(std::string_view text);

/// "2=L1,64KiB", "2=64KiB", "2=L1"; nothing for other text.
std::optional<StatedSpace> spaceIn(std::string_view text);
/// What `spaces` state of the one that is printed so; nothing where they do
/// not.
std::optional<StatedSpace> statedOf(const std::vector<std::string> &spaces,
                                    std::string_view space);
/// The space that `word` means: its name, how it is printed, or what stands
/// between its last angle brackets ("workgroup").
bool isSpaceCalled(const std::vector<std::string> &spaces,
                   std::string_view space, std::string_view word);

} // namespace memreflens::trace

#endif // MEMREFLENS_TRACE_SIZES_H
