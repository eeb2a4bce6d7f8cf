//===- core/graph/StagePicture.cpp - the CFG as a stage left it -----------===//
//
// Built from the stage's text alone, so that a saved trace is enough.
//
//===----------------------------------------------------------------------===//

#include "core/graph/StagePicture.h"
#include "core/text/Escape.h"
#include "core/trace/Plan.h"

#include "core/explain/Words.h"
#include "core/graph/LineDiff.h"
#include "core/graph/LineText.h"
#include "core/graph/RegionFlow.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <tuple>

namespace memreflens::graph {

using namespace trace;

namespace {

/// "memref.alloc" of "%a = memref.alloc() : ..."; generic form too.
std::string opNameOf(std::string_view text) {
  if (size_t equals = text.find(" = ");
      text.starts_with("%") && equals != std::string_view::npos)
    text.remove_prefix(equals + 3);
  if (text.starts_with("\""))
    text.remove_prefix(1);
  size_t end = 0;
  while (end < text.size() && (isalnum(static_cast<unsigned char>(text[end])) ||
                               text[end] == '_' || text[end] == '.'))
    ++end;
  return std::string(text.substr(0, end));
}

Meaning accentOf(const std::string &opName, std::string_view text) {
  static constexpr std::array allocations = {"memref.alloc", "memref.alloca",
                                             "memref.realloc",
                                             "bufferization.alloc_tensor"};
  if (std::find(allocations.begin(), allocations.end(), opName) !=
      allocations.end())
    return Meaning::allocated;
  if (opName == "memref.dealloc" ||
      text.find("@dealloc_helper") != std::string_view::npos)
    return Meaning::freed;
  if (opName == "bufferization.dealloc")
    return Meaning::candidate;
  if (opName == "bufferization.clone")
    return Meaning::cloned;
  return Meaning::plain;
}

/// Puts one function's blocks into a picture, under a prefix of keys.
class StageBuilder {
public:
  StageBuilder(Picture &picture, const PictureOptions &options,
               std::string prefix, const std::vector<bool> &marked, char mark)
      : picture(picture), options(options), prefix(std::move(prefix)),
        marked(marked), mark(mark) {}

  /// Of the run that the stage's program made.
  void setCounts(const RunCounts *counts) { run = counts; }

  void add(const StageFunction &function, int cluster) {
    if (!function.body.blocks.empty())
      addRegion(function.body, cluster, "^bb0");
  }

private:
  struct Ends {
    int first = -1, last = -1;
    const StageBlock *block = nullptr;
  };

  int addNode(int cluster, std::string title, std::string note) {
    Node node;
    node.key = prefix + std::to_string(number++);
    node.title = visibleText(title);
    node.note = std::move(note);
    node.cluster = cluster;
    picture.nodes.push_back(std::move(node));
    return int(picture.nodes.size()) - 1;
  }

  Edge &addEdge(int from, int to, EdgeKind kind, std::string label,
                std::optional<uint64_t> times = std::nullopt) {
    Edge edge;
    if (times)
      label += (label.empty() ? "" : ", ") + std::to_string(*times) + "x";
    edge.from = from;
    edge.to = to;
    edge.kind = kind;
    edge.label = std::move(label);
    edge.key = prefix + "e" + std::to_string(edges++);
    picture.edges.push_back(std::move(edge));
    return picture.edges.back();
  }

  /// Returns the ends of its blocks, in order.
  std::vector<Ends> addRegion(const StageRegion &region, int cluster,
                              const std::string &word) {
    std::vector<Ends> ends;
    std::map<std::string, size_t> byLabel;
    for (size_t i = 0; i < region.blocks.size(); ++i) {
      const StageBlock &block = region.blocks[i];
      std::string title = i == 0 && !word.empty() ? word : block.label;
      ends.push_back(addBlock(block, cluster, title));
      byLabel[i == 0 && block.label.empty() ? "^bb0" : block.label] = i;
    }
    for (size_t i = 0; i < ends.size(); ++i)
      addSuccessors(ends, i, byLabel);
    return ends;
  }

