//===- core/graph/DotLabels.cpp - labels as Graphviz's HTML-like tables ---===//
//
// Sizes that are fixed here are fixed because Graphviz would stretch chips to
// the width of their node.
//
//===----------------------------------------------------------------------===//

#include "core/graph/DotLabels.h"

#include "core/text/Escape.h"

#include <algorithm>

namespace memreflens::graph {

namespace {
/// Characters of chips on one line of a row.
constexpr size_t chipLine = 64;
/// Points that a row's label takes.
constexpr size_t labelWidth = 62;

std::string attribute(std::string_view name, std::string_view value) {
  return " " + std::string(name) + "=\"" + std::string(value) + "\"";
}

/// A value that Graphviz substitutes escapes such as \N in.
std::string doubledBackslashes(std::string text) {
  std::string out;
  for (char c : text)
    out += c == '\\' ? std::string("\\\\") : std::string(1, c);
  return out;
}

} // namespace

std::string escapedLabel(std::string_view text) { return escapedXml(text); }

std::string escapedAttribute(std::string_view text) {
  return doubledBackslashes(escapedLabel(text));
}

std::string DotLabels::font(std::string_view text, std::string_view face,
                            int size, std::string_view color, bool bold) const {
  std::string inner = escapedLabel(text);
  if (bold)
    inner = "<B>" + inner + "</B>";
  return "<FONT" + attribute("FACE", face) +
         attribute("POINT-SIZE", std::to_string(size)) +
         attribute("COLOR", color) + ">" + inner + "</FONT>";
}

bool DotLabels::isHighlighted(const Chip &chip) const {
  return options.highlight != none && chip.value == options.highlight;
}
/// Whether a line names the value: `%a`, not `%ab`.
bool DotLabels::namesHighlight(std::string_view text) const {
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

std::string DotLabels::chipCell(const Chip &chip, const std::string &id) const {
  const Accent &accent = theme.of(chip.meaning);
  bool strong = isHighlighted(chip);
  bool dim = chip.faded || (options.highlight != none && !strong);
  std::string cell =
      "<TD" + attribute("ID", id) + attribute("HREF", "#" + id) +
      attribute("TITLE", escapedAttribute(chip.tooltip.empty() ? chip.text
                                                               : chip.tooltip));
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

std::string DotLabels::chipId(const Chip &chip) {
  std::string id = "c." + std::string(graph::classOf(chip.meaning)) + "." +
                   std::to_string(chips++) + ".v" + std::to_string(chip.value) +
                   ".e" + std::to_string(chip.event);
  return id;
}

/// Chips side by side. The size is fixed, since Graphviz would stretch the
/// chips to the width of the node.
std::string DotLabels::chipStrip(const std::vector<std::string> &cells,
                                 size_t characters,
                                 const std::string &label) const {
  size_t chipsWidth = characters * 61 / 10 + cells.size() * 15 + 2;
  if (!label.empty())
    chipsWidth += labelWidth + 6;
  std::string strip = "<TABLE BORDER=\"0\" CELLBORDER=\"0\" CELLSPACING=\"3\" "
                      "CELLPADDING=\"2\" FIXEDSIZE=\"TRUE\" ALIGN=\"LEFT\"" +
                      attribute("WIDTH", std::to_string(chipsWidth)) +
                      attribute("HEIGHT", "23") + "><TR>" + label;
  for (const std::string &cell : cells)
    strip += cell;
  return strip + "</TR></TABLE>";
}

/// Chips on as many lines as they need.
std::string DotLabels::chipTable(const std::vector<Chip> &list,
                                 std::string label) {
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
    size_t need = textWidth(chip.text);
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

std::string DotLabels::labelCell(std::string_view text) const {
  return "<TD ALIGN=\"RIGHT\" FIXEDSIZE=\"TRUE\"" +
         attribute("WIDTH", std::to_string(labelWidth)) +
         attribute("HEIGHT", "15") + ">" +
         (text.empty() ? "" : font(text, textFace, 9, theme.dimText)) + "</TD>";
}

std::string DotLabels::rowOf(const Row &row) {
  return "<TR><TD ALIGN=\"LEFT\" CELLPADDING=\"0\">" +
         chipTable(row.chips, labelCell(row.label)) + "</TD></TR>";
}

std::string DotLabels::lineRow(const Line &line) {
  const Accent &accent = theme.of(line.accent);
  bool strong = namesHighlight(line.text);
  bool dim = options.highlight != none && !strong;
  std::string cell = "<TR><TD ALIGN=\"LEFT\" CELLPADDING=\"3\"";
  // Graphviz groups what belongs to a cell only if the cell is a link.
  std::string id =
      "l." + std::to_string(lines++) + ".o" + std::to_string(line.op);
  cell +=
      attribute("ID", id) + attribute("HREF", "#" + id) +
      attribute("TITLE", escapedAttribute(line.tooltip.empty() ? line.text
                                                               : line.tooltip));
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
  cell += ">" + font(text, monoFace, 10, color, strong);
  if (!line.counts.empty())
    cell += font("\u00a0\u00a0" + line.counts, textFace, 9,
                 line.isFaulty ? theme.of(Meaning::freed).text : theme.dimText,
                 /*bold=*/line.isFaulty);
  return cell + "</TD></TR>";
}

std::string_view DotLabels::markFill(const Line &line) const {
  if (line.mark == '+')
    return theme.of(Meaning::owned).fill;
  if (line.mark == '-')
    return theme.of(Meaning::ownedIf).fill;
  return theme.of(line.accent).fill;
}

std::string DotLabels::titleCell(const Node &node) const {
  bool isBlock = node.kind == NodeKind::block;
  bool goesOn =
      !node.top.empty() || !node.lines.empty() || !node.bottom.empty();
  std::string cell = "<TR><TD ALIGN=\"LEFT\" CELLPADDING=\"5\"";
  if (isBlock && goesOn)
    cell += attribute("BORDER", "1") + attribute("SIDES", "B") +
            attribute("COLOR", theme.clusterLine);
  if (!node.tooltip.empty()) {
    std::string id = "t." + node.key;
    cell += attribute("ID", escapedAttribute(id)) +
            attribute("HREF", escapedAttribute("#" + id)) +
            attribute("TITLE", escapedAttribute(node.tooltip));
  }
  cell +=
      ">" + font(node.title, isBlock ? monoFace : textFace,
                 node.kind == NodeKind::stub ? 9 : 11,
                 node.reachable && node.kind != NodeKind::stub ? theme.text
                                                               : theme.dimText,
                 /*bold=*/isBlock);
  if (!node.note.empty())
    cell += font("\u00a0\u00a0" + node.note, textFace, 9, theme.dimText);
  return cell + "</TD></TR>";
}

std::string DotLabels::ofNode(const Node &node) {
  bool isSolid = node.reachable && node.kind != NodeKind::stub;
  std::string table =
      "<TABLE BORDER=\"1\" CELLBORDER=\"0\" CELLSPACING=\"0\" "
      "CELLPADDING=\"3\"" +
      attribute("STYLE", isSolid ? "ROUNDED" : "ROUNDED,DASHED") +
      attribute("COLOR", isSolid ? theme.line : theme.clusterLine) +
      attribute("BGCOLOR", node.reachable ? theme.node : theme.title) + ">" +
      titleCell(node);
  for (const Row &row : node.top)
    table += rowOf(row);
  for (const Line &line : node.lines)
    table += lineRow(line);
  for (const Row &row : node.bottom)
    table += rowOf(row);
  return table + "</TABLE>";
}

std::string DotLabels::ofCluster(const Cluster &cluster) const {
  return font(cluster.title, monoFace, 10, theme.dimText);
}

std::string DotLabels::ofPicture() const {
  return "<TABLE BORDER=\"0\" CELLBORDER=\"0\" CELLSPACING=\"0\" "
         "CELLPADDING=\"2\"><TR><TD ALIGN=\"LEFT\">" +
         font(picture.title, monoFace, 14, theme.text, /*bold=*/true) +
         font("\u00a0\u00a0\u00a0" + picture.subtitle, textFace, 10,
              theme.dimText) +
         "</TD></TR>" + (options.legend ? legend() : "") + "</TABLE>";
}

std::string DotLabels::ofEdge(const Edge &edge) {
  if (edge.label.empty() && edge.chips.empty())
    return "";
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

std::string DotLabels::legend() const {
  std::vector<std::string> cells;
  size_t used = 0;
  for (Meaning meaning : meaningsIn(picture)) {
    const Accent &accent = theme.of(meaning);
    std::string text(signOf(meaning));
    text += (text.empty() ? "" : " ") + std::string(wordOf(meaning));
    used += textWidth(text);
    cells.push_back("<TD STYLE=\"ROUNDED\" BORDER=\"1\"" +
                    attribute("COLOR", accent.line) +
                    attribute("BGCOLOR", accent.fill) + ">" +
                    font(text, monoFace, 9, accent.text) + "</TD>");
  }
  if (cells.empty())
    return "";
  return "<TR><TD ALIGN=\"LEFT\">" + chipStrip(cells, used, "") + "</TD></TR>";
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
    return "deallocated";
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
