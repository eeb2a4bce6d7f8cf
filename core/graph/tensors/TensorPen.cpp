//===- core/graph/tensors/TensorPen.cpp -----------------------------------===//

#include "core/graph/tensors/TensorPen.h"
#include "core/text/Escape.h"

namespace memreflens::graph {

static std::string num(int64_t value) { return std::to_string(value); }

void TensorPen::rect(int left, int top, int wide, int high,
                     std::string_view fill, std::string_view stroke,
                     std::string_view more) {
  out += "<rect x=\"" + num(left) + "\" y=\"" + num(top) + "\" width=\"" +
         num(wide) + "\" height=\"" + num(high) + "\" fill=\"" +
         std::string(fill) + "\" stroke=\"" + std::string(stroke) + "\"" +
         (more.empty() ? "" : " ") + std::string(more) + "/>\n";
}

void TensorPen::path(const std::string &steps, std::string_view stroke,
                     std::string_view more) {
  out += "<path d=\"" + steps + "\" fill=\"none\" stroke=\"" +
         std::string(stroke) + "\" " + std::string(more) + "/>\n";
}

void TensorPen::text(int left, int base, std::string_view words,
                     std::string_view color, std::string_view more) {
  out += "<text x=\"" + num(left) + "\" y=\"" + num(base) + "\" fill=\"" +
         std::string(color) + "\"" + (more.empty() ? "" : " ") +
         std::string(more) + ">" + escapedXml(words) + "</text>\n";
}

void TensorPen::title(std::string_view words) {
  if (!words.empty())
    out += "<title>" + escapedXml(words) + "</title>\n";
}

std::string TensorPen::move(int left, int top) {
  return "M" + num(left) + "," + num(top);
}
std::string TensorPen::line(int left, int top) {
  return "L" + num(left) + "," + num(top);
}

void TensorPen::arrowhead(int tipX, int tipY, int dx, int dy,
                          std::string_view color) {
  const int backX = tipX - dx * 7, backY = tipY - dy * 7;
  out += "<path d=\"" + move(tipX, tipY) +
         line(backX + dy * 4, backY + dx * 4) +
         line(backX - dy * 4, backY - dx * 4) + "Z\" fill=\"" +
         std::string(color) + "\" stroke=\"" + std::string(color) +
         "\" stroke-width=\"1\"/>\n";
}

const Accent &TensorPen::colorOf(const std::vector<int> &buffers) const {
  return theme.ofBuffer(buffers.empty() ? 0 : buffers.front());
}

void TensorPen::dot(int left, int top, std::string_view color) {
  out += "<circle cx=\"" + num(left) + "\" cy=\"" + num(top) +
         "\" r=\"4\" fill=\"" + std::string(color) + "\"/>\n";
}

void TensorPen::laneLine(int at, int top, int low,
                         const std::vector<int> &buffers, int wide) {
  if (top >= low)
    return;
  path(move(at, top) + "V" + num(low), colorOf(buffers).line,
       "stroke-width=\"" + num(wide) + "\"");
  for (size_t i = 1; i < buffers.size(); ++i)
    path(move(at, top) + "V" + num(low), theme.ofBuffer(buffers[i]).line,
         "stroke-width=\"" + num(wide) + "\" stroke-dasharray=\"5 " +
             num(int(buffers.size() - 1) * 5) + "\" stroke-dashoffset=\"" +
             num(int(i) * 5) + "\"");
}

void TensorPen::hatch(const TensorChip &chip, int left, int top, int wide) {
  const int ends[] = {left + 1, left + wide - TensorPlaces::hatchWidth - 1};
  for (size_t i = 0; i < chip.buffers.size(); ++i) {
    std::string steps;
    for (int end : ends)
      for (int at = int(i) * 4; at + 5 <= TensorPlaces::hatchWidth;
           at += int(chip.buffers.size()) * 4)
        steps += move(end + at, top + TensorPlaces::chipHeight - 2) +
                 line(end + at + 5, top + 2);
    path(steps, theme.ofBuffer(chip.buffers[i]).line, "stroke-width=\"2\"");
  }
}

std::string TensorPen::styleOf(TensorLink link) {
  switch (link) {
  case TensorLink::copy:
    return "stroke-width=\"3\" stroke-dasharray=\"7 4\"";
  case TensorLink::newBuffer:
  case TensorLink::nothing:
    return "stroke-width=\"2\" stroke-dasharray=\"2 4\"";
  default:
    return "stroke-width=\"3\"";
  }
}

} // namespace memreflens::graph
