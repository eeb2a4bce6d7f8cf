//===- core/graph/SvgPng.cpp ----------------------------------------------===//
//
// As the background of a graph without nodes, in Graphviz's own language of
// drawing (xdot), in which y goes up.
//
//===----------------------------------------------------------------------===//

#include "core/graph/SvgPng.h"
#include "core/graph/Graphviz.h"

#include <charconv>
#include <cmath>
#include <vector>

namespace memreflens::graph {

namespace {
/// `<rect x="1">words`: a tag, and the text up to the next one.
struct Tag {
  std::string_view name, attributes, text;

  std::string_view get(std::string_view key) const {
    const std::string wanted = " " + std::string(key) + "=\"";
    const size_t at = attributes.find(wanted);
    if (at == attributes.npos)
      return {};
    std::string_view value = attributes.substr(at + wanted.size());
    return value.substr(0, value.find('"'));
  }
  double number(std::string_view key, double otherwise = 0) const {
    const std::string_view text = get(key);
    double value = otherwise;
    std::from_chars(text.data(), text.data() + text.size(), value);
    return value;
  }
};

struct Point {
  double x = 0, y = 0;
};

class Drawer {
public:
  explicit Drawer(std::string_view svg) : rest(svg) {}
  std::string dot();

private:
  bool next(Tag &tag);
  void draw(const Tag &tag);
  void rect(const Tag &tag);
  void path(const Tag &tag);
  void circle(const Tag &tag);
  void text(const Tag &tag);
  void shape(const Tag &tag, const std::vector<Point> &points, bool isClosed);
  bool setColor(char op, std::string_view color, double opacity);
  void points(char op, const std::vector<Point> &points);
  /// "5 -words", as xdot counts them.
  void string(std::string_view text);
  void number(double value);

