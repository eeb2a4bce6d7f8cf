//===- viewer/Scene.cpp - measures a picture and lays it out --------------===//

#include "viewer/Scene.h"

#include "core/graph/Escape.h"
#include "core/graph/OwnershipPicture.h"
#include "core/graph/StagePicture.h"
#include "core/graph/Stubs.h"

#include <algorithm>
#include <chrono>

namespace memreflens::viewer {

namespace {
/// Puts words one after the other, line by line.
class Writer {
public:
  void add(Word word, double indent = 0) {
    word.text = graph::visibleText(word.text);
    double width = graph::textWidth(word.text) * charWidth + 8;
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
          .faded = chip.faded};
}

static Word wordOf(WordKind kind, std::string text) {
  Word word;
  word.kind = kind;
  word.text = std::move(text);
  return word;
}

static void addRows(Writer &writer, const std::vector<graph::Row> &rows) {
  for (const graph::Row &row : rows) {
    if (row.chips.empty() && row.label.empty())
      continue;
    writer.newLine();
    if (!row.label.empty())
      writer.add(wordOf(WordKind::label, row.label));
    for (const graph::Chip &chip : row.chips)
      writer.add(wordOf(chip), 16);
  }
}

static Words wordsOf(const graph::Node &node) {
  Writer writer;
  Word title = wordOf(WordKind::title, node.title);
  title.tooltip = node.tooltip;
  writer.add(std::move(title));
  if (!node.note.empty())
    writer.add(wordOf(WordKind::note, node.note));
  addRows(writer, node.top);
  for (const graph::Line &line : node.lines) {
    Word word = wordOf(WordKind::line, line.text);
    if (line.mark != ' ')
      word.text = std::string(1, line.mark) + " " + word.text;
    word.tooltip = line.tooltip;
    word.meaning = line.accent;
    word.op = line.op;
    writer.newLine();
    writer.add(std::move(word));
  }
  addRows(writer, node.bottom);
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
  return {graph::textWidth(title) * charWidth + 8, lineHeight + 4};
}

Scene makeScene(const Program &program, SceneKey key) {
  auto begin = std::chrono::steady_clock::now();
  graph::PictureOptions options;
  graph::Stubbed stubbed = graph::withStubs(
      key.stage < 0
          ? graph::ownershipPicture(program.lookup, key.function, options)
          : graph::stagePicture(program.lookup, key.function, key.stage,
                                options));
  Scene scene;
  scene.picture = std::move(stubbed.picture);
  scene.note = std::move(stubbed.note);
  graph::LayoutRequest request;
  for (const graph::Node &node : scene.picture.nodes) {
    scene.nodes.push_back(wordsOf(node));
    request.nodes.push_back({scene.nodes.back().size, node.cluster});
  }
  for (const graph::Edge &edge : scene.picture.edges) {
    scene.edges.push_back(wordsOf(edge));
    request.edges.push_back({edge.from, edge.to, scene.edges.back().size});
  }
  for (const graph::Cluster &cluster : scene.picture.clusters)
    request.clusters.push_back({cluster.parent, sizeOfTitle(cluster.title)});
  scene.layout = graph::layOut(request);
  scene.milliseconds = std::chrono::duration<double, std::milli>(
                           std::chrono::steady_clock::now() - begin)
                           .count();
  return scene;
}

} // namespace memreflens::viewer
