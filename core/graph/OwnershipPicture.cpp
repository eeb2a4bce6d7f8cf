//===- core/graph/OwnershipPicture.cpp ------------------------------------===//
//
// The user's CFG with its decisions.
//
// Walks the blocks in order. A block is one node, unless it holds ops whose
// regions are drawn: then it is split behind each of them.
//
//===----------------------------------------------------------------------===//

#include "core/graph/OwnershipPicture.h"
#include "core/text/Escape.h"

#include "core/explain/DecisionText.h"
#include "core/graph/LineText.h"
#include "core/graph/Overlay.h"
#include "core/graph/RegionFlow.h"

#include <algorithm>
#include <set>

namespace memreflens::graph {

using namespace trace;

namespace {

class Builder {
public:
  Builder(const Lookup &lookup, Id function, const PictureOptions &options)
      : lookup(lookup), trace(lookup.getTrace()),
        function(trace.functions[size_t(function)]), options(options),
        overlay(lookup, function, options.maxChips, 60, options.hasSentences) {
    isSmall = blocksUnder(this->function.blocks) <= options.smallFunction;
  }

  Picture build() {
    picture.function = function.id;
    picture.title = visibleText("@" + function.title());
    picture.subtitle = subtitle();
    int entry = addEntry();
    addRegion(function.blocks, /*cluster=*/-1, "");
    addBlockEdges();
    if (!function.blocks.empty())
      addEdge(entry, ends[function.blocks[0]].first, EdgeKind::boundary, "");
    foldLines();
    return std::move(picture);
  }

private:
  /// The nodes of a block: its first and last part.
  struct Ends {
    int first = -1, last = -1;
  };

  //===--- The whole ---===//

  std::string subtitle() const {
    std::string text = function.isPublic ? "public" : "private";
    // One line; the passes are in the stages.
    constexpr size_t longest = 40;
    if (const RunOptions &run = trace.options; run.pipeline.size() > longest)
      text += ", a pipeline of " + std::to_string(run.passes.size()) +
              (run.passes.size() == 1 ? " pass" : " passes");
    else if (!run.passes.empty())
      text += ", pipeline " + visibleText(run.pipeline);
    if (function.dynamicOwnership)
      text += ", results carry an ownership indicator";
    if (function.status == FunctionStatus::traced)
      return text;
    for (Id id : lookup.eventsOfFunction(function.id))
      if (const auto *rejection =
              std::get_if<RejectionEvent>(&lookup.event(id)->detail))
        return visibleText(text + ", rejected: " + rejection->message);
    switch (function.status) {
    case FunctionStatus::declaration:
      return text + ", declaration";
    case FunctionStatus::notProcessed:
      return text + ", skipped: the pass runs on func.func only";
    case FunctionStatus::crashedStage:
      return text + ", skipped: a stage died on it";
    case FunctionStatus::skipped:
      return text + ", skipped";
    default:
      return text + ", rejected";
    }
  }

  size_t blocksUnder(const std::vector<Id> &blocks) const {
    size_t count = blocks.size();
    for (Id block : blocks)
      for (Id op : trace.blocks[size_t(block)].ops)
        for (const auto &region : trace.ops[size_t(op)].regions)
          count += blocksUnder(region);
    return count;
  }

  //===--- Nodes ---===//

  int addNode(Node node) {
    picture.nodes.push_back(std::move(node));
    return int(picture.nodes.size()) - 1;
  }

  int addEntry() {
    Node node;
    node.key = "entry";
    node.kind = NodeKind::entry;
    node.title = visibleText("caller of @" + function.name);
    node.top = overlay.entryRows();
    return addNode(std::move(node));
  }

  void addRegion(const std::vector<Id> &blocks, int cluster,
                 const std::string &word) {
    for (Id block : blocks)
      addBlock(block, cluster, block == blocks.front() ? word : "");
  }

  int addPart(const Block &block, int cluster, int number) {
    Node node;
    node.key = "b" + std::to_string(block.id);
    if (number > 0)
      node.key += "." + std::to_string(number);
    node.block = block.id;
    node.cluster = cluster;
    node.reachable = block.reachable;
    node.title = shortened(visibleText(blockTitle(block)), 48);
    node.tooltip = visibleText(lookup.blockName(block.id));
    if (!node.reachable)
      node.note = "unreachable";
    else if (number > 0)
      node.note = "continued";
    else if (function.status == FunctionStatus::traced &&
             !overlay.wasSeen(block.id))
      node.note = goneNote(block.id);
    return addNode(std::move(node));
  }

  std::string goneNote(Id block) const {
    const trace::PassBlocks &blocks = lookup.getPassBlocks();
    Id holder = blocks.holding(block);
    if (holder == none)
      return "gone before the ownership pass";
    if (blocks.beginOf(holder) != holder)
      return "rebuilt before the ownership pass";
    return visibleText("merged into " + lookup.blockName(holder) +
                       " before the ownership pass");
  }

