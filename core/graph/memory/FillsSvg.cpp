//===- core/graph/memory/FillsSvg.cpp -------------------------------------===//

#include "core/graph/memory/FillsSvg.h"
#include "core/explain/Words.h"
#include "core/text/Bytes.h"
#include "core/text/Escape.h"

#include <algorithm>

namespace memreflens::memory {

std::vector<FillBytes> fillsOf(const MemoryUse &use,
                               const std::vector<size_t> &buffers) {
  constexpr size_t last = graph::bufferColors - 1;
  std::vector<FillBytes> all(std::min(use.fills.size(), last + 1));
  for (size_t color = 0; color < all.size(); ++color) {
    const bool isRest = color == last && use.fills.size() > last + 1;
    all[color].name = isRest ? "others" : use.fills[color];
    all[color].color = color;
  }
  for (size_t index : buffers) {
    FillBytes &fill = all[std::min(use.buffers[index].fill, last)];
    fill.bytes += use.buffers[index].bytes;
    ++fill.buffers;
  }
  std::erase_if(all, [](const FillBytes &fill) { return fill.bytes == 0; });
  return all;
}

static constexpr int lineHeight = 18, barHeight = 14;

int heightOf(const std::vector<FillBytes> &fills) {
  return fills.size() < 2 ? 0
                          : lineHeight * int(fills.size() + 1) + barHeight + 12;
}

void drawFills(const std::vector<FillBytes> &fills, std::string_view title,
               int top, Canvas &canvas, const graph::Theme &theme) {
  if (fills.size() < 2)
    return;
  uint64_t sum = 0;
  for (const FillBytes &fill : fills)
    sum += fill.bytes;
  canvas.text(Canvas::left, top + 10, title, theme.dimText);
  int line = top + lineHeight;
  uint64_t before = 0;
  // Of so many bytes, a double is exact enough for pixels.
  auto x = [&](uint64_t bytes) {
    return Canvas::left +
           int(double(Canvas::plotWidth) * double(bytes) / double(sum));
  };
  for (const FillBytes &fill : fills) {
    const int begin = x(before), end = x(before += fill.bytes);
    canvas.raw("<rect class=\"fill\" x=\"" + std::to_string(begin) + "\" y=\"" +
               std::to_string(line) + "\" width=\"" +
               std::to_string(std::max(end - begin, 1)) + "\" height=\"" +
               std::to_string(barHeight) + "\" fill=\"" +
               std::string(theme.ofFill(fill.color).line) +
               "\" fill-opacity=\"0.55\"><title>" +
               escapedXml(fill.name + ": " + bytesText(fill.bytes)) +
               "</title></rect>\n");
  }
  line += barHeight + 8;
  for (const FillBytes &fill : fills) {
    canvas.rect(Canvas::left, line,
                "width=\"18\" height=\"11\" fill-opacity=\"0.55\"",
                theme.ofFill(fill.color).line);
    canvas.text(Canvas::left + 26, line + 9,
                fill.name + ": " + bytesText(fill.bytes) + " in " +
                    counted(fill.buffers, "buffer"),
                theme.text);
    line += lineHeight;
  }
}

} // namespace memreflens::memory