  void addSuccessors(const std::vector<Ends> &ends, size_t from,
                     const std::map<std::string, size_t> &byLabel) {
    const StageBlock &block = *ends[from].block;
    bool isConditional = !block.items.empty() &&
                         opNameOf(block.items.back().text) == "cf.cond_br";
    std::vector<std::optional<uint64_t>> times(block.successors.size());
    if (isConditional && times.size() == 2)
      std::tie(times[0], times[1]) = truthsOf(block.items.back());
    else if (times.size() == 1 && run && run->isWhole)
      times[0] = timesOf(block);
    for (size_t k = 0; k < block.successors.size(); ++k) {
      auto to = byLabel.find(block.successors[k]);
      if (to == byLabel.end())
        continue;
      addEdge(ends[from].last, ends[to->second].first,
              to->second <= from ? EdgeKind::back : EdgeKind::branch,
              !isConditional ? ""
              : k == 0       ? "true"
                             : "false",
              times[k]);
    }
  }

  Ends addBlock(const StageBlock &block, int cluster,
                const std::string &title) {
    const std::optional<uint64_t> times = timesOf(block);
    int part = addNode(cluster, title,
                       !times        ? ""
                       : *times == 0 ? "never ran"
                                     : "ran " + std::to_string(*times) + "x");
    Ends ends{part, part, &block};
    if (!block.arguments.empty()) {
      Row row{RowKind::arguments, "arguments", {}};
      Chip chip;
      std::string whole = visibleText(block.arguments);
      chip.text = shortened(whole, options.lineLimit);
      chip.tooltip = whole;
      row.chips.push_back(std::move(chip));
      picture.nodes[size_t(part)].top.push_back(std::move(row));
    }
    for (const StageItem &item : block.items) {
      if (!isDrawn(item)) {
        addLine(part, item);
        continue;
      }
      part = addRegions(item, cluster, part, title);
    }
    ends.last = part;
    return ends;
  }

  Line lineOf(const StageItem &item) const {
    Line line;
    std::string whole = visibleText(item.text);
    if (!item.regions.empty())
      whole += " { … }";
    line.text = shortened(whole, options.lineLimit);
    if (line.text != whole)
      line.tooltip = whole;
    line.accent = accentOf(opNameOf(item.text), item.text);
    if (isMarked(item.line))
      line.mark = mark;
    if (const OpCounts *counts = countsOf(item)) {
      line.counts = visibleText(counts->words);
      for (const OpCounts::Fault &fault : counts->faults)
        addFault(line, whole, fault);
    }
    return line;
  }

  //===--- Of a run ---===//

  const OpCounts *countsOf(const StageItem &item) const {
    if (!run)
      return nullptr;
    auto found = run->ops.find(item.line);
    return found == run->ops.end() ? nullptr : &found->second;
  }

  static void addFault(Line &line, const std::string &whole,
                       const OpCounts::Fault &fault) {
    line.isFaulty = true;
    line.tooltip = (line.tooltip.empty() ? whole : line.tooltip) + "\n" +
                   visibleText(fault.sentence);
    if (line.counts.find(fault.kind) == std::string::npos)
      line.counts += (line.counts.empty() ? "" : ", ") + fault.kind;
  }

  std::optional<uint64_t> timesOf(const StageBlock &block) const {
    if (!run || !run->blocks || block.items.empty())
      return std::nullopt;
    auto found = run->blocks->find(block.items.front().line);
    return found == run->blocks->end() ? 0 : found->second;
  }

  using Times = std::optional<uint64_t>;
  /// How often the condition that ends the block, or stands in it, was true and
  /// false.
  std::pair<Times, Times> truthsOf(const StageItem &item) const {
    const OpCounts *counts = countsOf(item);
    if (counts && counts->truths)
      return {counts->truths->yes, counts->truths->no};
    return {};
  }

  void addLine(int part, const StageItem &item) {
    picture.nodes[size_t(part)].lines.push_back(lineOf(item));
  }

  bool isMarked(size_t line) const {
    return line < marked.size() && marked[line];
  }

  /// Whether something of note is inside; otherwise it is one line.
  bool isDrawn(const StageItem &item) const {
    for (const StageRegion &region : item.regions)
      for (const StageBlock &block : region.blocks)
        for (const StageItem &inner : block.items)
          if (accentOf(opNameOf(inner.text), inner.text) != Meaning::plain ||
              isMarked(inner.line) || isDrawn(inner))
            return true;
    return options.detail == Detail::ops && !item.regions.empty() &&
           hasKnownFlow(opNameOf(item.text));
  }

