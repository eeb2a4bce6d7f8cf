//===- core/pipeline/placement/Pipelines.cpp ------------------------------===//

#include "core/pipeline/placement/Pipelines.h"

namespace memreflens {

namespace {
/// A part of a name that stands for a pass.
struct Mover {
  llvm::StringLiteral word;
  llvm::StringLiteral pass;
  std::string PlacementPipeline::*side = &PlacementPipeline::before;
};
} // namespace

static constexpr Mover movers[] = {
    {"hoist", "func.func(buffer-hoisting)"},
    {"loop-hoist", "func.func(buffer-loop-hoisting)"},
    {"stack", "func.func(promote-buffers-to-stack)"},
    {"drop-results", "drop-equivalent-buffer-results"},
    {"out-params", "buffer-results-to-out-params"},
    {"liveness", "func.func(optimize-allocation-liveness)",
     &PlacementPipeline::after},
    {"last-use", "lens-optimize-allocation-liveness",
     &PlacementPipeline::after},
    {"idle", "lens-idle-deallocs", &PlacementPipeline::inside},
};

static std::optional<Placement> placementCalled(llvm::StringRef word) {
  if (word == "ownership")
    return Placement::ownership;
  if (word == "dynamic")
    return Placement::dynamic;
  if (word == "classic")
    return Placement::classic;
  return std::nullopt;
}

static std::string knownWords() {
  std::string words = "ownership, dynamic, classic";
  for (const Mover &mover : movers)
    words += ", " + mover.word.str();
  return words;
}

std::optional<PlacementPipeline> parsePlacement(llvm::StringRef text,
                                                std::string &error) {
  PlacementPipeline pipeline;
  pipeline.name = text.str();
  bool frees = false;
  llvm::SmallVector<llvm::StringRef> words;
  text.split(words, '+');
  for (llvm::StringRef word : words) {
    if (std::optional<Placement> placement = placementCalled(word)) {
      if (frees) {
        error = "'" + text.str() + "' names two ways to free; one is possible";
        return std::nullopt;
      }
      pipeline.placement = *placement;
      frees = true;
      continue;
    }
    auto *mover = llvm::find_if(
        movers, [&](const Mover &known) { return known.word == word; });
    if (mover == std::end(movers)) {
      error = "no pipeline is called '" + word.str() + "'; there are " +
              knownWords() + ", joined by '+'";
      return std::nullopt;
    }
    std::string &side = pipeline.*mover->side;
    side += (side.empty() ? "" : ",") + mover->pass.str();
  }
  if (!pipeline.inside.empty() && pipeline.placement == Placement::classic) {
    error = "'" + text.str() +
            "': idle is for what ownership or dynamic makes; classic makes "
            "no deallocs of several buffers";
    return std::nullopt;
  }
  if (!frees) {
    error = "'" + text.str() +
            "' deallocates nothing; add ownership, dynamic or classic with '+'";
    return std::nullopt;
  }
  return pipeline;
}

} // namespace memreflens
