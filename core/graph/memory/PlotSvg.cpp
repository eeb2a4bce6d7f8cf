//===- core/graph/memory/PlotSvg.cpp - live bytes over the program --------===//

#include "core/explain/CostText.h"
#include "core/explain/Words.h"
#include "core/graph/memory/FillsSvg.h"
#include "core/graph/memory/MeasuredSvg.h"
#include "core/graph/memory/MemorySvg.h"
#include "core/memory/Columns.h"
#include "core/text/Escape.h"

#include <algorithm>

namespace memreflens::memory {

using graph::Meaning;

/// A colour has one meaning; what is used is owned, and what holds a buffer is
/// as it is in the other pictures.
static Meaning meaningOf(size_t layer) {
  static constexpr Meaning meanings[layerCount] = {
      Meaning::owned,    Meaning::allocated, Meaning::live,
      Meaning::ownedIf,  Meaning::candidate, Meaning::retained,
      Meaning::cloned,   Meaning::borrowed,  Meaning::unknown,
      Meaning::indicator};
  return meanings[layer];
}

namespace {
class Plot {
public:
  Plot(const MemoryUse &use, const graph::Theme &theme)
      : use(use), theme(theme), columns(columnsOf(use, Canvas::plotWidth)),
        fills(fillsOf(use, use.alive)),
        canvas(use, theme, mostOf(use), heightOf()) {}
  std::string draw();

private:
  static uint64_t mostOf(const MemoryUse &use) {
    uint64_t most = use.peakBytes;
    for (uint64_t bytes : use.live)
      most = std::max(most, bytes);
    return use.measured ? std::max(most, use.measured->peakBytes) : most;
  }
  std::vector<size_t> usedLayers() const;
  int heightOf() const {
    return Canvas::top + Canvas::plotHeight + 44 +
           18 * int(usedLayers().size() + 4) + memory::heightOf(fills) +
           (use.measured ? measuredHeight : 0);
  }
  std::vector<std::string> headlines() const;
  void area(size_t layer);
  void curve(uint64_t Column::*bytes, std::string_view more,
             std::string_view color);
  void peak();
  /// What a run had at the ops that allocate.
  void measured();
  /// The height at which it ends.
  int legend();