  std::string blockTitle(const Block &block) const {
    return block.name.empty() ? "^bb" : block.name;
  }

  void addBlock(Id id, int cluster, const std::string &word) {
    const Block &block = trace.blocks[size_t(id)];
    int part = addPart(block, cluster, 0), number = 0;
    if (!word.empty()) {
      picture.nodes[size_t(part)].title = visibleText(word);
    }
    ends[id].first = part;
    picture.nodes[size_t(part)].top = overlay.headRows(id);
    BlockPart rows{id, {}, none, none, /*isLast=*/false};
    for (Id op : block.ops) {
      rows.ops.push_back(op);
      if (!isDrawn(trace.ops[size_t(op)])) {
        addLine(part, trace.ops[size_t(op)]);
        continue;
      }
      rows.upTo = op;
      closePart(part, rows);
      rows = {id, {}, none, /*behind=*/op, /*isLast=*/false};
      std::string title = picture.nodes[size_t(part)].title;
      part = addRegions(trace.ops[size_t(op)], block, cluster, part, ++number);
      picture.nodes[size_t(part)].title = title;
    }
    rows.isLast = true;
    closePart(part, rows);
    for (Row &row : overlay.endRows(id))
      picture.nodes[size_t(part)].bottom.push_back(std::move(row));
    ends[id].last = part;
    addReturn(block, part);
  }

  void closePart(int part, const BlockPart &rows) {
    for (Row &row : overlay.partRows(rows))
      picture.nodes[size_t(part)].bottom.push_back(std::move(row));
  }

  void addLine(int part, const Op &op) {
    if (options.detail == Detail::blocks && !overlay.rejectionAt(op.id))
      return;
    Line line = lineOf(trace, op, options.lineLimit);
    if (hasWrittenRegions(trace, op))
      line.text += " { … }";
    if (const Event *rejection = overlay.rejectionAt(op.id)) {
      line.accent = Meaning::rejected;
      line.tooltip = visibleText(explainEvent(lookup, rejection->id).sentence);
    } else if (overlay.isWitness(op.id)) {
      line.accent = Meaning::rejected;
    } else if (overlay.allocates(op.id)) {
      line.accent = Meaning::allocated;
    }
    picture.nodes[size_t(part)].lines.push_back(std::move(line));
  }

  void addReturn(const Block &block, int part) {
    bool inBody = block.parentOp == function.op || block.parentOp == none;
    if (!inBody || !block.successors.empty() || block.ops.empty() ||
        !trace.ops[size_t(block.ops.back())].isTerminator)
      return;
    std::vector<Row> rows = overlay.returnRows(block.id);
    if (rows.empty())
      return;
    Node node;
    node.key = "return" + std::to_string(block.id);
    node.kind = NodeKind::result;
    node.title = "back to the caller";
    node.top = std::move(rows);
    int to = addNode(std::move(node));
    addEdge(part, to, EdgeKind::boundary, "");
  }

  //===--- Regions ---===//

  bool isDrawn(const Op &op) const {
    bool isEmpty = true;
    for (const auto &region : op.regions)
      isEmpty &= region.empty();
    if (isEmpty)
      return false;
    if (options.detail == Detail::ops && isSmall && hasKnownFlow(op.name))
      return true;
    return holdsDecision(op);
  }

  bool holdsDecision(const Op &op) const {
    for (const auto &region : op.regions)
      for (Id block : region) {
        if (overlay.hasDecision(block))
          return true;
        for (Id inner : trace.blocks[size_t(block)].ops)
          if (overlay.rejectionAt(inner) ||
              holdsDecision(trace.ops[size_t(inner)]))
            return true;
      }
    return false;
  }

  /// Returns the part of the block behind the op.
  int addRegions(const Op &op, const Block &block, int cluster, int before,
                 int number) {
    Cluster made;
    made.key = "o" + std::to_string(op.id);
    made.parent = cluster;
    made.op = op.id;
    Line line = lineOf(trace, op, options.lineLimit);
    const Event *rejection = overlay.rejectionAt(op.id);
    made.title = rejection ? "! " + line.text : line.text;
    made.tooltip =
        rejection ? visibleText(explainEvent(lookup, rejection->id).sentence)
                  : line.tooltip;
    picture.clusters.push_back(std::move(made));
    int inside = int(picture.clusters.size()) - 1;
    for (size_t i = 0; i < op.regions.size(); ++i)
      addRegion(op.regions[i], inside, regionWord(trace, op, i));
    int behind = addPart(block, cluster, number);
    std::set<int> told;
    for (const FlowEdge &edge : flowOf(shapeOf(op)))
      addFlow(op, edge, before, behind, told);
    return behind;
  }

  RegionShape shapeOf(const Op &op) const {
    RegionShape shape{op.name, {}, {}};
    for (size_t i = 0; i < op.regions.size(); ++i) {
      shape.isEmpty.push_back(op.regions[i].empty());
      shape.words.push_back(regionWord(trace, op, i));
    }
    return shape;
  }

