//===- core/graph/Dot.cpp - a picture as DOT ------------------------------===//
//
// Labels are Graphviz's HTML-like tables: a title, rows of chips, lines of IR.
// All text of the user's is escaped in one place (`html`).
//
//===----------------------------------------------------------------------===//

#include "core/graph/Dot.h"

#include <algorithm>

namespace memreflens::graph {

namespace {

constexpr std::string_view monoFace = "DejaVu Sans Mono";
constexpr std::string_view textFace = "DejaVu Sans";
/// Characters of chips on one line of a row.
constexpr size_t chipLine = 64;
/// Points that a row's label takes.
constexpr size_t labelWidth = 62;

std::string html(std::string_view text) {
  std::string out;
  for (char c : text) {
    if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '"')
      out += "&quot;";
    else if (c == '\n' || c == '\r' || c == '\t')
      out += ' ';
    else
      out += c;
  }
  return out;
}

size_t width(std::string_view text) {
  return size_t(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) >> 6) != 2;
  }));
}

std::string attribute(std::string_view name, std::string_view value) {
  return " " + std::string(name) + "=\"" + std::string(value) + "\"";
}

class DotWriter {
public:
  DotWriter(const Picture &picture, const DotOptions &options)
      : picture(picture), options(options), theme(themeOf(options.theme)) {}

  std::string write() {
    out = "digraph \"memref-lens\" {\n";
    writeDefaults();
    writeCluster(-1, "  ");
    for (const Edge &edge : picture.edges)
      writeEdge(edge);
    out += "}\n";
    return std::move(out);
  }

private:
  //===--- Text ---===//

  std::string font(std::string_view text, std::string_view face, int size,
                   std::string_view color, bool bold = false) const {
    std::string inner = html(text);
    if (bold)
      inner = "<B>" + inner + "</B>";
    return "<FONT" + attribute("FACE", face) +
           attribute("POINT-SIZE", std::to_string(size)) +
           attribute("COLOR", color) + ">" + inner + "</FONT>";
  }

  bool isHighlighted(const Chip &chip) const {
    return options.highlight != none && chip.value == options.highlight;
  }
  /// Whether a line names the value: `%a`, not `%ab`.
  bool namesHighlight(std::string_view text) const {
    if (options.highlightName.empty())
      return false;
    for (size_t at = text.find(options.highlightName);
         at != std::string_view::npos;
         at = text.find(options.highlightName, at + 1)) {
      size_t end = at + options.highlightName.size();
      char next = end < text.size() ? text[end] : ' ';
      bool goes = isalnum(static_cast<unsigned char>(next)) || next == '_' ||
                  next == '$' || next == '-';
      // A dot or hash may follow a name that ends there: `%a#1`.
      if (!goes && next != '.')
        return true;
    }
    return false;
  }

  //===--- Chips and rows ---===//

  std::string chipCell(const Chip &chip, const std::string &id) const {
    const Accent &accent = theme.of(chip.meaning);
    bool strong = isHighlighted(chip);
    bool dim = chip.faded || (options.highlight != none && !strong);
    std::string cell =
        "<TD" + attribute("ID", id) + attribute("HREF", "#" + id) +
        attribute("TITLE",
                  html(chip.tooltip.empty() ? chip.text : chip.tooltip));
    bool framed = chip.meaning != Meaning::plain;
    cell += attribute("STYLE", "ROUNDED") +
            attribute("BORDER", strong   ? "2"
                                : framed ? "1"
                                         : "0") +
            attribute("COLOR", accent.line);
    if (framed && !dim)
      cell += attribute("BGCOLOR", accent.fill);
    return cell + ">" +
           font(chip.text, monoFace, 10, dim ? theme.dimText : accent.text,
                strong) +
           "</TD>";
  }

  std::string chipId(const Chip &chip) {
    std::string id = "c." + std::string(graph::classOf(chip.meaning)) + "." +
                     std::to_string(chips++) + ".v" +
                     std::to_string(chip.value) + ".e" +
                     std::to_string(chip.event);
    return id;
  }

