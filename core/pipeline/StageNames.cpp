//===- core/pipeline/StageNames.cpp ---------------------------------------===//

#include "core/pipeline/Stages.h"

#include <array>

namespace memreflens {

static constexpr std::array<llvm::StringLiteral, stageCount + 1> names = {
    "input",
    "expand-realloc",
    "canonicalize",
    "ownership-based-buffer-deallocation",
    "canonicalize",
    "buffer-deallocation-simplification",
    "bufferization-lower-deallocations",
    "cse",
    "canonicalize"};

llvm::StringRef stageName(int number) { return names[number]; }

int parseStage(llvm::StringRef text) {
  if (text == "final")
    return stageCount;
  unsigned number = 0;
  if (!text.getAsInteger(10, number))
    return number <= stageCount ? int(number) : -1;
  unsigned wanted = 1;
  auto [base, suffix] = text.rsplit('-');
  if (!suffix.empty() && !suffix.getAsInteger(10, number) && number > 0) {
    text = base;
    wanted = number;
  }
  for (int stage = 0; stage <= stageCount; ++stage)
    if (names[stage] == text && --wanted == 0)
      return stage;
  return -1;
}

} // namespace memreflens
