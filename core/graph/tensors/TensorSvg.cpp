//===- core/graph/tensors/TensorSvg.cpp -----------------------------------===//
//
// Lines first, then chips and words above them.
//
//===----------------------------------------------------------------------===//

#include "core/graph/tensors/TensorSvg.h"
#include "core/graph/tensors/TensorPen.h"
#include "core/text/Escape.h"

#include <algorithm>

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

class TensorDrawing : TensorPlaces, TensorPen {
public:
  TensorDrawing(const TensorFlow &flow, ThemeName name)
      : TensorPlaces(flow), TensorPen(name) {}

  std::string draw() {
    begin();
    for (const TensorFrame &frame : flow.frames)
      drawFrame(frame);
    for (size_t i = 0; i < flow.rows.size(); ++i)
      drawRule(i);
    for (const TensorLane &lane : flow.lanes)
      drawLane(lane);
    for (size_t i = 0; i < flow.rows.size(); ++i)
      drawUses(i);
    for (size_t i = 0; i < flow.rows.size(); ++i)
      drawRow(i);
    for (size_t i = 0; i < flow.arrows.size(); ++i)
      drawArrow(flow.arrows[i], channels[i]);
    drawLegend(*this, *this);
    out += "</svg>\n";
    return std::move(out);
  }

private:
  void begin() {
    const int height = bottom + legendHeight(*this);
    out = "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"tensors\" "
          "role=\"img\" viewBox=\"0 0 " +
          num(width) + " " + num(height) + "\" width=\"" + num(width) +
          "\" height=\"" + num(height) +
          "\" font-family=\"&quot;DejaVu Sans Mono&quot;, Menlo, Consolas, "
          "monospace\" font-size=\"11\">\n";
    title("Tensors of " + flow.title + " and their buffers");
    out += "<rect class=\"ground\" width=\"" + num(width) + "\" height=\"" +
           num(height) + "\" fill=\"" + std::string(theme.ground) + "\"/>\n";
    text(margin, 24, visibleText(flow.title), theme.text,
         "font-size=\"14\" font-weight=\"bold\"");
    text(margin, 44, flow.headline, theme.dimText);
    if (!flow.note.empty())
      text(margin, 60, flow.note, theme.dimText);
  }

  void drawFrame(const TensorFrame &frame) {
    const int top = places[frame.first].top + 1,
              low = places[frame.last].top + places[frame.last].height - 4;
    const int left = labelLeft - 8 + frame.depth * indent,
              right = lanesRight + (deepest - frame.depth) * frameGap;
    out += "<g class=\"tensor-frame\" data-op=\"" + num(frame.op) + "\">\n";
    title(flow.rows[frame.first].tooltip);
    rect(left, top, right - left, low - top, theme.clusterFill,
         theme.clusterLine, "rx=\"5\"");
    out += "</g>\n";
  }

  /// The line of a row, from its label to the last column that it has.
  void drawRule(size_t index) {
    const TensorRow &row = flow.rows[index];
    int last = -1;
    for (const TensorChip &chip : row.chips)
      last = std::max(last, chip.column);
    for (const TensorUse &use : row.uses)
      if (!crosses(use))
        last = std::max(last, use.column);
    if (last < 0)
      return;
    const int from = labelLeft + row.depth * indent + widthOf(row.label) + 6;
    path(move(from, places[index].middle) + "H" + num(x(last)),
         theme.clusterLine, "stroke-width=\"1\"");
  }

  //===--- Columns ---===//

  /// Where the lane begins in its first row, and ends in its last one.
  int laneTop(const TensorLane &lane) const {
    const TensorRow &row = flow.rows[lane.first];
    if (chipAt(row, lane.column))
      return places[lane.first].middle;
    int at = 0;
    for (const TensorUse &use : row.uses) {
      if (!crosses(use))
        continue;
      if (use.column == lane.column || use.toColumn == lane.column)
        return linkY(lane.first, at);
      ++at;
    }
    return places[lane.first].middle;
  }