  /// Chips side by side. The size is fixed, since Graphviz would stretch the
  /// chips to the width of the node.
  std::string chipStrip(const std::vector<std::string> &cells,
                        size_t characters, const std::string &label) const {
    size_t chipsWidth = characters * 61 / 10 + cells.size() * 15 + 2;
    if (!label.empty())
      chipsWidth += labelWidth + 6;
    std::string strip =
        "<TABLE BORDER=\"0\" CELLBORDER=\"0\" CELLSPACING=\"3\" "
        "CELLPADDING=\"2\" FIXEDSIZE=\"TRUE\" ALIGN=\"LEFT\"" +
        attribute("WIDTH", std::to_string(chipsWidth)) +
        attribute("HEIGHT", "23") + "><TR>" + label;
    for (const std::string &cell : cells)
      strip += cell;
    return strip + "</TR></TABLE>";
  }

  /// Chips on as many lines as they need.
  std::string chipTable(const std::vector<Chip> &list, std::string label = "") {
    std::vector<std::string> cells, strips;
    size_t used = 0;
    auto flush = [&] {
      if (!cells.empty())
        strips.push_back(chipStrip(cells, used, label));
      if (!label.empty())
        label = labelCell("");
      cells.clear();
      used = 0;
    };
    for (const Chip &chip : list) {
      size_t need = width(chip.text);
      if (used + need + 2 * cells.size() > chipLine)
        flush();
      used += need;
      cells.push_back(chipCell(chip, chipId(chip)));
    }
    flush();
    if (strips.size() == 1)
      return strips[0];
    std::string table = "<TABLE BORDER=\"0\" CELLBORDER=\"0\" "
                        "CELLSPACING=\"0\" CELLPADDING=\"0\">";
    for (const std::string &strip : strips)
      table += "<TR><TD ALIGN=\"LEFT\">" + strip + "</TD></TR>";
    return table + "</TABLE>";
  }

  std::string labelCell(std::string_view text) const {
    return "<TD ALIGN=\"RIGHT\" FIXEDSIZE=\"TRUE\"" +
           attribute("WIDTH", std::to_string(labelWidth)) +
           attribute("HEIGHT", "15") + ">" +
           (text.empty() ? "" : font(text, textFace, 9, theme.dimText)) +
           "</TD>";
  }

  std::string rowOf(const Row &row) {
    return "<TR><TD ALIGN=\"LEFT\" CELLPADDING=\"0\">" +
           chipTable(row.chips, labelCell(row.label)) + "</TD></TR>";
  }

  std::string lineRow(const Line &line) const {
    const Accent &accent = theme.of(line.accent);
    bool strong = namesHighlight(line.text);
    bool dim = options.highlight != none && !strong;
    std::string cell = "<TR><TD ALIGN=\"LEFT\" CELLPADDING=\"3\"";
    if (!line.tooltip.empty())
      cell += attribute("TITLE", html(line.tooltip)) + attribute("HREF", "#");
    if (line.accent == Meaning::rejected || line.mark != ' ')
      cell += attribute("BGCOLOR", markFill(line));
    std::string text = line.mark == ' '
                           ? line.text
                           : std::string(1, line.mark) + " " + line.text;
    if (line.accent == Meaning::rejected)
      text = std::string(signOf(line.accent)) + " " + text;
    std::string_view color = dim                             ? theme.dimText
                             : line.accent == Meaning::plain ? theme.text
                                                             : accent.text;
    return cell + ">" + font(text, monoFace, 10, color, strong) + "</TD></TR>";
  }

  std::string_view markFill(const Line &line) const {
    if (line.mark == '+')
      return theme.of(Meaning::owned).fill;
    if (line.mark == '-')
      return theme.of(Meaning::ownedIf).fill;
    return theme.of(line.accent).fill;
  }

  //===--- Nodes ---===//

