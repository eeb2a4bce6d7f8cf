//===- viewer/canvas/Scene.cpp - measures a picture and lays it out -------===//

#include "viewer/canvas/Scene.h"

#include "viewer/canvas/Fold.h"
#include "viewer/state/StageView.h"

#include "core/graph/Overlay.h"
#include "core/graph/OwnershipPicture.h"
#include "core/graph/Stubs.h"
#include "core/text/Escape.h"
#include "core/trace/Plan.h"

#include <algorithm>
#include <chrono>

namespace memreflens::viewer {

namespace {
/// Puts words one after the other, line by line.
class Writer {
public:
  void add(Word word, double indent = 0) {
    word.text = visibleText(word.text);
    auto widest = textWidth(word.text);
    for (Moment &moment : word.history)
      widest = std::max(widest, textWidth(moment.text));
    double width = double(widest) * charWidth + 8;
    if (x > indent && x + width > maxWidth)
      newLine(indent);
    word.box = {x, y, x + width, y + lineHeight};
    x += width + 4;
    right = std::max(right, x);
    words.push_back(std::move(word));
  }
  void newLine(double indent = 0) {
    x = margin + indent;
    y += lineHeight + 3;
  }
  Words take() {
    return {{right + margin, y + lineHeight + margin}, std::move(words)};
  }
  bool empty() const { return words.empty(); }

private:
  static constexpr double margin = 5, maxWidth = 460;
  double x = margin, y = margin, right = 40;
  std::vector<Word> words;
};
} // namespace

static Word wordOf(const graph::Chip &chip) {
  return {.kind = WordKind::chip,
          .box = {},
          .text = chip.text,
          .tooltip = chip.tooltip,
          .meaning = chip.meaning,
          .value = chip.value,
          .event = chip.event,
          .op = none,
          .faded = chip.faded,
          .since = chip.event};
}

static Word wordOf(WordKind kind, std::string text) {
  Word word;
  word.kind = kind;
  word.text = std::move(text);
  return word;
}

namespace {
/// Since when the chips of a block say what they say.
class Times {
public:
  Times(const Lookup &lookup, Id block) : lookup(lookup) {
    for (Id id : lookup.eventsOfBlock(block)) {
      const trace::Event &event = *lookup.event(id);
      if (std::holds_alternative<trace::LivenessEvent>(event.detail))
        liveness = id;
      if (std::holds_alternative<trace::OwnershipEvent>(event.detail))
        changes.push_back(id);
    }
  }
  void put(Word &word, const graph::Row &row) const {
    if (row.kind == graph::RowKind::liveIn ||
        row.kind == graph::RowKind::liveOut)
      word.since = liveness;
    if (row.kind != graph::RowKind::ownership || word.event == none)
      return;
    for (Id id : changes)
      if (id <= word.event && lookup.event(id)->value == word.value)
        if (graph::Chip chip = graph::ownershipChip(lookup, id);
            !chip.text.empty())
          word.history.push_back({id, chip.text, chip.meaning});
    if (!word.history.empty())
      word.since = word.history.front().event;
    // A caller's ownership is told by what is retained, not by a change.
    if (!word.history.empty() && word.history.back().event != word.event)
      word.history.clear();
  }

private:
  const Lookup &lookup;
  Id liveness = none;
  std::vector<Id> changes;
};
} // namespace

static void addRows(Writer &writer, const std::vector<graph::Row> &rows,
                    const Times &times) {
  for (const graph::Row &row : rows) {
    if (row.chips.empty() && row.label.empty())
      continue;
    writer.newLine();
    if (!row.label.empty())
      writer.add(wordOf(WordKind::label, row.label));
    for (const graph::Chip &chip : row.chips) {
      Word word = wordOf(chip);
      times.put(word, row);
      writer.add(std::move(word), 16);
    }
  }
}

/// The block at whose end what the node says last was decided: not its own,
/// where an earlier stage merged it into another one.
static Id blockOf(const Lookup &lookup, const graph::Node &node) {
  const trace::RunOptions &run = lookup.getTrace().options;
  for (const graph::Row &row : node.bottom)
    for (const graph::Chip &chip : row.chips)
      if (const trace::Event *event = lookup.event(chip.event);
          event && trace::isPass(run, event->stage, trace::ownershipPass) &&
          row.kind != graph::RowKind::allocated)
        return event->block;
  return node.block;
}

static Words wordsOf(const Lookup &lookup, const graph::Node &node) {
  Writer writer;
  Times head(lookup, node.block), tail(lookup, blockOf(lookup, node));
  bool isFolded = node.kind == graph::NodeKind::folded && node.block == none;
  Word title =
      wordOf(WordKind::title, isFolded ? "+ " + node.title : node.title);
  title.tooltip = node.tooltip;
  writer.add(std::move(title));
  if (!node.note.empty())
    writer.add(wordOf(WordKind::note, node.note));
  addRows(writer, node.top, head);
  for (const graph::Line &line : node.lines) {
    Word word = wordOf(WordKind::line, line.text);
    if (line.mark != ' ')
      word.text = std::string(1, line.mark) + " " + word.text;
    word.tooltip = line.tooltip;
    word.meaning = line.accent;
    word.op = line.op;
    writer.newLine();
    writer.add(std::move(word));
    if (line.counts.empty())
      continue;
    Word counts =
        wordOf(line.isFaulty ? WordKind::line : WordKind::note, line.counts);
    counts.tooltip = line.tooltip;
    if (line.isFaulty)
      counts.meaning = graph::Meaning::freed;
    writer.add(std::move(counts));
  }
  addRows(writer, node.bottom, tail);
  return writer.take();
}

static Words wordsOf(const graph::Edge &edge) {
  Writer writer;
  if (!edge.label.empty())
    writer.add(wordOf(WordKind::label, edge.label));
  for (const graph::Chip &chip : edge.chips) {
    if (!writer.empty())
      writer.newLine();
    writer.add(wordOf(chip));
  }
  return writer.empty() ? Words{} : writer.take();
}

static graph::Size sizeOfTitle(const std::string &title) {
  return {textWidth(title) * charWidth + 8, lineHeight + 4};
}

static graph::Box boxOf(const graph::Layout::Edge &place, const Words &words) {
  graph::Box box{place.tip.x, place.tip.y, place.tip.x, place.tip.y};
  auto add = [&](double x, double y) {
    box = {std::min(box.left, x), std::min(box.top, y), std::max(box.right, x),
           std::max(box.bottom, y)};
  };
  for (graph::Point point : place.curve)
    add(point.x, point.y);
  double width = words.size.width / 2, height = words.size.height / 2;
  add(place.label.x - width, place.label.y - height);
  add(place.label.x + width, place.label.y + height);
  return box;
}

SceneKey keyOf(const ViewState &state) {
  SceneKey key{state.place.function,
               state.showsStageGraph ? state.place.stage : -1, state.folded};
  if (state.run && state.run->stage == key.stage)
    key.run = state.run;
  return key;
}

Scene makeScene(const Program &program, SceneKey key) {
  auto begin = std::chrono::steady_clock::now();
  graph::PictureOptions options;
  // The canvas asks for the one under the mouse.
  options.hasSentences = false;
  graph::Stubbed stubbed = graph::withStubs(folded(
      key.stage == -1
          ? graph::ownershipPicture(program.lookup, key.function, options)
          : pictureOfStage(program, key.function, key.stage, options,
                           key.run.get()),
      key.folded));
  static std::atomic<uint64_t> scenes = 0;
  Scene scene;
  scene.serial = ++scenes;
  scene.picture = std::move(stubbed.picture);
  scene.note = std::move(stubbed.note);
  graph::LayoutRequest request;
  for (const graph::Node &node : scene.picture.nodes) {
    scene.nodes.push_back(wordsOf(program.lookup, node));
    request.nodes.push_back({scene.nodes.back().size, node.cluster});
  }
  for (const graph::Edge &edge : scene.picture.edges) {
    scene.edges.push_back(wordsOf(edge));
    request.edges.push_back({edge.from, edge.to, scene.edges.back().size});
  }
  for (const graph::Cluster &cluster : scene.picture.clusters) {
    scene.clusterTitles.push_back("- " + cluster.title);
    request.clusters.push_back(
        {cluster.parent, sizeOfTitle(scene.clusterTitles.back())});
  }
  scene.layout = graph::layOut(request);
  for (size_t i = 0; i < scene.edges.size(); ++i)
    scene.edgeBoxes.push_back(boxOf(scene.layout.edges[i], scene.edges[i]));
  scene.milliseconds = std::chrono::duration<double, std::milli>(
                           std::chrono::steady_clock::now() - begin)
                           .count();
  return scene;
}

} // namespace memreflens::viewer
