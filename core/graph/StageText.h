//===- core/graph/StageText.h - blocks and regions of a printed stage -----===//
//
// A trace keeps the IR after each stage as text. This finds a function in it
// and its blocks, ops and nested regions, by the form in which MLIR prints: an
// op on a line, a region between `{` at a line's end and `}` at one's begin.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_GRAPH_STAGETEXT_H
#define MEMREFLENS_GRAPH_STAGETEXT_H

#include "core/query/Index.h"
#include "core/trace/StageTexts.h"

#include <map>
#include <memory>
#include <string>
#include <string_view>
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
  /// Where the lines are; null if `StageFunctions` found it, which has them.
  std::shared_ptr<class StageFunctions> owner;
  /// Lines of the function's text, without indentation of the module.
  std::vector<std::string_view> lines;
  StageRegion body;
};

/// Functions in the texts of a trace's stages. Each text is made and searched
/// for its functions once, so that all functions of a large file are found in
/// the time of one reading. The trace must outlive it and not change; not for
/// several threads.
class StageFunctions {
public:
  explicit StageFunctions(const trace::Trace &trace);

  /// The function in its chunk's text after the stage; its views are good as
  /// long as this is. Not found where a stage removed it, or where there is no
  /// such stage.
  StageFunction find(trace::Id function, int stage);

private:
  struct Text {
    std::vector<std::string_view> lines;
    /// Numbers of the lines that name a symbol, by the first one of each.
    std::map<std::string_view, std::vector<size_t>> bySymbol;
  };
  const Text &read(std::string_view text);

  trace::StageTexts texts;
  /// How many functions of its name stand before each in its chunk.
  std::vector<size_t> repeats;
  /// By where they begin: stages that change nothing share one.
  std::map<const char *, Text> known;
};

/// The same for one question: its views are good as long as the result and the
/// trace are.
StageFunction stageFunction(const trace::Trace &trace, trace::Id function,
                            int stage);

} // namespace memreflens::graph

#endif // MEMREFLENS_GRAPH_STAGETEXT_H