  const MemoryUse &use;
  const graph::Theme &theme;
  const std::vector<Column> columns;
  /// At the peak.
  const std::vector<FillBytes> fills;
  Canvas canvas;
};
} // namespace

std::vector<size_t> Plot::usedLayers() const {
  std::vector<size_t> used;
  for (size_t layer = 0; layer < layerCount; ++layer)
    if (std::ranges::any_of(columns, [&](const Column &column) {
          return column.layers[layer] > 0;
        }))
      used.push_back(layer);
  return used;
}

std::vector<std::string> Plot::headlines() const {
  std::string first = "peak " + peakText(use.peakBytes, !use.gaps.empty());
  if (use.peakStep < use.places.size() && !use.places[use.peakStep].empty())
    first += " at " + use.places[use.peakStep];
  first += capacityText(use);
  first += ", " + counted(use.alive.size(), "buffer") + " alive there";
  std::string second;
  if (!use.heldAtPeak.empty()) {
    const auto &held =
        *std::ranges::max_element(use.heldAtPeak, {}, &HeldBytes::bytes);
    second = bytesText(held.bytes) +
             " of it past its last use: " + std::string(wordsOf(held.hold));
  }
  return {first, second};
}

/// From the sum of the layers below it up to its own.
void Plot::area(size_t layer) {
  auto sum = [&](const Column &column, size_t count) {
    uint64_t bytes = 0;
    for (size_t i = 0; i < count; ++i)
      bytes += column.layers[i];
    return bytes;
  };
  std::string there, back;
  int last = -1, lastBack = -1;
  for (const Column &column : columns)
    if (int at = canvas.y(sum(column, layer + 1)); at != last) {
      there += (last < 0 ? "M" + std::to_string(canvas.x(column.begin)) + "," +
                               std::to_string(at)
                         : "H" + std::to_string(canvas.x(column.begin)) + "V" +
                               std::to_string(at));
      last = at;
    }
  there += "H" + std::to_string(canvas.x(columns.back().end));
  for (size_t i = columns.size(); i-- > 0;)
    if (int at = canvas.y(sum(columns[i], layer)); at != lastBack) {
      back += (lastBack < 0 ? "V" + std::to_string(at)
                            : "H" + std::to_string(canvas.x(columns[i].end)) +
                                  "V" + std::to_string(at));
      lastBack = at;
    }
  const graph::Accent &accent = theme.of(meaningOf(layer));
  canvas.raw("<path class=\"layer\" d=\"" + there + back + "H" +
             std::to_string(canvas.x(0)) + "Z\" fill=\"" +
             std::string(accent.line) + "\" fill-opacity=\"0.45\"><title>" +
             escapedXml(wordsOfLayer(layer)) + "</title></path>\n");
}

void Plot::curve(uint64_t Column::*bytes, std::string_view more,
                 std::string_view color) {
  std::string path;
  int last = -1;
  for (const Column &column : columns)
    if (int at = canvas.y(column.*bytes); at != last) {
      path += (last < 0 ? "M" : "H") + std::to_string(canvas.x(column.begin)) +
              (last < 0 ? "," : "V") + std::to_string(at);
      last = at;
    }
  path += "H" + std::to_string(canvas.x(columns.back().end));
  canvas.raw("<path class=\"curve\" d=\"" + path +
             "\" fill=\"none\" stroke=\"" + std::string(color) + "\" " +
             std::string(more) + "/>\n");
}

void Plot::peak() {
  const int x = canvas.x(use.peakStep), y = canvas.y(use.peakBytes);
  const graph::Accent &accent = theme.of(Meaning::freed);
  canvas.raw("<circle class=\"peak\" cx=\"" + std::to_string(x) + "\" cy=\"" +
             std::to_string(y) + "\" r=\"4\" fill=\"" +
             std::string(accent.line) + "\"><title>" +
             escapedXml("peak " + peakText(use.peakBytes, !use.gaps.empty())) +
             "</title></circle>\n");
}

void Plot::measured() {
  if (!use.measured)
    return;
  const std::string color(theme.of(Meaning::freed).line);
  for (auto [step, bytes] : mostByStep(*use.measured, use.steps))
    canvas.raw("<rect class=\"measured\" x=\"" +
               std::to_string(canvas.x(step) - 3) + "\" y=\"" +
               std::to_string(canvas.y(bytes) - 3) +
               "\" width=\"7\" height=\"7\" fill=\"" + color + "\"><title>" +
               escapedXml("measured at " + use.places[step] + ": " +
                          bytesText(bytes)) +
               "</title></rect>\n");
}

int Plot::legend() {
  int line = canvas.bottom() + 42;
  auto row = [&](std::string_view words, uint64_t bytes) {
    canvas.text(Canvas::left + 26, line + 9,
                std::string(words) + ": " + bytesText(bytes), theme.text);
    line += 18;
  };
  auto sign = [&](std::string_view more, std::string_view color) {
    canvas.raw("<path d=\"M" + std::to_string(Canvas::left) + "," +
               std::to_string(line + 6) + "h18\" stroke=\"" +
               std::string(color) + "\" " + std::string(more) + "/>\n");
  };
  sign("stroke-width=\"2\"", theme.text);
  row("as the pipeline leaves it, most on any path", use.asIs.peakBytes);
  sign("stroke-dasharray=\"5 3\"", theme.text);
  row("deallocated right after the last use", use.afterLastUse.peakBytes);
  sign("stroke-dasharray=\"1 3\" stroke-width=\"2\"", theme.text);
  row("and allocated right in front of the first", use.needed.peakBytes);
  const uint32_t step = use.peakStep;
  const std::vector<Layers> layers = layersOf(use);
  for (size_t layer : usedLayers()) {
    canvas.rect(Canvas::left, line,
                "width=\"18\" height=\"11\" "
                "fill-opacity=\"0.45\"",
                theme.of(meaningOf(layer)).line);
    const uint64_t there = step < layers.size() ? layers[step][layer] : 0;
    if (there > 0)
      row(std::string(wordsOfLayer(layer)) + ", at the peak", there);
    else {
      canvas.text(Canvas::left + 26, line + 9, wordsOfLayer(layer), theme.text);
      line += 18;
    }
  }
  if (use.measured) {
    canvas.rect(Canvas::left + 6, line + 2, "width=\"7\" height=\"7\"",
                theme.of(Meaning::freed).line);
    row("measured in one run, most behind each allocation",
        use.measured->peakBytes);
  }
  return line;
}

std::string Plot::draw() {
  canvas.begin("memory", "Live heap memory of " + titleOf(use), headlines());
  if (!columns.empty()) {
    for (size_t layer : usedLayers())
      area(layer);
    curve(&Column::needed, "stroke-dasharray=\"1 3\" stroke-width=\"2\"",
          theme.text);
    curve(&Column::afterLastUse, "stroke-dasharray=\"5 3\"", theme.text);
    curve(&Column::asIs, "stroke-width=\"2\"", theme.text);
    canvas.axes();
    peak();
    measured();
    const int legendEnd = legend();
    drawFills(fills, "at the peak, by what fills them first", legendEnd + 8,
              canvas, theme);
    const int end = legendEnd + memory::heightOf(fills);
    if (use.measured)
      drawMeasured(*use.measured, end + 14, mostOf(use), canvas, theme);
  }
  return canvas.finish();
}

std::string plotSvg(const MemoryUse &use, graph::ThemeName theme) {
  return Plot(use, graph::themeOf(theme)).draw();
}

} // namespace memreflens::memory
