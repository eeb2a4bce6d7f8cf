//===- core/graph/tensors/TensorPainting.cpp ------------------------------===//
//
// Lines first, then chips and words above them.
//
//===----------------------------------------------------------------------===//

#include "core/graph/tensors/TensorPainting.h"
#include "core/graph/tensors/TensorPen.h"
#include "core/text/Escape.h"

#include <algorithm>

namespace memreflens::graph {

namespace {

class TensorDrawing : TensorPlaces, TensorPen {
public:
  TensorDrawing(const TensorFlow &flow, ThemeName name)
      : TensorPlaces(flow), TensorPen(name) {}

  TensorPainting draw() {
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
    drawLegend(flow, bottom, width, *this);
    return std::move(painting);
  }

private:
  void begin() {
    painting.width = width;
    painting.legendTop = bottom;
    painting.height = bottom + legendHeight(flow, width);
    painting.title = "Tensors of " + flow.title + " and their buffers";
    text(margin, 24, visibleText(flow.title), theme.text, 14, /*isBold=*/true);
    text(margin, 44, flow.headline, theme.dimText);
    if (!flow.note.empty())
      text(margin, 60, flow.note, theme.dimText);
  }

  void drawFrame(const TensorFrame &frame) {
    const int top = places[frame.first].top + 1,
              low = places[frame.last].top + places[frame.last].height - 4;
    const int left = labelLeft - 8 + frame.depth * indent,
              right = lanesRight + (deepest - frame.depth) * frameGap;
    open({.part = TensorPart::frame,
          .op = frame.op,
          .tooltip = flow.rows[frame.first].tooltip});
    rect(left, top, right - left, low - top, theme.clusterFill,
         theme.clusterLine, 5);
    close();
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
    path(TensorSteps(from, places[index].middle).across(x(last)),
         theme.clusterLine, {.width = 1});
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
    open({.part = TensorPart::lane,
          .value = lane.value,
          .buffers = lane.buffers});
    laneLine(x(lane.column), laneTop(lane), places[lane.last].middle,
             lane.buffers, 2);
    if (flow.rows[lane.first].kind == TensorRowKind::folded)
      dot(x(lane.column), places[lane.first].middle,
          colorOf(lane.buffers).line);
    close();
  }

  //===--- Rows ---===//

  void drawRow(size_t index) {
    const TensorRow &row = flow.rows[index];
    const TensorRowPlace &place = places[index];
    open({.part = TensorPart::row,
          .op = row.op,
          .place = row.place,
          .tooltip = row.tooltip});
    if (!row.place.empty())
      text(margin, place.middle + 4, row.place, theme.dimText, 10);
    text(labelLeft + row.depth * indent, place.middle + 4, row.label,
         row.kind == TensorRowKind::op ? theme.text : theme.dimText, 0,
         row.opensFrame);
    drawWords(row, place);
    for (const TensorChip &chip : row.chips)
      drawChip(chip, place.middle);
    close();
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
      close();
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
    open({.part = TensorPart::use,
          .op = use.op,
          .value = use.value,
          .operand = use.operand,
          .link = use.link,
          .placement = use.placement,
          .tooltip = use.sentence});
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
    close();
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
    const TensorLine style = styleOf(use.link);
    if (use.toColumn == use.column) {
      // The op needs a copy of what would else be its own buffer.
      const int low = places[index].middle - (chip ? chipHeight / 2 : 0);
      path(TensorSteps(from, y)
               .line(from + 12, y + 6)
               .down(low - 8)
               .line(from + 5, low),
           color.line, style);
      linkLabel(use, from + 16, y + 2);
      return;
    }
    if (use.toColumn < 0) {
      path(TensorSteps(from, y).across(from + 30), color.line, style);
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
      path(TensorSteps(to - side * 6, y).line(to, y + 6).down(low - 5),
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
                  const Accent &color, TensorLine style) {
    if (use.link != TensorLink::mayBe)
      return path(TensorSteps(from, y).across(to), color.line, style);
    // Hatched: short strokes across the line.
    const auto [low, high] = std::minmax(from, to);
    TensorSteps stripes;
    for (int at = low + 6; at + 5 < high; at += 6)
      stripes.move(at, y + 4).line(at + 5, y - 4);
    path(stripes, color.line, {.width = 2});
  }

  void linkLabel(const TensorUse &use, int left, int base) {
    if (use.label.empty())
      return;
    text(left, base, use.label, theme.text, 10, /*isBold=*/true);
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
    open({.part = TensorPart::chip,
          .value = chip.value,
          .buffers = chip.buffers,
          .tooltip = visibleText(chip.tooltip)});
    if (chip.isRinged) {
      rect(left - 4, top - 4, wide + 8, chipHeight + 8, theme.ground,
           theme.reason.line, 7, 2);
      painting.strokes.back().isRing = true;
    }
    rect(left, top, wide, chipHeight, color.fill, color.line, 4, 2);
    if (chip.buffers.size() > 1)
      hatch(chip, left, top, wide);
    text(left + padOf(chip), middle + 4, chip.name, color.text);
    close();
    if (chip.memref == none)
      return;
    open({.part = TensorPart::allocation, .value = chip.memref});
    text(x(chip.column) + 8, top + chipHeight + 11, chip.allocation,
         theme.dimText, 9);
    close();
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
    open({.part = TensorPart::reason,
          .op = arrow.op,
          .tooltip = visibleText(arrow.sentence)});
    const std::string_view color = theme.reason.line;
    path(TensorSteps(start, from)
             .across(way + 4)
             .line(way, from + (to > from ? 4 : -4))
             .down(to - (to > from ? 4 : -4))
             .line(way + 4, to)
             .across(end - 7),
         color, {.width = 2});
    arrowhead(end, to, 1, 0, color);
    close();
  }
};

} // namespace

TensorPainting paintTensors(const TensorFlow &flow, ThemeName theme) {
  return TensorDrawing(flow, theme).draw();
}

} // namespace memreflens::graph