  void drawLane(const TensorLane &lane) {
    out +=
        "<g class=\"tensor-lane\" data-buffer=\"" + num(lane.value) + "\">\n";
    laneLine(x(lane.column), laneTop(lane), places[lane.last].middle,
             lane.buffers, 2);
    if (flow.rows[lane.first].kind == TensorRowKind::folded)
      dot(x(lane.column), places[lane.first].middle,
          colorOf(lane.buffers).line);
    out += "</g>\n";
  }

  //===--- Rows ---===//

  void drawRow(size_t index) {
    const TensorRow &row = flow.rows[index];
    const TensorRowPlace &place = places[index];
    out += "<g class=\"tensor-row\"";
    if (row.op != none)
      out += " data-op=\"" + num(row.op) + "\"";
    if (!row.place.empty())
      out += " data-place=\"" + escapedXml(row.place) + "\"";
    out += ">\n";
    title(row.tooltip);
    if (!row.place.empty())
      text(margin, place.middle + 4, row.place, theme.dimText,
           "font-size=\"10\"");
    text(labelLeft + row.depth * indent, place.middle + 4, row.label,
         row.kind == TensorRowKind::op ? theme.text : theme.dimText,
         row.opensFrame ? "font-weight=\"bold\"" : "");
    drawWords(row, place);
    for (const TensorChip &chip : row.chips)
      drawChip(chip, place.middle);
    out += "</g>\n";
  }

  /// Below all chips.
  void drawUses(size_t index) {
    int number = 0;
    for (const TensorUse &use : flow.rows[index].uses)
      drawUse(index, use, crosses(use) ? number++ : 0);
  }

  void drawWords(const TensorRow &row, const TensorRowPlace &place) {
    int base = place.middle + 4;
    int left = wordsLeft;
    for (const TensorUse &use : row.uses) {
      if (!use.isBeside)
        continue;
      const std::string word = besideWord(use);
      beginUse(use);
      text(left, base, word, theme.dimText);
      out += "</g>\n";
      left += widthOf(word) + 10;
    }
    base += left > wordsLeft ? sentenceHeight : 0;
    for (const std::string &sentence : sentencesOf(row)) {
      text(wordsLeft, base, sentence,
           row.isCostly ? theme.text : theme.dimText);
      base += sentenceHeight;
    }
  }

  void beginUse(const TensorUse &use) {
    out += "<g class=\"tensor-use\" data-op=\"" + num(use.op) +
           "\" data-operand=\"" + num(use.operand) + "\" data-value=\"" +
           num(use.value) + "\" data-link=\"" + std::string(nameOf(use.link)) +
           "\" data-placement=\"" + std::string(placementName(use)) + "\">\n";
    title(use.sentence);
  }

  static std::string_view placementName(const TensorUse &use) {
    switch (use.placement) {
    case trace::TensorPlacement::inPlace:
      return "true";
    case trace::TensorPlacement::outOfPlace:
      return "false";
    case trace::TensorPlacement::undecided:
      break;
    }
    return "none";
  }

  const TensorLane *laneAt(int column, size_t row) const {
    for (const TensorLane &lane : flow.lanes)
      if (lane.column == column && lane.first <= row && row <= lane.last)
        return &lane;
    return nullptr;
  }

  const TensorChip *chipAt(const TensorRow &row, int column) const {
    for (const TensorChip &chip : row.chips)
      if (chip.column == column)
        return &chip;
    return nullptr;
  }

  void drawUse(size_t index, const TensorUse &use, int number) {
    const TensorRow &row = flow.rows[index];
    if (use.isBeside || use.column < 0)
      return;
    beginUse(use);
    const TensorLane *lane = laneAt(use.column, index);
    const std::vector<int> buffers = lane ? lane->buffers : std::vector<int>();
    const int middle = places[index].middle;
    if (crosses(use)) {
      drawLink(index, use, linkY(index, number), buffers);
    } else if (use.link == TensorLink::inPlace) {
      drawInPlace(index, use, buffers);
    } else {
      const TensorChip *chip = chipAt(row, use.column);
      const int at = x(use.column) - (chip ? chipWidth(*chip) / 2 + 7 : 0);
      if (use.link == TensorLink::write)
        rect(at - 4, middle - 4, 8, 8, colorOf(buffers).line,
             colorOf(buffers).line);
      else
        dot(at, middle, colorOf(buffers).line);
    }
    out += "</g>\n";
  }