  void addFlow(const Op &op, const FlowEdge &flow, int before, int behind,
               std::set<int> &told) {
    int to = flow.to.region == FlowPoint::behind
                 ? behind
                 : ends[op.regions[size_t(flow.to.region)].front()].first;
    const Id entry = flow.to.region == FlowPoint::behind
                         ? none
                         : op.regions[size_t(flow.to.region)].front();
    const PlacementOverlay &placement = overlay.getPlacement();
    if (flow.from.region == FlowPoint::before) {
      Edge &edge = addEdge(before, to, flow.kind, flow.label);
      edge.chips = placement.entryChips(op.id, entry);
      return;
    }
    for (Id block : op.regions[size_t(flow.from.region)]) {
      const Block &from = trace.blocks[size_t(block)];
      if (!from.successors.empty() || !from.reachable)
        continue;
      Edge &edge = addEdge(ends[block].last, to, flow.kind, flow.label);
      if (placement.isAlone())
        edge.chips = placement.exitChips(block, entry);
      else if (told.insert(block).second)
        edge.chips = overlay.edgeChips(block, -1);
    }
  }

  //===--- Edges ---===//

  Edge &addEdge(int from, int to, EdgeKind kind, std::string label) {
    Edge edge;
    edge.from = from;
    edge.to = to;
    edge.kind = kind;
    edge.label = std::move(label);
    std::string key =
        picture.nodes[size_t(from)].key + "-" + picture.nodes[size_t(to)].key;
    if (int repeats = edgeKeys[key]++; repeats > 0)
      key += "-" + std::to_string(repeats);
    edge.key = key;
    picture.edges.push_back(std::move(edge));
    return picture.edges.back();
  }

  void addBlockEdges() {
    for (const auto &[id, end] : ends) {
      const Block &block = trace.blocks[size_t(id)];
      for (size_t i = 0; i < block.successors.size(); ++i) {
        auto to = ends.find(block.successors[i]);
        if (to == ends.end())
          continue;
        bool isBack = to->second.first <= end.first;
        Edge &edge = addEdge(end.last, to->second.first,
                             isBack ? EdgeKind::back : EdgeKind::branch,
                             edgeLabel(block, i));
        edge.chips = overlay.edgeChips(id, int(i));
        edge.tooltip = visibleText(lookup.blockName(id) + " to " +
                                   lookup.blockName(block.successors[i]));
      }
    }
  }

  std::string edgeLabel(const Block &block, size_t edge) const {
    const Op *branch = lookup.op(block.ops.empty() ? none : block.ops.back());
    if (branch && branch->name == "cf.cond_br")
      return edge == 0 ? "true" : "false";
    if (branch && branch->name == "cf.switch")
      return edge == 0 ? "default" : "case " + std::to_string(edge);
    return block.successors.size() > 1 ? std::to_string(edge) : "";
  }

  //===--- Folding ---===//

  bool touchesMemref(const Line &line) const {
    if (line.op == none || line.accent != Meaning::plain)
      return true;
    const Op &op = trace.ops[size_t(line.op)];
    auto isMemref = [&](Id id) {
      return id != none && trace.values[size_t(id)].isMemref;
    };
    bool isAccess = op.name == "memref.load" || op.name == "memref.store" ||
                    op.name == "memref.dim";
    return op.isTerminator || !op.regions.empty() ||
           (!isAccess &&
            (std::any_of(op.operands.begin(), op.operands.end(), isMemref) ||
             std::any_of(op.results.begin(), op.results.end(), isMemref)));
  }

  static Line foldedLine(size_t count) {
    Line line;
    line.text = "… " + std::to_string(count) +
                (count == 1 ? " operation" : " operations");
    return line;
  }

  void foldLines() {
    for (Node &node : picture.nodes) {
      if (node.lines.size() <= options.maxLines)
        continue;
      std::vector<Line> kept;
      size_t folded = 0;
      auto flush = [&] {
        if (folded > 0)
          kept.push_back(foldedLine(folded));
        folded = 0;
      };
      for (size_t i = 0; i < node.lines.size(); ++i) {
        bool isFull = kept.size() + 2 >= options.maxLines * 2 &&
                      i + 1 < node.lines.size() &&
                      node.lines[i].accent != Meaning::rejected;
        if (isFull || !touchesMemref(node.lines[i])) {
          ++folded;
          continue;
        }
        flush();
        kept.push_back(std::move(node.lines[i]));
      }
      flush();
      node.lines = std::move(kept);
    }
  }

  const Lookup &lookup;
  const Trace &trace;
  const Function &function;
  const PictureOptions &options;
  Overlay overlay;
  bool isSmall = true;
  Picture picture;
  std::map<Id, Ends> ends;
  std::map<std::string, int> edgeKeys;
};

} // namespace

Picture ownershipPicture(const Lookup &lookup, Id function,
                         const PictureOptions &options) {
  return Builder(lookup, function, options).build();
}

} // namespace memreflens::graph