  std::string_view rest;
  double width = 0, fontSize = 11;
  /// Of the whole document, and up to the top of the picture in it that is
  /// drawn: y goes up in DOT.
  double wholeHeight = 0, height = 0;
  /// Within what is defined, and not drawn.
  bool isDefinition = false;
  std::string out;
};
} // namespace

bool Drawer::next(Tag &tag) {
  const size_t begin = rest.find('<');
  if (begin == rest.npos)
    return false;
  rest.remove_prefix(begin + 1);
  const size_t end = std::min(rest.find('>'), rest.size());
  std::string_view inside = rest.substr(0, end);
  const size_t space = std::min(inside.find_first_of(" /", 1), inside.size());
  tag.name = inside.substr(0, space);
  tag.attributes = inside.substr(space);
  rest.remove_prefix(std::min(end + 1, rest.size()));
  tag.text = rest.substr(0, rest.find('<'));
  return true;
}

void Drawer::number(double value) {
  char buffer[32];
  auto [end, error] = std::to_chars(buffer, buffer + sizeof buffer, value,
                                    std::chars_format::fixed, 1);
  out.append(buffer, end);
  out += ' ';
}

void Drawer::string(std::string_view text) {
  out += std::to_string(text.size()) + " -" + std::string(text) + ' ';
}

/// False for what is not drawn.
bool Drawer::setColor(char op, std::string_view color, double opacity) {
  if (!color.starts_with('#') || color.size() != 7)
    return false;
  static constexpr char digits[] = "0123456789abcdef";
  const auto alpha = unsigned(std::lround(opacity * 255));
  std::string whole(color);
  whole += {digits[alpha / 16 % 16], digits[alpha % 16]};
  out += op;
  out += ' ';
  string(whole);
  return true;
}

void Drawer::points(char op, const std::vector<Point> &points) {
  out += op;
  out += ' ' + std::to_string(points.size()) + ' ';
  for (const Point &point : points) {
    number(point.x);
    number(height - point.y);
  }
}

void Drawer::shape(const Tag &tag, const std::vector<Point> &corners,
                   bool isClosed) {
  if (corners.size() > 2 &&
      setColor('C', tag.get("fill"), tag.number("fill-opacity", 1))) {
    // The frame of a filled one has the same colour.
    setColor('c', tag.get("fill"), tag.number("fill-opacity", 1));
    out += "S 15 -setlinewidth(0) ";
    points('P', corners);
  }
  if (!setColor('c', tag.get("stroke"), tag.number("stroke-opacity", 1)))
    return;
  const std::string_view dashes = tag.get("stroke-dasharray");
  out += "S ";
  string(dashes.empty()             ? "solid"
         : dashes.starts_with("1 ") ? "dotted"
                                    : "dashed");
  out += "S ";
  const std::string_view wide = tag.get("stroke-width");
  string("setlinewidth(" + std::string(wide.empty() ? "1" : wide) + ")");
  points(isClosed ? 'p' : 'L', corners);
}

void Drawer::rect(const Tag &tag) {
  const double x = tag.number("x"), y = tag.number("y");
  const double right = x + tag.number("width"), low = y + tag.number("height");
  shape(tag, {{x, y}, {right, y}, {right, low}, {x, low}}, /*isClosed=*/true);
}

/// Of straight lines: M, L, H, V, h, v and Z.
void Drawer::path(const Tag &tag) {
  std::string_view steps = tag.get("d");
  std::vector<Point> corners;
  Point at;
  auto take = [&] {
    double value = 0;
    while (steps.starts_with(',') || steps.starts_with(' '))
      steps.remove_prefix(1);
    auto [end, error] =
        std::from_chars(steps.data(), steps.data() + steps.size(), value);
    steps.remove_prefix(size_t(end - steps.data()));
    return value;
  };
  auto finish = [&](bool isClosed) {
    if (corners.size() > 1)
      shape(tag, corners, isClosed);
    corners.clear();
  };
  while (!steps.empty()) {
    const char op = steps.front();
    steps.remove_prefix(1);
    switch (op) {
    case 'M':
      finish(false);
      at.x = take();
      at.y = take();
      break;
    case 'L':
      at.x = take();
      at.y = take();
      break;
    case 'H':
      at.x = take();
      break;
    case 'h':
      at.x += take();
      break;
    case 'V':
      at.y = take();
      break;
    case 'v':
      at.y += take();
      break;
    case 'Z':
      finish(true);
      continue;
    default:
      continue;
    }
    corners.push_back(at);
  }
  finish(false);
}

void Drawer::circle(const Tag &tag) {
  if (!setColor('C', tag.get("fill"), 1) || !setColor('c', tag.get("fill"), 1))
    return;
  // Its frame is not that of what was drawn before.
  out += "S 5 -solid S 15 -setlinewidth(0) E ";
  number(tag.number("cx"));
  number(height - tag.number("cy"));
  number(tag.number("r"));
  number(tag.number("r"));
}

/// As it is shown: without XML's escapes.
static std::string plain(std::string_view text) {
  static constexpr std::pair<std::string_view, std::string_view> escapes[] = {
      {"&lt;", "<"},  {"&gt;", ">"},   {"&quot;", "\""},
      {"&#39;", "'"}, {"&apos;", "'"}, {"&amp;", "&"}};
  std::string shown;
  while (!text.empty()) {
    bool isEscape = false;
    for (const auto &[escape, letter] : escapes)
      if (text.starts_with(escape)) {
        shown += letter;
        text.remove_prefix(escape.size());
        isEscape = true;
        break;
      }
    if (isEscape)
      continue;
    // A backslash means something to DOT; this one looks like it.
    shown += text.front() == '\\' ? "\u2216" : std::string(1, text.front());
    text.remove_prefix(1);
  }
  return shown;
}

void Drawer::text(const Tag &tag) {
  // Graphviz draws nothing behind a text of no letters.
  if (tag.text.empty() || !setColor('c', tag.get("fill"), 1))
    return;
  const double size = tag.number("font-size", fontSize);
  out += "F ";
  number(size);
  string("DejaVu Sans Mono");
  // 1: bold.
  out += tag.get("font-weight") == "bold" ? "t 1 " : "t 0 ";
  const std::string words = plain(tag.text);
  const std::string_view anchor = tag.get("text-anchor");
  out += "T ";
  number(tag.number("x"));
  number(height - tag.number("y"));
  out += anchor == "end" ? "1 " : anchor == "middle" ? "0 " : "-1 ";
  // Wide as the font is.
  number(0.602 * size * double(words.size()));
  string(words);
}

void Drawer::draw(const Tag &tag) {
  if (tag.name == "svg") {
    // One in another one is placed by its y.
    if (wholeHeight == 0) {
      width = tag.number("width");
      wholeHeight = tag.number("height");
    }
    height = wholeHeight - tag.number("y");
    fontSize = tag.number("font-size", fontSize);
  } else if (tag.name == "defs" || tag.name == "/defs") {
    isDefinition = tag.name == "defs";
  } else if (isDefinition) {
    return;
  } else if (tag.name == "rect") {
    rect(tag);
  } else if (tag.name == "path") {
    path(tag);
  } else if (tag.name == "circle") {
    circle(tag);
  } else if (tag.name == "text") {
    text(tag);
  } else if (tag.name == "line") {
    shape(tag,
          {{tag.number("x1"), tag.number("y1")},
           {tag.number("x2"), tag.number("y2")}},
          /*isClosed=*/false);
  }
}

std::string Drawer::dot() {
  Tag tag;
  while (next(tag))
    draw(tag);
  std::string quoted;
  for (char letter : out)
    quoted += letter == '"' ? std::string("\\\"") : std::string(1, letter);
  auto corner = [](const char *name, double x, double y) {
    return std::string(name) + " [pos=\"" + std::to_string(std::lround(x)) +
           "," + std::to_string(std::lround(y)) +
           "\", shape=point, style=invis, width=0, height=0, label=\"\"];\n";
  };
  return "digraph {\ngraph [pad=0, margin=0, bgcolor=transparent, "
         "_background=\"" +
         quoted + "\"];\n" + corner("a", 0, 0) +
         corner("b", width, wholeHeight) + "}\n";
}

Image pngOf(const std::string &svg) {
  const std::string dot = Drawer(svg).dot();
  Rendering made = render({dot, "nop2", "png:cairo"});
  return {std::move(made.bytes), std::move(made.error), std::move(made.note)};
}

} // namespace memreflens::graph
