//===- core/graph/Picture.h - a control-flow graph with ownership on it ---===//
//
// What a picture of a function holds before anybody lays it out: a node for
// each block (or part of one, around an op with regions), chips that say who
// owns what there, edges with what is forwarded and retained, and a cluster for
// each op with regions. Dot.h writes it as DOT; a viewer draws it itself.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_GRAPH_PICTURE_H
#define MEMREFLENS_GRAPH_PICTURE_H

#include "core/trace/Event.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace memreflens::graph {

using trace::Id;
using trace::none;

/// What a chip, line or edge is about; each has one accent (Theme.h) and one
/// sign, so that nothing is told by colour alone.
enum class Meaning : uint8_t {
  plain,
  live,      ///< live-in or live-out
  allocated, ///< allocated here
  owned,     ///< owned at the end of the block
  ownedIf,   ///< owned if an i1 is true
  borrowed,  ///< not owned
  unknown,   ///< of unknown ownership
  candidate, ///< on a dealloc's list
  freed,     ///< freed by the code that is left in the end
  retained,  ///< retained by a dealloc
  cloned,    ///< copied, to be owned
  indicator, ///< an i1 that carries ownership
  rejected,  ///< why the pipeline rejects the function
};
inline constexpr int meaningCount = 13;

/// What a chip says of a memref, whole; its words are made of it (wordsOf in
/// Chips.h).
struct ChipFacts {
  /// Empty if the chip is no such one.
  std::string name = {};
  /// The i1 under which it is so; empty if always.
  std::string condition = {};
  /// The buffers that the one freed is compared with at run time.
  std::vector<std::string> others = {};
  /// dealloc_helper frees it.
  bool isByHelper = false;
  /// The successor to which the edge leads on which it is so; empty: any.
  std::string edge = {};
};

/// A word in a coloured frame: "✕ %data if %own_data".
struct Chip {
  Meaning meaning = Meaning::plain;
  std::string text;
  /// The whole sentence.
  std::string tooltip;
  Id value = none;
  Id event = none;
  /// Does not come about at run time (a condition that is always false).
  bool faded = false;
  ChipFacts facts = {};
};

/// What a row of chips lists.
enum class RowKind : uint8_t {
  arguments,
  liveIn,
  allocated,
  cloned,
  ownership,
  deallocList,
  freed,
  liveOut,
  /// Which names may be one buffer, where the classic pass asked that.
  aliases,
};

struct Row {
  RowKind kind = RowKind::ownership;
  std::string label;
  std::vector<Chip> chips;
};

/// An operation, as one line of text.
struct Line {
  std::string text;
  /// Empty if `text` is whole.
  std::string tooltip;
  Meaning accent = Meaning::plain;
  Id op = none;
  /// '+' or '-' where two stages are compared.
  char mark = ' ';
  /// What a run counted; behind the text, dim, or as a warning.
  std::string counts = {};
  bool isFaulty = false;
};

enum class NodeKind : uint8_t {
  block,  ///< a block, or its part between two ops with regions
  entry,  ///< what crosses the boundary into the function
  result, ///< what crosses it at a return
  stub,   ///< stands for a node with many edges: "to ^exit"
  folded, ///< stands for `folded` blocks that are not drawn
};

struct Node {
  /// Unique in the picture, stable over runs: "b3", "b3.1", "entry".
  std::string key;
  NodeKind kind = NodeKind::block;
  Id block = none;
  std::string title;
  /// Behind the title, dim: "entry", "unreachable".
  std::string note;
  std::string tooltip;
  std::vector<Row> top;
  std::vector<Line> lines;
  std::vector<Row> bottom;
  bool reachable = true;
  /// Index into `Picture::clusters`; -1 outside all.
  int cluster = -1;
};

enum class EdgeKind : uint8_t {
  branch,
  back,     ///< leads to a block that comes earlier; a loop
  enter,    ///< into a region
  leave,    ///< out of a region, by its yield
  repeat,   ///< a region's next round
  skip,     ///< past the regions
  boundary, ///< from or to the caller
};

struct Edge {
  std::string key;
  int from = -1;
  int to = -1;
  EdgeKind kind = EdgeKind::branch;
  /// "true", "case 1", "next iteration"; may be empty.
  std::string label;
  std::vector<Chip> chips;
  std::string tooltip;
};

/// An op with regions, around the nodes of its blocks.
struct Cluster {
  std::string key;
  int parent = -1;
  Id op = none;
  std::string title;
  std::string tooltip;
};

struct Picture {
  std::string title;
  std::string subtitle;
  Id function = none;
  std::vector<Node> nodes;
  std::vector<Edge> edges;
  std::vector<Cluster> clusters;
};

/// "✕": the sign of a meaning; empty for `plain` and `live`.
std::string_view signOf(Meaning meaning);
/// "freed": the word of a meaning in the legend.
std::string_view wordOf(Meaning meaning);
/// Meanings that the picture uses, in the order of the enumeration.
std::vector<Meaning> meaningsIn(const Picture &picture);

} // namespace memreflens::graph

#endif // MEMREFLENS_GRAPH_PICTURE_H
