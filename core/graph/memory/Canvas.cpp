//===- core/graph/memory/Canvas.cpp ---------------------------------------===//

#include "core/graph/memory/Canvas.h"
#include "core/graph/memory/MemorySvg.h"
#include "core/text/Bytes.h"
#include "core/text/Escape.h"

#include <algorithm>

namespace memreflens::memory {

static std::string number(int64_t value) { return std::to_string(value); }

Canvas::Canvas(const MemoryUse &use, const graph::Theme &theme, uint64_t most,
               int height)
    : use(use), theme(theme), most(std::max<uint64_t>(most, 1)),
      steps(std::max<size_t>(use.live.size(), 1)), height(height) {}

int Canvas::x(uint64_t step) const {
  return left + int(std::min(step, steps) * plotWidth / steps);
}

int Canvas::y(uint64_t bytes) const {
  const double part = double(bytes) / double(most);
  return bottom() - int(part * plotHeight + 0.5);
}

void Canvas::text(int at, int line, std::string_view words,
                  std::string_view color, std::string_view more) {
  out += "<text x=\"" + number(at) + "\" y=\"" + number(line) + "\" fill=\"" +
         std::string(color) + "\"" + (more.empty() ? "" : " ") +
         std::string(more) + ">" + escapedXml(words) + "</text>\n";
}

void Canvas::rect(int at, int line, std::string_view more,
                  std::string_view fill) {
  out += "<rect x=\"" + number(at) + "\" y=\"" + number(line) + "\" " +
         std::string(more) + " fill=\"" + std::string(fill) + "\"/>\n";
}

void Canvas::begin(std::string_view kind, std::string_view title,
                   const std::vector<std::string> &headlines) {
  const std::string size =
      "width=\"" + number(width) + "\" height=\"" + number(height) + "\"";
  out += "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"" +
         std::string(kind) + "\" role=\"img\" viewBox=\"0 0 " + number(width) +
         " " + number(height) + "\" " + size +
         " font-family=\"&quot;DejaVu Sans Mono&quot;, Menlo, Consolas, "
         "monospace\" font-size=\"11\">\n<title>" +
         escapedXml(title) + "</title>\n";
  rect(0, 0, "class=\"ground\" " + size, theme.ground);
  text(16, 24, title, theme.text, "font-size=\"14\" font-weight=\"bold\"");
  for (size_t i = 0; i < headlines.size(); ++i)
    text(16, 44 + int(i) * 16, headlines[i], theme.dimText);
}

std::string Canvas::placeOf(uint64_t step) const {
  const std::string &place =
      step < use.places.size() ? use.places[step] : std::string();
  return place.empty() ? "op " + number(int64_t(step) + 1) : place;
}

void Canvas::axes() {
  const std::string line = "stroke=\"" + std::string(theme.clusterLine) + "\"";
  for (int part = 0; part <= 4; ++part) {
    const uint64_t bytes =
        most / 4 * uint64_t(part) + most % 4 * uint64_t(part) / 4;
    out += "<path d=\"M" + number(left) + "," + number(y(bytes)) + "h" +
           number(plotWidth) + "\" " + line +
           (part ? " stroke-opacity=\"0.35\"" : "") + "/>\n";
    text(left - 6, y(bytes) + 4, bytesText(bytes), theme.dimText,
         "text-anchor=\"end\" font-size=\"10\"");
  }
  const uint64_t ticks = std::min<uint64_t>(steps, 9);
  for (uint64_t i = 0; i < ticks; ++i) {
    const uint64_t step = i * steps / ticks;
    out += "<path d=\"M" + number(x(step)) + "," + number(bottom()) + "v4\" " +
           line + "/>\n";
    text(x(step), bottom() + 16, placeOf(step), theme.dimText,
         "font-size=\"10\"");
  }
}

std::string Canvas::finish() {
  out += "</svg>\n";
  return std::move(out);
}

/// The number in ` name="..."` of a document's first tag.
static int numberOf(const std::string &svg, std::string_view name) {
  const std::string key = " " + std::string(name) + "=\"";
  const size_t at = svg.find(key);
  return at == svg.npos || at > svg.find('>')
             ? 0
             : std::atoi(svg.c_str() + at + key.size());
}

std::string stackedSvg(const std::vector<std::string> &pictures) {
  if (pictures.size() == 1)
    return pictures.front();
  int width = 0, height = 0;
  std::string inside;
  for (const std::string &picture : pictures) {
    std::string placed = picture;
    placed.insert(placed.find("<svg ") + 5,
                  "y=\"" + std::to_string(height) + "\" ");
    width = std::max(width, numberOf(picture, "width"));
    height += numberOf(picture, "height");
    inside += placed;
  }
  const std::string size =
      std::to_string(width) + "\" height=\"" + std::to_string(height);
  return "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"memory\" "
         "viewBox=\"0 0 " +
         std::to_string(width) + " " + std::to_string(height) + "\" width=\"" +
         size + "\">\n" + inside + "</svg>\n";
}

} // namespace memreflens::memory
