//===- core/text/Nesting.h - how deep a pass pipeline nests ---------------===//

#ifndef MEMREFLENS_TEXT_NESTING_H
#define MEMREFLENS_TEXT_NESTING_H

#include <string>
#include <string_view>

namespace memreflens {

/// Levels of a pass pipeline; MLIR's parser takes a frame of the stack for
/// each, and no IR has so many.
inline constexpr int mostPipelineLevels = 100;

/// Why a textual pass pipeline is not handed to MLIR's parser; empty if it may
/// be.
inline std::string nestingProblem(std::string_view pipeline) {
  int depth = 0, deepest = 0;
  for (char letter : pipeline) {
    depth += letter == '(' ? 1 : letter == ')' ? -1 : 0;
    deepest = depth > deepest ? depth : deepest;
  }
  return deepest <= mostPipelineLevels
             ? std::string()
             : "the pass pipeline nests " + std::to_string(deepest) +
                   " levels deep, more than the limit of " +
                   std::to_string(mostPipelineLevels);
}

} // namespace memreflens

#endif // MEMREFLENS_TEXT_NESTING_H