  int addRegions(const StageItem &item, int cluster, int before,
                 const std::string &title) {
    Cluster made;
    Line line = lineOf(item);
    made.key = prefix + "c" + std::to_string(picture.clusters.size());
    made.parent = cluster;
    made.title = (line.mark == ' ' ? "" : std::string(1, mark) + " ") +
                 shortened(visibleText(item.text), options.lineLimit);
    made.tooltip = visibleText(item.text);
    picture.clusters.push_back(std::move(made));
    int inside = int(picture.clusters.size()) - 1;
    RegionShape shape{opNameOf(item.text), {}, {}};
    std::vector<std::vector<Ends>> regions;
    for (size_t i = 0; i < item.regions.size(); ++i) {
      const StageRegion &region = item.regions[i];
      std::string word = wordOfRegion(shape.opName, region, i);
      bool isEmpty =
          region.blocks.size() == 1 && region.blocks[0].items.empty();
      shape.isEmpty.push_back(isEmpty);
      shape.words.push_back(word);
      regions.push_back(isEmpty ? std::vector<Ends>{}
                                : addRegion(region, inside, word));
    }
    int behind = addNode(cluster, title, "continued");
    const OpFlow flow{item, flowOf(shape), regions, before, behind};
    for (const FlowEdge &edge : flow.edges)
      addFlow(edge, flow);
    return behind;
  }

  static std::string wordOfRegion(const std::string &opName,
                                  const StageRegion &region, size_t number) {
    if (opName == "scf.if")
      return number == 0 ? "then" : "else";
    if (opName == "scf.while")
      return number == 0 ? "before" : "do";
    if (opName == "sample.region_if")
      return number == 0 ? "then" : number == 1 ? "else" : "join";
    if (!region.word.empty() && region.word != ",")
      return region.word;
    return number == 0 ? "body" : "region " + std::to_string(number);
  }

  /// How control moves through one op.
  struct OpFlow {
    const StageItem &item;
    std::vector<FlowEdge> edges;
    const std::vector<std::vector<Ends>> &regions;
    int before = -1, behind = -1;
  };

  void addFlow(const FlowEdge &edge, const OpFlow &flow) {
    int to = edge.to.region == FlowPoint::behind
                 ? flow.behind
                 : flow.regions[size_t(edge.to.region)].front().first;
    const Times into = timesInto(edge, flow);
    if (edge.from.region == FlowPoint::before) {
      addEdge(flow.before, to, edge.kind, edge.label, into);
      return;
    }
    const bool isOnlyWay =
        std::ranges::count(flow.edges, edge.from.region, &regionItLeaves) == 1;
    for (const Ends &ends : flow.regions[size_t(edge.from.region)])
      if (ends.block->successors.empty())
        addEdge(ends.last, to, edge.kind, edge.label,
                into                               ? into
                : isOnlyWay && run && run->isWhole ? timesOf(*ends.block)
                                                   : std::nullopt);
  }

  static int regionItLeaves(const FlowEdge &edge) { return edge.from.region; }

  /// What can be told by the block that it leads to, or by the condition; not
  /// where a loop has two ways into its body.
  Times timesInto(const FlowEdge &edge, const OpFlow &flow) const {
    if (edge.kind == EdgeKind::skip)
      return truthsOf(flow.item).second;
    if (edge.to.region < 0)
      return std::nullopt;
    const auto ways =
        std::ranges::count_if(flow.edges, [&](const FlowEdge &one) {
          return one.to.region == edge.to.region;
        });
    if (ways != 1)
      return std::nullopt;
    const auto [yes, no] = truthsOf(flow.item);
    return yes ? edge.to.region == 0 ? yes : no
               : timesOf(*flow.regions[size_t(edge.to.region)].front().block);
  }