  /// From where the operand is defined, in its column.
  void drawInPlace(size_t index, const TensorUse &use,
                   const std::vector<int> &buffers) {
    size_t from = index;
    for (size_t i = 0; i < index; ++i)
      for (const TensorChip &chip : flow.rows[i].chips)
        if (chip.value == use.value)
          from = i;
    const int at = x(use.column);
    laneLine(at, places[from].middle, places[index].middle, buffers, 6);
    if (!chipAt(flow.rows[index], use.column))
      dot(at, places[index].middle, colorOf(buffers).line);
  }

  /// Across to the column of the tensor that comes of it.
  void drawLink(size_t index, const TensorUse &use, int y,
                const std::vector<int> &buffers) {
    const TensorRow &row = flow.rows[index];
    const int from = x(use.column);
    dot(from, y, colorOf(buffers).line);
    const TensorChip *chip = chipAt(row, use.toColumn);
    const TensorLane *target =
        use.toColumn < 0 ? nullptr : laneAt(use.toColumn, index);
    const bool isOfSource = !target || use.link == TensorLink::mayBe ||
                            use.link == TensorLink::part;
    const Accent &color = use.made >= 0 ? theme.ofBuffer(use.made)
                          : isOfSource  ? colorOf(buffers)
                                        : colorOf(target->buffers);
    const std::string style = styleOf(use.link);
    if (use.toColumn == use.column) {
      // The op needs a copy of what would else be its own buffer.
      const int low = places[index].middle - (chip ? chipHeight / 2 : 0);
      path(move(from, y) + line(from + 12, y + 6) + "V" + num(low - 8) +
               line(from + 5, low),
           color.line, style);
      linkLabel(use, from + 16, y + 2);
      return;
    }
    if (use.toColumn < 0) {
      path(move(from, y) + "H" + num(from + 30), color.line, style);
      arrowhead(from + 36, y, 1, 0, color.line);
      linkLabel(use, from + 8, y - 5);
      return;
    }
    const int side = use.toColumn > use.column ? 1 : -1;
    const int to = x(use.toColumn), middle = places[index].middle;
    const bool isLast = y == middle;
    if (isLast && chip) {
      const int end = to - side * (chipWidth(*chip) / 2 + 1);
      acrossLine(from, end - side * 6, y, use, color, style);
      arrowhead(end, y, side, 0, color.line);
      linkLabelBetween(use, from, end, y);
      return;
    }
    if (chip) {
      const int low = middle - chipHeight / 2;
      acrossLine(from, to - side * 6, y, use, color, style);
      path(move(to - side * 6, y) + line(to, y + 6) + "V" + num(low - 5),
           color.line, style);
      arrowhead(to, low, 0, 1, color.line);
      linkLabelBetween(use, from, to, y);
      return;
    }
    acrossLine(from, to - side * 8, y, use, color, style);
    arrowhead(to - side * 2, y, side, 0, color.line);
    linkLabelBetween(use, from, to, y);
  }

  void acrossLine(int from, int to, int y, const TensorUse &use,
                  const Accent &color, const std::string &style) {
    if (use.link != TensorLink::mayBe)
      return path(move(from, y) + "H" + num(to), color.line, style);
    // Hatched: short strokes across the line.
    const auto [low, high] = std::minmax(from, to);
    std::string steps;
    for (int at = low + 6; at + 5 < high; at += 6)
      steps += move(at, y + 4) + line(at + 5, y - 4);
    path(steps, color.line, "stroke-width=\"2\"");
  }

