//===- core/graph/StageText.h - blocks and regions of a printed stage -----===//
//
// A trace keeps the IR after each stage as text. This finds a function in it
// and its blocks, ops and nested regions, by the form in which MLIR prints: an
// op on a line, a region between `{` at a line's end and `}` at one's begin.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_GRAPH_STAGETEXT_H
#define MEMREFLENS_GRAPH_STAGETEXT_H

#include "core/trace/Query.h"
#include "core/trace/StageTexts.h"

#include <string>
#include <vector>

namespace memreflens::graph {

struct StageBlock;

struct StageRegion {
  /// "else", "case 1"; empty for a first region.
  std::string word;
  std::vector<StageBlock> blocks;
};

struct StageItem {
  /// The op without the brace of its region.
  std::string text;
  std::vector<StageRegion> regions;
  /// Number of its line in the function's text.
  size_t line = 0;
};

struct StageBlock {
  /// "^bb1"; empty for a region's first block without arguments.
  std::string label;
  /// "%a: memref<8xf32>, %own_a: i1".
  std::string arguments;
  std::vector<StageItem> items;
  /// Labels of the last item's successors, in order.
  std::vector<std::string> successors;
};

struct StageFunction {
  bool found = false;
  /// "func.func @f(%a: memref<8xf32>)".
  std::string head;
  /// Where the lines are: with `stageFunction(StageTexts &...)` in its texts.
  std::shared_ptr<trace::StageTexts> texts;
  /// Lines of the function's text, without indentation of the module.
  std::vector<std::string_view> lines;
  StageRegion body;
};

/// The function in its chunk's text after the stage. Views into `texts`.
/// Not found where a stage removed it, or where there is no such stage.
StageFunction stageFunction(trace::StageTexts &texts, trace::Id function,
                            int stage);

/// The same for one question: its views are good as long as the result and the
/// trace are.
StageFunction stageFunction(const trace::Trace &trace, trace::Id function,
                            int stage);

} // namespace memreflens::graph

#endif // MEMREFLENS_GRAPH_STAGETEXT_H