  Picture &picture;
  const PictureOptions &options;
  std::string prefix;
  const std::vector<bool> &marked;
  char mark;
  const RunCounts *run = nullptr;
  int number = 0, edges = 0;
};

std::string asideNote(const Trace &trace, Id function, int stage) {
  const Function &of = trace.functions[size_t(function)];
  if (of.lastGoodStage >= stage)
    return "";
  return ", skipped here: as stage " + std::to_string(of.lastGoodStage) +
         " left it";
}

/// Drops the runs of lines that touch nothing of note in long blocks.
void foldPlainLines(Picture &picture, const PictureOptions &options) {
  for (Node &node : picture.nodes) {
    if (node.lines.size() <= options.maxLines)
      continue;
    auto isOfNote = [&](size_t i) {
      return i + 1 == node.lines.size() || node.lines[i].mark != ' ' ||
             !node.lines[i].counts.empty() ||
             node.lines[i].accent != Meaning::plain;
    };
    std::vector<Line> kept;
    size_t folded = 0;
    for (size_t i = 0; i < node.lines.size(); ++i) {
      bool isNear = (i > 0 && isOfNote(i - 1)) ||
                    (i + 1 < node.lines.size() && isOfNote(i + 1));
      if (!isOfNote(i) && !isNear) {
        ++folded;
        continue;
      }
      if (folded > 0)
        kept.push_back({"… " + std::to_string(folded) +
                            (folded == 1 ? " operation" : " operations"),
                        "", Meaning::plain, none, ' '});
      folded = 0;
      kept.push_back(std::move(node.lines[i]));
    }
    node.lines = std::move(kept);
  }
}

} // namespace

std::string stageTitle(const Trace &trace, Id function, int stage) {
  const Chunk &chunk =
      trace.chunks[size_t(trace.functions[size_t(function)].chunk)];
  if (stage == trace::tensorCopiesStage)
    return "the tensor copies, between the steps of one-shot-bufferize";
  for (const Stage &known : chunk.stages)
    if (known.number == stage)
      return "stage " + std::to_string(stage) + ", " +
             (stage == 0 ? "the input" : known.name);
  return "stage " + std::to_string(stage);
}

Picture stagePicture(const Lookup &lookup, Id function, int stage,
                     const PictureOptions &options, const RunCounts *counts) {
  const Trace &trace = lookup.getTrace();
  Picture picture;
  picture.function = function;
  picture.title = visibleText("@" + trace.functions[size_t(function)].title());
  picture.subtitle = visibleText(stageTitle(trace, function, stage)) +
                     asideNote(trace, function, stage);
  StageFunction found = stageFunction(trace, function, stage);
  if (!found.found)
    picture.subtitle += ": the function is not there any more";
  std::vector<bool> marked;
  if (counts && !counts->verdict.empty())
    picture.subtitle += "; " + visibleText(counts->verdict);
  StageBuilder builder(picture, options, "s", marked, ' ');
  builder.setCounts(counts);
  builder.add(found, -1);
  foldPlainLines(picture, options);
  return picture;
}

Picture comparisonPicture(const Lookup &lookup, Id function, int from, int to,
                          const PictureOptions &options) {
  const Trace &trace = lookup.getTrace();
  Picture picture;
  picture.function = function;
  picture.title = visibleText("@" + trace.functions[size_t(function)].title());
  StageFunctions functions(trace);
  StageFunction first = functions.find(function, from);
  StageFunction second = functions.find(function, to);
  LineDiff diff = diffLines(first.lines, second.lines);
  size_t gone =
      size_t(std::count(diff.removed.begin(), diff.removed.end(), true));
  size_t made = size_t(std::count(diff.added.begin(), diff.added.end(), true));
  picture.subtitle = counted(gone, "line") + " gone, " + counted(made, "line") +
                     " new" + asideNote(trace, function, to);
  for (int side : {0, 1}) {
    Cluster cluster;
    cluster.key = side == 0 ? "before" : "after";
    cluster.title =
        visibleText(stageTitle(trace, function, side == 0 ? from : to));
    picture.clusters.push_back(std::move(cluster));
    int index = int(picture.clusters.size()) - 1;
    StageBuilder(picture, options, side == 0 ? "l" : "r",
                 side == 0 ? diff.removed : diff.added, side == 0 ? '-' : '+')
        .add(side == 0 ? first : second, index);
  }
  foldPlainLines(picture, options);
  return picture;
}

} // namespace memreflens::graph