  void linkLabel(const TensorUse &use, int left, int base) {
    if (use.label.empty())
      return;
    text(left, base, use.label, theme.text,
         "font-size=\"10\" font-weight=\"bold\"");
  }

  void linkLabelBetween(const TensorUse &use, int from, int to, int y) {
    const int side = to > from ? 1 : -1;
    const int wide = widthOf(use.label, 10);
    linkLabel(use, side > 0 ? from + 7 : from - 7 - wide, y - 6);
  }

  //===--- Chips ---===//

  void drawChip(const TensorChip &chip, int middle) {
    const int wide = chipWidth(chip), left = x(chip.column) - wide / 2,
              top = middle - chipHeight / 2;
    const Accent &color = colorOf(chip.buffers);
    out += "<g class=\"tensor-chip\" data-value=\"" + num(chip.value) +
           "\" data-buffers=\"" + buffersText(chip) + "\">\n";
    title(visibleText(chip.tooltip));
    if (chip.isRinged)
      rect(left - 4, top - 4, wide + 8, chipHeight + 8, theme.ground,
           theme.reason.line, "class=\"ring\" rx=\"7\" stroke-width=\"2\"");
    rect(left, top, wide, chipHeight, color.fill, color.line,
         "rx=\"4\" stroke-width=\"2\"");
    if (chip.buffers.size() > 1)
      hatch(chip, left, top, wide);
    text(left + padOf(chip), middle + 4, chip.name, color.text);
    out += "</g>\n";
    if (chip.memref == none)
      return;
    out +=
        "<g class=\"tensor-alloc\" data-value=\"" + num(chip.memref) + "\">\n";
    text(x(chip.column) + 8, top + chipHeight + 11, chip.allocation,
         theme.dimText, "font-size=\"9\"");
    out += "</g>\n";
  }

  static std::string buffersText(const TensorChip &chip) {
    std::string list;
    for (int number : chip.buffers)
      list += (list.empty() ? "" : " ") + num(number);
    return list;
  }

  //===--- Reasons ---===//

  /// Beside a link that goes straight along the row.
  int arrowY(size_t row) const {
    const TensorRow &known = flow.rows[row];
    const bool isTaken =
        std::ranges::any_of(known.uses, crosses) && !bendsAll(known);
    return places[row].middle + (isTaken ? 5 : 0);
  }

  void drawArrow(const TensorReasonArrow &arrow, size_t channel) {
    if (arrow.fromColumn < 0 || arrow.toColumn < 0)
      return;
    const int way = labelRight + 10 + int(channel) * 8;
    const bool isSameRow = arrow.fromRow == arrow.toRow;
    const int from = arrowY(arrow.fromRow) - (isSameRow ? 5 : 0),
              to = arrowY(arrow.toRow) + (isSameRow ? 5 : 0);
    const TensorChip *target = chipAt(flow.rows[arrow.toRow], arrow.toColumn);
    const TensorChip *source =
        chipAt(flow.rows[arrow.fromRow], arrow.fromColumn);
    const int start = x(arrow.fromColumn) -
                      (source ? chipWidth(*source) / 2 + 1 : 4),
              end =
                  x(arrow.toColumn) - (target ? chipWidth(*target) / 2 + 4 : 5);
    out += "<g class=\"tensor-reason\" data-op=\"" + num(arrow.op) + "\">\n";
    title(visibleText(arrow.sentence));
    const std::string_view color = theme.reason.line;
    path(move(start, from) + "H" + num(way + 4) +
             line(way, from + (to > from ? 4 : -4)) + "V" +
             num(to - (to > from ? 4 : -4)) + line(way + 4, to) + "H" +
             num(end - 7),
         color, "stroke-width=\"2\"");
    arrowhead(end, to, 1, 0, color);
    out += "</g>\n";
  }
};

} // namespace

std::string tensorSvg(const TensorFlow &flow, ThemeName theme) {
  return TensorDrawing(flow, theme).draw();
}

} // namespace memreflens::graph
