//===- core/graph/memory/ArenaSvg.cpp - the packing of an arena -----------===//
//
// The largest rectangles are drawn each, with what it is as a tooltip; the
// others are merged, column by column, into one shape.
//
//===----------------------------------------------------------------------===//

#include "core/explain/Words.h"
#include "core/graph/memory/FillsSvg.h"
#include "core/graph/memory/MemorySvg.h"
#include "core/text/Bytes.h"
#include "core/text/Escape.h"

#include <algorithm>
#include <numeric>

namespace memreflens::memory {

using graph::Meaning;

static constexpr size_t mostDrawn = 1500;

namespace {
/// In pixels.
struct Box {
  int x = 0, y = 0, width = 0, height = 0;
  size_t buffer = 0;
  int64_t area() const { return int64_t(width) * height; }
};

class Packing {
public:
  Packing(const MemoryUse &use, const ArenaPlan &plan,
          const graph::Theme &theme)
      : use(use), plan(plan), theme(theme), fills(fillsOf(use, everyOne(use))),
        canvas(use, theme, plan.bytes,
               Canvas::top + Canvas::plotHeight + 40 + heightOf(fills)) {}
  std::string draw();

private:
  static std::vector<size_t> everyOne(const MemoryUse &use) {
    std::vector<size_t> indices(use.buffers.size());
    std::iota(indices.begin(), indices.end(), size_t(0));
    return indices;
  }
  std::vector<Box> boxes() const;
  /// Null where nothing is known.
  const RanBuffer *ranOf(const Buffer &buffer) const {
    if (!use.measured)
      return nullptr;
    auto at = use.measured->buffers.find(buffer.value);
    return at == use.measured->buffers.end() ? nullptr : &at->second;
  }
  void one(const Box &box);
  void merged(const std::vector<Box> &boxes, size_t from);

  const MemoryUse &use;
  const ArenaPlan &plan;
  const graph::Theme &theme;
  const std::vector<FillBytes> fills;
  Canvas canvas;
};
} // namespace

std::vector<Box> Packing::boxes() const {
  std::vector<Box> found;
  for (size_t i = 0; i < use.buffers.size(); ++i) {
    const Buffer &buffer = use.buffers[i];
    if (buffer.bytes == 0)
      continue;
    Box box = {canvas.x(buffer.begin), canvas.y(plan.offsets[i] + buffer.bytes),
               0, 0, i};
    box.width = std::max(canvas.x(uint64_t(buffer.lastUse) + 1) - box.x, 1);
    box.height = std::max(canvas.y(plan.offsets[i]) - box.y, 1);
    found.push_back(box);
  }
  std::ranges::stable_sort(found, std::ranges::greater(), &Box::area);
  return found;
}

void Packing::one(const Box &box) {
  const Buffer &buffer = use.buffers[box.buffer];
  const graph::Accent &accent = theme.ofFill(buffer.fill);
  std::string what = buffer.name + ": " + bytesText(buffer.bytes) +
                     " at offset " + std::to_string(plan.offsets[box.buffer]);
  if (!use.places[buffer.begin].empty())
    what += ", allocated at " + use.places[buffer.begin];
  what += ", filled by " + use.fills[buffer.fill];
  if (!buffer.usedBy.empty())
    what += ", last used by " + buffer.usedBy;
  const RanBuffer *ran = ranOf(buffer);
  if (ran)
    what += "; in one run: " + ran->words;
  canvas.raw("<rect class=\"buffer\" x=\"" + std::to_string(box.x) + "\" y=\"" +
             std::to_string(box.y) + "\" width=\"" + std::to_string(box.width) +
             "\" height=\"" + std::to_string(box.height) + "\" fill=\"" +
             std::string(accent.line) + "\" fill-opacity=\"" +
             (ran && !ran->wasAllocated ? "0.15" : "0.55") + "\" stroke=\"" +
             std::string(theme.ground) + "\" stroke-width=\"1\"><title>" +
             escapedXml(what) + "</title></rect>\n");
  constexpr int letter = 8, line = 16;
  if (box.height >= line && box.width > letter * int(buffer.name.size() + 1))
    canvas.text(box.x + 4, box.y + box.height / 2 + 4, buffer.name, theme.text,
                "pointer-events=\"none\"");
}

/// All boxes from the given one on, each pixel once.
void Packing::merged(const std::vector<Box> &boxes, size_t from) {
  if (from >= boxes.size())
    return;
  constexpr int rows = Canvas::plotHeight + 2;
  std::vector<std::vector<bool>> taken(Canvas::plotWidth + 1,
                                       std::vector<bool>(rows));
  for (size_t i = from; i < boxes.size(); ++i) {
    const Box &box = boxes[i];
    for (int x = box.x - Canvas::left;
         x < std::min(box.x + box.width - Canvas::left, Canvas::plotWidth); ++x)
      for (int y = box.y - Canvas::top;
           y < std::min(box.y + box.height - Canvas::top, rows); ++y)
        taken[size_t(x)][size_t(std::max(y, 0))] = true;
  }
  std::string path;
  for (int x = 0; x < Canvas::plotWidth; ++x)
    for (int y = 0; y < rows; ++y) {
      const int begin = y;
      while (y < rows && taken[size_t(x)][size_t(y)])
        ++y;
      if (y > begin)
        path += "M" + std::to_string(x + Canvas::left) + "," +
                std::to_string(begin + Canvas::top) + "v" +
                std::to_string(y - begin);
    }
  canvas.raw(
      "<path class=\"merged\" d=\"" + path +
      "\" transform=\"translate(0.5)\" stroke=\"" +
      std::string(theme.of(Meaning::live).line) + "\" fill=\"none\"><title>" +
      counted(boxes.size() - from, "smaller buffer") + "</title></path>\n");
}

std::string Packing::draw() {
  std::string line = counted(use.buffers.size(), "buffer") + " in " +
                     bytesText(plan.bytes) + ", " +
                     std::string(nameOf(plan.planner));
  if (plan.bytes > use.leastArenaBytes)
    line += "; at least " + bytesText(use.leastArenaBytes) + " are needed, " +
            bytesText(plan.bytes - use.leastArenaBytes) + " are gaps";
  else
    line += ", which is the least";
  std::vector<std::string> lines = {
      line, "each until its last use; time across, address up"};
  if (use.measured) {
    lines[0] += "; in one run at most " + bytesText(use.measured->peakBytes) +
                " were live";
    lines[1] += "; pale: not allocated in the run";
  }
  canvas.begin("arena", "One arena for the buffers of " + titleOf(use), lines);
  const std::vector<Box> all = boxes();
  const size_t drawn = std::min(all.size(), mostDrawn);
  merged(all, drawn);
  for (size_t i = 0; i < drawn; ++i)
    one(all[i]);
  canvas.axes();
  drawFills(fills, "all buffers, by what fills them first",
            canvas.bottom() + 34, canvas, theme);
  return canvas.finish();
}

std::string arenaSvg(const MemoryUse &use, graph::ThemeName theme) {
  const ArenaPlan *plan = smallestOf(use.plans);
  if (!plan || plan->offsets.empty()) {
    Canvas canvas(use, graph::themeOf(theme), 1, Canvas::top);
    canvas.begin("arena", "One arena for the buffers of " + titleOf(use),
                 {use.buffers.empty()
                      ? "no buffer of a known size is allocated on the heap"
                  : !use.several.empty()
                      ? "none: " + severalText(use)
                      : "too many buffers live at the same time to plan them"});
    return canvas.finish();
  }
  return Packing(use, *plan, graph::themeOf(theme)).draw();
}

} // namespace memreflens::memory
