//===- core/graph/memory/MeasuredSvg.cpp - live bytes of one run ----------===//

#include "core/graph/memory/MeasuredSvg.h"
#include "core/explain/Words.h"
#include "core/graph/LineText.h"
#include "core/graph/memory/MemorySvg.h"
#include "core/text/Bytes.h"

#include <algorithm>

namespace memreflens::memory {

namespace {
/// Below the plot of the text, with an axis of its own.
class MeasuredPlot {
public:
  MeasuredPlot(const MeasuredUse &run, int top, uint64_t most)
      : run(run), top(top), most(std::max<uint64_t>(most, 1)) {}
  void draw(Canvas &canvas, const graph::Theme &theme) const;

private:
  int x(uint64_t step) const {
    const uint64_t steps = std::max<uint64_t>(run.steps, 1);
    return Canvas::left + int(double(std::min(step, steps)) / double(steps) *
                              Canvas::plotWidth);
  }
  int y(uint64_t bytes) const {
    return bottom() - int(double(bytes) / double(most) * height + 0.5);
  }
  int bottom() const { return top + 24 + height; }
  void axes(Canvas &canvas, const graph::Theme &theme) const;

  static constexpr int height = 150;
  const MeasuredUse &run;
  const int top;
  const uint64_t most;
};
} // namespace

void MeasuredPlot::axes(Canvas &canvas, const graph::Theme &theme) const {
  auto line = [&](uint64_t bytes, std::string_view more) {
    canvas.raw("<path d=\"M" + std::to_string(Canvas::left) + "," +
               std::to_string(y(bytes)) + "h" +
               std::to_string(Canvas::plotWidth) + "\" stroke=\"" +
               std::string(theme.clusterLine) + "\"" + std::string(more) +
               "/>\n");
    canvas.text(Canvas::left - 6, y(bytes) + 4, bytesText(bytes), theme.dimText,
                "text-anchor=\"end\" font-size=\"10\"");
  };
  line(0, "");
  line(most, " stroke-opacity=\"0.35\"");
  canvas.text(Canvas::left, bottom() + 16, "0", theme.dimText,
              "font-size=\"10\"");
  canvas.text(Canvas::left + Canvas::plotWidth, bottom() + 16,
              counted(run.steps, "step") +
                  ", each an allocation or a deallocation",
              theme.dimText, "text-anchor=\"end\" font-size=\"10\"");
}

void MeasuredPlot::draw(Canvas &canvas, const graph::Theme &theme) const {
  axes(canvas, theme);
  std::string path = "M" + std::to_string(x(0)) + "," + std::to_string(y(0));
  int lastX = x(0), lastY = y(0);
  for (const MeasuredUse::Point &point : run.points)
    if (const int at = x(point.step), high = y(point.bytes);
        at != lastX || high != lastY) {
      path += "H" + std::to_string(at) + "V" + std::to_string(high);
      lastX = at;
      lastY = high;
    }
  path += "H" + std::to_string(x(run.steps));
  const std::string color(theme.of(graph::Meaning::freed).line);
  canvas.raw("<path class=\"measured\" d=\"" + path +
             "\" fill=\"none\" stroke=\"" + color +
             "\" stroke-width=\"2\"/>\n");
}

void drawMeasured(const MeasuredUse &run, int top, uint64_t most,
                  Canvas &canvas, const graph::Theme &theme) {
  canvas.text(16, top + 8, graph::shortened(headlineOf(run), 140), theme.text);
  MeasuredPlot(run, top, most).draw(canvas, theme);
}

std::string measuredSvg(const MemoryUse &use, graph::ThemeName themeName) {
  if (!use.measured)
    return {};
  constexpr int top = 16;
  const graph::Theme &theme = graph::themeOf(themeName);
  const uint64_t most = std::max(use.peakBytes, use.measured->peakBytes);
  Canvas canvas(use, theme, most, top + measuredHeight);
  canvas.begin("measured", "Live heap memory in one run of @" + use.name, {});
  MeasuredPlot(*use.measured, top, most).draw(canvas, theme);
  return canvas.finish();
}

} // namespace memreflens::memory
