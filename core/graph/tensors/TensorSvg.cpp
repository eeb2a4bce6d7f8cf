//===- core/graph/tensors/TensorSvg.cpp -----------------------------------===//

#include "core/graph/tensors/TensorSvg.h"
#include "core/graph/tensors/TensorPainting.h"
#include "core/text/Escape.h"

namespace memreflens::graph {

std::string_view nameOf(TensorLink link) {
  switch (link) {
  case TensorLink::read:
    return "read";
  case TensorLink::write:
    return "write";
  case TensorLink::inPlace:
    return "in-place";
  case TensorLink::part:
    return "part";
  case TensorLink::mayBe:
    return "may-be";
  case TensorLink::copy:
    return "copy";
  case TensorLink::newBuffer:
    return "new-buffer";
  case TensorLink::nothing:
    return "nothing";
  }
  return "";
}

namespace {

std::string num(int64_t value) { return std::to_string(value); }

std::string quoted(std::string_view name, std::string_view value) {
  return " " + std::string(name) + "=\"" + std::string(value) + "\"";
}

std::string quoted(std::string_view name, int64_t value) {
  return quoted(name, num(value));
}

class TensorWriter {
public:
  std::string write(const TensorPainting &painting, std::string_view ground) {
    out = "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"tensors\" "
          "role=\"img\" viewBox=\"0 0 " +
          num(painting.width) + " " + num(painting.height) + "\"" +
          quoted("width", painting.width) + quoted("height", painting.height) +
          " font-family=\"&quot;DejaVu Sans Mono&quot;, Menlo, Consolas, "
          "monospace\"" +
          quoted("font-size", tensorTextSize) + ">\n";
    writeTitle(painting.title);
    out += "<rect class=\"ground\"" + quoted("width", painting.width) +
           quoted("height", painting.height) + quoted("fill", ground) + "/>\n";
    for (const TensorStroke &stroke : painting.strokes)
      writeStroke(painting, stroke);
    out += "</svg>\n";
    return std::move(out);
  }

private:
  /// A tooltip; nothing for no words.
  void writeTitle(std::string_view words) {
    if (!words.empty())
      out += "<title>" + escapedXml(words) + "</title>\n";
  }

  void writeStroke(const TensorPainting &painting, const TensorStroke &stroke) {
    switch (stroke.kind) {
    case TensorStrokeKind::open:
      writeOpen(painting.groups[size_t(stroke.group)]);
      return;
    case TensorStrokeKind::close:
      out += "</g>\n";
      return;
    case TensorStrokeKind::rect:
      writeRect(stroke);
      return;
    case TensorStrokeKind::path:
      writePath(stroke);
      return;
    case TensorStrokeKind::dot:
      out += "<circle" + quoted("cx", stroke.x) + quoted("cy", stroke.y) +
             quoted("r", tensorDotRadius) + quoted("fill", stroke.fill) +
             "/>\n";
      return;
    case TensorStrokeKind::text:
      writeText(stroke);
      return;
    }
  }

  static std::string_view placementName(const TensorGroup &group) {
    switch (group.placement) {
    case trace::TensorPlacement::inPlace:
      return "true";
    case trace::TensorPlacement::outOfPlace:
      return "false";
    case trace::TensorPlacement::undecided:
      break;
    }
    return "none";
  }

  void writeOpen(const TensorGroup &group) {
    out += "<g" + attributesOf(group) + ">\n";
    writeTitle(group.tooltip);
  }

  static std::string attributesOf(const TensorGroup &group) {
    auto named = [](std::string_view name) { return quoted("class", name); };
    switch (group.part) {
    case TensorPart::frame:
      return named("tensor-frame") + quoted("data-op", group.op);
    case TensorPart::lane:
      return named("tensor-lane") + quoted("data-buffer", group.value);
    case TensorPart::row:
      return named("tensor-row") +
             (group.op == none ? "" : quoted("data-op", group.op)) +
             (group.place.empty()
                  ? ""
                  : quoted("data-place", escapedXml(group.place)));
    case TensorPart::use:
      return named("tensor-use") + quoted("data-op", group.op) +
             quoted("data-operand", group.operand) +
             quoted("data-value", group.value) +
             quoted("data-link", nameOf(group.link)) +
             quoted("data-placement", placementName(group));
    case TensorPart::chip:
      return named("tensor-chip") + quoted("data-value", group.value) +
             quoted("data-buffers", buffersText(group));
    case TensorPart::allocation:
      return named("tensor-alloc") + quoted("data-value", group.value);
    case TensorPart::reason:
      return named("tensor-reason") + quoted("data-op", group.op);
    case TensorPart::legend:
      return named("tensor-legend");
    }
    return "";
  }

  static std::string buffersText(const TensorGroup &group) {
    std::string list;
    for (int number : group.buffers)
      list += (list.empty() ? "" : " ") + num(number);
    return list;
  }

  void writeRect(const TensorStroke &stroke) {
    out += "<rect" + quoted("x", stroke.x) + quoted("y", stroke.y) +
           quoted("width", stroke.wide) + quoted("height", stroke.high) +
           quoted("fill", stroke.fill) + quoted("stroke", stroke.line);
    if (stroke.isRing)
      out += quoted("class", "ring");
    if (stroke.radius)
      out += quoted("rx", stroke.radius);
    writeLine(stroke);
  }

  void writePath(const TensorStroke &stroke) {
    std::string steps;
    for (const TensorStep &step : stroke.steps) {
      steps += step.letter;
      if (step.letter == 'H')
        steps += num(step.x);
      else if (step.letter == 'V')
        steps += num(step.y);
      else if (step.letter != 'Z')
        steps += num(step.x) + "," + num(step.y);
    }
    out += "<path" + quoted("d", steps) +
           quoted("fill", stroke.fill.empty() ? "none" : stroke.fill) +
           quoted("stroke", stroke.line);
    writeLine(stroke);
  }

  void writeLine(const TensorStroke &stroke) {
    if (stroke.width)
      out += quoted("stroke-width", stroke.width);
    if (stroke.dash)
      out +=
          quoted("stroke-dasharray", num(stroke.dash) + " " + num(stroke.gap));
    if (stroke.dashOffset)
      out += quoted("stroke-dashoffset", stroke.dashOffset);
    out += "/>\n";
  }

  void writeText(const TensorStroke &stroke) {
    out += "<text" + quoted("x", stroke.x) + quoted("y", stroke.y) +
           quoted("fill", stroke.fill);
    if (stroke.size)
      out += quoted("font-size", stroke.size);
    if (stroke.isBold)
      out += quoted("font-weight", "bold");
    out += ">" + escapedXml(stroke.words) + "</text>\n";
  }

  std::string out;
};

} // namespace

std::string tensorSvg(const TensorFlow &flow, ThemeName theme) {
  return TensorWriter().write(paintTensors(flow, theme), themeOf(theme).ground);
}

} // namespace memreflens::graph