  std::string label(const Node &node) {
    bool isBlock = node.kind == NodeKind::block;
    std::string table =
        "<TABLE BORDER=\"1\" CELLBORDER=\"0\" CELLSPACING=\"0\" "
        "CELLPADDING=\"3\" STYLE=\"ROUNDED\"" +
        attribute("COLOR", theme.line) + attribute("BGCOLOR", theme.node) +
        "><TR><TD ALIGN=\"LEFT\" CELLPADDING=\"5\"";
    if (isBlock)
      table += attribute("BORDER", "1") + attribute("SIDES", "B") +
               attribute("COLOR", theme.clusterLine);
    if (!node.tooltip.empty())
      table += attribute("TITLE", html(node.tooltip)) + attribute("HREF", "#");
    table += ">" + font(node.title, isBlock ? monoFace : textFace, 11,
                        theme.text, /*bold=*/isBlock);
    if (!node.note.empty())
      table += font("  " + node.note, textFace, 9, theme.dimText);
    table += "</TD></TR>";
    for (const Row &row : node.top)
      table += rowOf(row);
    for (const Line &line : node.lines)
      table += lineRow(line);
    for (const Row &row : node.bottom)
      table += rowOf(row);
    return table + "</TABLE>";
  }

  static std::string_view classOf(NodeKind kind) {
    switch (kind) {
    case NodeKind::block:
      return "block";
    case NodeKind::entry:
      return "boundary entry";
    case NodeKind::result:
      return "boundary result";
    case NodeKind::stub:
      return "stub";
    case NodeKind::folded:
      return "folded";
    }
    return "";
  }

  void writeNode(const Node &node, const std::string &indent) {
    std::string kind(classOf(node.kind));
    if (!node.reachable)
      kind += " unreachable";
    out += indent + "\"" + node.key + "\" [id=\"" + node.key + "\" class=\"" +
           kind + "\" tooltip=\" \" label=<" + label(node) + ">];\n";
  }

  void writeCluster(int cluster, const std::string &indent) {
    for (const Node &node : picture.nodes)
      if (node.cluster == cluster)
        writeNode(node, indent);
    for (size_t i = 0; i < picture.clusters.size(); ++i) {
      const Cluster &inner = picture.clusters[i];
      if (inner.parent != cluster)
        continue;
      out += indent + "subgraph \"cluster_" + inner.key + "\" {\n";
      out +=
          indent + "  graph [id=\"" + inner.key +
          "\" class=\"region\" style=\"rounded,filled\" labeljust=l" +
          attribute("color", theme.clusterLine) +
          attribute("fillcolor", theme.clusterFill) +
          attribute("tooltip", quoted(inner.tooltip.empty() ? inner.title
                                                            : inner.tooltip)) +
          " label=<" + font(inner.title, monoFace, 10, theme.dimText) + ">];\n";
      writeCluster(int(i), indent + "  ");
      out += indent + "}\n";
    }
  }

  //===--- Edges ---===//

  static std::string_view classOf(EdgeKind kind) {
    switch (kind) {
    case EdgeKind::branch:
      return "branch";
    case EdgeKind::back:
      return "back";
    case EdgeKind::enter:
      return "enter";
    case EdgeKind::leave:
      return "leave";
    case EdgeKind::repeat:
      return "repeat";
    case EdgeKind::skip:
      return "skip";
    case EdgeKind::boundary:
      return "boundary";
    }
    return "";
  }

  static std::string quoted(std::string_view text) {
    std::string out;
    for (char c : html(text))
      out += c == '\\' ? std::string("\\\\") : std::string(1, c);
    return out;
  }

  /// One chip a line, below the edge's word.
  std::string edgeLabel(const Edge &edge) {
    std::string table = "<TABLE BORDER=\"0\" CELLBORDER=\"0\" CELLSPACING=\"0\""
                        " CELLPADDING=\"1\">";
    if (!edge.label.empty())
      table += "<TR><TD ALIGN=\"LEFT\">" +
               font(edge.label, textFace, 9, theme.dimText) + "</TD></TR>";
    for (const Chip &chip : edge.chips)
      table += "<TR><TD ALIGN=\"LEFT\" CELLPADDING=\"0\">" + chipTable({chip}) +
               "</TD></TR>";
    return table + "</TABLE>";
  }

