//===- core/upstream/Passes.h - buffer-deallocation-pipeline, as data -----===//
//
// The passes that the pipeline of the release is made of, in their order.
//
//   for (const PipelinePass &pass : pipelinePasses)
//     pass.text   // "expand-realloc{emit-deallocs=false}"
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_UPSTREAM_PASSES_H
#define MEMREFLENS_UPSTREAM_PASSES_H

#include <string_view>

namespace memreflens::upstream {

/// What runs one: core/pipeline/stages/PassRunner.h has a way for each.
enum class PassId {
  expandRealloc,
  canonicalize,
  ownership,
  simplification,
  lowering,
  cse
};

struct PipelinePass {
  PassId id;
  std::string_view name;
  /// As the pipeline runs it, with its options.
  std::string_view text;
  /// Of valid IR, by what upstream's pass does.
  bool mayMakeInvalidIr = false;
};

inline constexpr std::string_view canonicalizePass = "canonicalize";
inline constexpr std::string_view csePass = "cse";
inline constexpr std::string_view ownershipPass =
    "ownership-based-buffer-deallocation";
inline constexpr std::string_view simplificationPass =
    "buffer-deallocation-simplification";
inline constexpr std::string_view loweringPass =
    "bufferization-lower-deallocations";

inline constexpr PipelinePass pipelinePasses[] = {
    // Allocations of it are freed later. A realloc to a smaller static size
    // becomes a subview that is too large.
    {PassId::expandRealloc, "expand-realloc",
     "expand-realloc{emit-deallocs=false}", /*mayMakeInvalidIr=*/true},
    {PassId::canonicalize, canonicalizePass, canonicalizePass},
    {PassId::ownership, ownershipPass, ownershipPass,
     /*mayMakeInvalidIr=*/true},
    {PassId::canonicalize, canonicalizePass, canonicalizePass},
    {PassId::simplification, simplificationPass, simplificationPass},
    {PassId::lowering, loweringPass, loweringPass, /*mayMakeInvalidIr=*/true},
    {PassId::cse, csePass, csePass},
    {PassId::canonicalize, canonicalizePass, canonicalizePass},
};

/// Whether a pass of that name, with whatever options, is one of them.
constexpr bool isOfPipeline(std::string_view name) {
  for (const PipelinePass &pass : pipelinePasses)
    if (pass.name == name)
      return true;
  return false;
}

} // namespace memreflens::upstream

#endif // MEMREFLENS_UPSTREAM_PASSES_H