  void writeEdge(const Edge &edge) {
    bool isLoop = edge.kind == EdgeKind::back || edge.kind == EdgeKind::repeat;
    bool isDim = edge.kind == EdgeKind::skip || edge.kind == EdgeKind::boundary;
    out += "  \"" + picture.nodes[size_t(edge.from)].key + "\" -> \"" +
           picture.nodes[size_t(edge.to)].key + "\" [id=\"" + edge.key +
           "\" class=\"" + std::string(classOf(edge.kind)) + "\"";
    if (isLoop)
      out += attribute("style", "bold") +
             attribute("color", theme.of(Meaning::unknown).line);
    else if (isDim)
      out += attribute("style", "dashed");
    if (!edge.tooltip.empty())
      out += attribute("tooltip", quoted(edge.tooltip));
    if (!edge.label.empty() || !edge.chips.empty())
      out += " label=<" + edgeLabel(edge) + ">";
    out += "];\n";
  }

  //===--- The whole ---===//

  std::string legend() const {
    std::vector<std::string> cells;
    size_t used = 0;
    for (Meaning meaning : meaningsIn(picture)) {
      const Accent &accent = theme.of(meaning);
      std::string text(signOf(meaning));
      text += (text.empty() ? "" : " ") + std::string(wordOf(meaning));
      used += width(text);
      cells.push_back("<TD STYLE=\"ROUNDED\" BORDER=\"1\"" +
                      attribute("COLOR", accent.line) +
                      attribute("BGCOLOR", accent.fill) + ">" +
                      font(text, monoFace, 9, accent.text) + "</TD>");
    }
    if (cells.empty())
      return "";
    return "<TR><TD ALIGN=\"LEFT\">" + chipStrip(cells, used, "") +
           "</TD></TR>";
  }

  void writeDefaults() {
    out += "  graph [id=\"picture\" bgcolor=\"" + std::string(theme.ground) +
           "\" rankdir=TB nodesep=0.35 ranksep=0.4 nslimit=4 nslimit1=4 "
           "mclimit=0.5 pad=0.2 labelloc=t labeljust=l tooltip=\" \" label=<"
           "<TABLE BORDER=\"0\" CELLBORDER=\"0\" CELLSPACING=\"0\" "
           "CELLPADDING=\"2\"><TR><TD ALIGN=\"LEFT\">" +
           font(picture.title, monoFace, 14, theme.text, /*bold=*/true) +
           font("   " + picture.subtitle, textFace, 10, theme.dimText) +
           "</TD></TR>" + (options.legend ? legend() : "") + "</TABLE>>];\n";
    out += "  node [shape=plain margin=0 fontname=\"" + std::string(monoFace) +
           "\" fontsize=10];\n";
    out += "  edge [fontname=\"" + std::string(monoFace) +
           "\" fontsize=10 arrowsize=0.7" + attribute("color", theme.line) +
           attribute("fontcolor", theme.text) + "];\n";
  }

  const Picture &picture;
  const DotOptions &options;
  const Theme &theme;
  std::string out;
  int chips = 0;
};

} // namespace

std::string toDot(const Picture &picture, const DotOptions &options) {
  return DotWriter(picture, options).write();
}

std::string_view classOf(Meaning meaning) {
  switch (meaning) {
  case Meaning::plain:
    return "plain";
  case Meaning::live:
    return "live";
  case Meaning::allocated:
    return "allocated";
  case Meaning::owned:
    return "owned";
  case Meaning::ownedIf:
    return "owned-if";
  case Meaning::borrowed:
    return "borrowed";
  case Meaning::unknown:
    return "unknown";
  case Meaning::candidate:
    return "candidate";
  case Meaning::freed:
    return "freed";
  case Meaning::retained:
    return "retained";
  case Meaning::cloned:
    return "cloned";
  case Meaning::indicator:
    return "indicator";
  case Meaning::rejected:
    return "rejected";
  }
  return "";
}

} // namespace memreflens::graph
