//===- core/graph/tensors/TensorSvg.cpp -----------------------------------===//
//
// Places first, then lines, then chips and words above them. Whole coordinates
// keep the text stable. Hatching is made of lines, which the bitmap has, too.
//
//===----------------------------------------------------------------------===//

#include "core/graph/tensors/TensorSvg.h"
#include "core/graph/LineText.h"
#include "core/text/Escape.h"

#include <algorithm>
#include <set>

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

constexpr int margin = 16, indent = 14, chipHeight = 18, hatchWidth = 14;
constexpr int linkHeight = 22, sentenceHeight = 15, frameGap = 6;
constexpr size_t longestLine = 100;

int widthOf(std::string_view text, int size = 11) {
  return int(textWidth(text)) * size * 604 / 1000 + 1;
}

std::string num(int64_t value) { return std::to_string(value); }

/// Where a row is.
struct RowPlace {
  int top = 0, height = 0;
  /// Of its chips and reads.
  int middle = 0;
};

class TensorDrawing {
public:
  TensorDrawing(const TensorFlow &flow, ThemeName name)
      : flow(flow), theme(themeOf(name)) {}

  std::string draw() {
    placeAcross();
    placeDown();
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
    drawLegend();
    out += "</svg>\n";
    return std::move(out);
  }

private:
  //===--- Places ---===//

  static bool crosses(const TensorUse &use) {
    switch (use.link) {
    case TensorLink::read:
    case TensorLink::write:
      return false;
    case TensorLink::inPlace:
      return use.column != use.toColumn;
    case TensorLink::part:
    case TensorLink::mayBe:
    case TensorLink::copy:
    case TensorLink::newBuffer:
    case TensorLink::nothing:
      return use.column >= 0;
    }
    return false;
  }

  /// No link goes straight to a chip, for it would pass others, or has no room.
  static bool bendsAll(const TensorRow &row) {
    return std::ranges::any_of(row.uses, [&](const TensorUse &use) {
      return crosses(use) && !row.chips.empty() &&
             (row.chips.size() > 1 || use.toColumn < 0 ||
              use.toColumn == use.column);
    });
  }

  int x(int column) const { return lanesLeft + pitch / 2 + column * pitch; }

  static int padOf(const TensorChip &chip) {
    return chip.buffers.size() > 1 ? hatchWidth + 4 : 7;
  }
  static int chipWidth(const TensorChip &chip) {
    return widthOf(chip.name) + 2 * padOf(chip);
  }

  void placeAcross() {
    int widest = 0, labels = 0;
    for (const TensorRow &row : flow.rows) {
      placeWidth = std::max(placeWidth, widthOf(row.place, 10));
      labels = std::max(labels, row.depth * indent + widthOf(row.label));
      deepest = std::max(deepest, row.depth);
      for (const TensorChip &chip : row.chips) {
        widest = std::max(widest, chipWidth(chip));
        pitch = std::max(pitch, widthOf(chip.allocation, 9) + 14);
      }
      for (const TensorUse &use : row.uses)
        label = std::max(label, widthOf(use.label, 10));
    }
    pitch = std::max(pitch, widest / 2 + label + 22);
    labelLeft = margin + placeWidth + 16;
    labelRight = labelLeft + labels;
    placeChannels();
    lanesLeft = labelRight + 14 + int(channelCount) * 8;
    lanesRight = lanesLeft + std::max(flow.columns, 1) * pitch;
    for (const TensorRow &row : flow.rows)
      for (const TensorChip &chip : row.chips)
        if (!chip.allocation.empty())
          lanesRight = std::max(lanesRight, x(chip.column) + 14 +
                                                widthOf(chip.allocation, 9));
    for (const TensorRow &row : flow.rows)
      for (const TensorUse &use : row.uses)
        if (crosses(use) && (use.toColumn < 0 || use.toColumn == use.column))
          lanesRight =
              std::max(lanesRight, x(use.column) + 30 + widthOf(use.label, 10));
    wordsLeft = lanesRight + (deepest + 1) * frameGap + 12;
    width = std::max(wordsLeft + 60, margin + widthOf(flow.headline) + margin);
    for (const TensorRow &row : flow.rows) {
      width = std::max(width, besideRight(row) + margin);
      for (const std::string &sentence : sentencesOf(row))
        width = std::max(width, wordsLeft + widthOf(sentence) + margin);
    }
    width = std::max(width, margin * 2 + widthOf(flow.note));
  }

  /// Arrows that pass the same rows have channels of their own.
  void placeChannels() {
    std::vector<std::vector<std::pair<size_t, size_t>>> taken;
    for (const TensorReasonArrow &arrow : flow.arrows) {
      const auto [low, high] = std::minmax(arrow.fromRow, arrow.toRow);
      size_t channel = 0;
      auto isFree = [&] {
        return std::ranges::none_of(taken[channel], [&](const auto &other) {
          return other.first <= high && low <= other.second;
        });
      };
      while (channel < taken.size() && !isFree())
        ++channel;
      if (channel == taken.size())
        taken.emplace_back();
      taken[channel].emplace_back(low, high);
      channels.push_back(channel);
    }
    channelCount = taken.size();
  }

  static std::string besideWord(const TensorUse &use) {
    return "reads " + shortened(visibleText(use.name), 24);
  }

  int besideRight(const TensorRow &row) const {
    int right = wordsLeft;
    for (const TensorUse &use : row.uses)
      if (use.isBeside)
        right += widthOf(besideWord(use)) + 10;
    return right;
  }

  /// Verdicts, each in lines that can be read.
  static std::vector<std::string> sentencesOf(const TensorRow &row) {
    std::vector<std::string> all;
    std::set<std::string> known;
    for (const std::string &sentence : row.sentences)
      if (known.insert(sentence).second)
        addLines(visibleText(sentence), all);
    return all;
  }

  static void addLines(const std::string &text, std::vector<std::string> &all) {
    std::string line;
    for (size_t at = 0; at < text.size();) {
      const size_t end = std::min(text.find(' ', at), text.size());
      const std::string word = text.substr(at, end - at);
      if (textWidth(line) + textWidth(word) >= longestLine && !line.empty()) {
        all.push_back(line);
        line = "  ";
      } else if (!line.empty()) {
        line += ' ';
      }
      line += word;
      at = end + 1;
    }
    if (!line.empty())
      all.push_back(shortened(line, 2 * longestLine));
  }

  void placeDown() {
    int top = flow.note.empty() ? 66 : 82;
    for (const TensorRow &row : flow.rows) {
      const int links =
          int(std::ranges::count_if(row.uses, crosses)) + int(bendsAll(row));
      const bool hasCaption = std::ranges::any_of(
          row.chips, [](const auto &chip) { return !chip.allocation.empty(); });
      RowPlace place;
      place.top = top;
      place.middle = top + (links ? 22 + (links - 1) * linkHeight : 14);
      place.height = place.middle - top + 14 + (hasCaption ? 12 : 0);
      const int words =
          int(sentencesOf(row).size()) +
          int(std::ranges::any_of(row.uses, &TensorUse::isBeside));
      place.height = std::max(place.height,
                              place.middle - top - 4 + words * sentenceHeight);
      // The last row of a frame keeps its distance from the frame's edge.
      const size_t index = places.size();
      for (const TensorFrame &frame : flow.frames)
        place.height += frame.last == index ? 8 : 0;
      places.push_back(place);
      top += place.height;
    }
    bottom = top;
  }

  //===--- Elements ---===//

  void rect(int left, int top, int wide, int high, std::string_view fill,
            std::string_view stroke, std::string_view more = "") {
    out += "<rect x=\"" + num(left) + "\" y=\"" + num(top) + "\" width=\"" +
           num(wide) + "\" height=\"" + num(high) + "\" fill=\"" +
           std::string(fill) + "\" stroke=\"" + std::string(stroke) + "\"" +
           (more.empty() ? "" : " ") + std::string(more) + "/>\n";
  }

  void path(const std::string &steps, std::string_view stroke,
            std::string_view more) {
    out += "<path d=\"" + steps + "\" fill=\"none\" stroke=\"" +
           std::string(stroke) + "\" " + std::string(more) + "/>\n";
  }

  void text(int left, int base, std::string_view words, std::string_view color,
            std::string_view more = "") {
    out += "<text x=\"" + num(left) + "\" y=\"" + num(base) + "\" fill=\"" +
           std::string(color) + "\"" + (more.empty() ? "" : " ") +
           std::string(more) + ">" + escapedXml(words) + "</text>\n";
  }

  void title(std::string_view words) {
    if (!words.empty())
      out += "<title>" + escapedXml(words) + "</title>\n";
  }

  static std::string move(int left, int top) {
    return "M" + num(left) + "," + num(top);
  }
  static std::string line(int left, int top) {
    return "L" + num(left) + "," + num(top);
  }

  /// A filled triangle whose point is there; `toward` is where it comes from.
  void arrowhead(int tipX, int tipY, int dx, int dy, std::string_view color) {
    const int backX = tipX - dx * 7, backY = tipY - dy * 7;
    out += "<path d=\"" + move(tipX, tipY) +
           line(backX + dy * 4, backY + dx * 4) +
           line(backX - dy * 4, backY - dx * 4) + "Z\" fill=\"" +
           std::string(color) + "\" stroke=\"" + std::string(color) +
           "\" stroke-width=\"1\"/>\n";
  }

  const Accent &colorOf(const std::vector<int> &buffers) const {
    return theme.ofBuffer(buffers.empty() ? 0 : buffers.front());
  }

  void begin() {
    height = bottom + legendHeight();
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

  int linkY(size_t row, int number) const {
    return places[row].top + 22 + number * linkHeight;
  }

  /// A vertical line in one colour, or in the colours of all buffers in turn.
  void laneLine(int at, int top, int low, const std::vector<int> &buffers,
                int wide) {
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

  void drawLane(const TensorLane &lane) {
    out +=
        "<g class=\"tensor-lane\" data-buffer=\"" + num(lane.value) + "\">\n";
    laneLine(x(lane.column), laneTop(lane), places[lane.last].middle,
             lane.buffers, 2);
    if (flow.rows[lane.first].kind == TensorRowKind::folded)
      out += "<circle cx=\"" + num(x(lane.column)) + "\" cy=\"" +
             num(places[lane.first].middle) + "\" r=\"4\" fill=\"" +
             std::string(colorOf(lane.buffers).line) + "\"/>\n";
    out += "</g>\n";
  }

  //===--- Rows ---===//

  void drawRow(size_t index) {
    const TensorRow &row = flow.rows[index];
    const RowPlace &place = places[index];
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
    const bool isQuiet = row.kind != TensorRowKind::op || row.opensFrame;
    text(labelLeft + row.depth * indent, place.middle + 4, row.label,
         row.kind == TensorRowKind::op ? theme.text : theme.dimText,
         isQuiet && row.opensFrame ? "font-weight=\"bold\"" : "");
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

  void drawWords(const TensorRow &row, const RowPlace &place) {
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

  void dot(int left, int top, std::string_view color) {
    out += "<circle cx=\"" + num(left) + "\" cy=\"" + num(top) +
           "\" r=\"4\" fill=\"" + std::string(color) + "\"/>\n";
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

  static std::string styleOf(TensorLink link) {
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

  /// Stripes at both ends of the chip, in the colours of all that it may be.
  void hatch(const TensorChip &chip, int left, int top, int wide) {
    const int ends[] = {left + 1, left + wide - hatchWidth - 1};
    for (size_t i = 0; i < chip.buffers.size(); ++i) {
      std::string steps;
      for (int end : ends)
        for (int at = int(i) * 4; at + 5 <= hatchWidth;
             at += int(chip.buffers.size()) * 4)
          steps += move(end + at, top + chipHeight - 2) +
                   line(end + at + 5, top + 2);
      path(steps, theme.ofBuffer(chip.buffers[i]).line, "stroke-width=\"2\"");
    }
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

  //===--- Legend ---===//

  struct Entry {
    TensorLink link = TensorLink::read;
    /// What is no link.
    int other = 0;
    std::string_view words;
  };

  std::vector<Entry> legend() const {
    static constexpr int ring = 1, reason = 2, hatched = 3;
    auto uses = [&](TensorLink link) {
      return std::ranges::any_of(flow.rows, [&](const TensorRow &row) {
        return std::ranges::any_of(row.uses, [&](const TensorUse &use) {
          return use.link == link && !use.isBeside;
        });
      });
    };
    std::vector<Entry> entries;
    auto add = [&](TensorLink link, std::string_view words) {
      if (uses(link))
        entries.push_back({link, 0, words});
    };
    add(TensorLink::inPlace, "in place: is that buffer");
    add(TensorLink::part, "in place: lies in that buffer");
    add(TensorLink::copy, "copied");
    add(TensorLink::newBuffer, "a new buffer, no copy");
    add(TensorLink::nothing, "out of place, nothing made");
    add(TensorLink::read, "read");
    add(TensorLink::write, "written");
    bool isHatched = false, isRinged = false;
    for (const TensorRow &row : flow.rows)
      for (const TensorChip &chip : row.chips) {
        isHatched |= chip.buffers.size() > 1;
        isRinged |= chip.isRinged;
      }
    if (isHatched)
      entries.push_back({TensorLink::mayBe, hatched, "may be either buffer"});
    if (!flow.arrows.empty())
      entries.push_back({TensorLink::read, reason, "reason: write to read"});
    if (isRinged)
      entries.push_back({TensorLink::read, ring, "what the reason is about"});
    return entries;
  }

  static constexpr int sampleWidth = 40, legendRow = 20;

  std::vector<std::pair<int, int>> legendPlaces() const {
    std::vector<std::pair<int, int>> at;
    int left = margin, top = 0;
    for (const Entry &entry : legend()) {
      const int wide = sampleWidth + widthOf(entry.words) + 28;
      if (left + wide > width && left > margin) {
        left = margin;
        top += legendRow;
      }
      at.emplace_back(left, top);
      left += wide;
    }
    return at;
  }

  int legendHeight() const {
    const auto at = legendPlaces();
    return at.empty() ? margin : at.back().second + legendRow + 24;
  }

  void drawLegend() {
    const std::vector<Entry> entries = legend();
    const auto at = legendPlaces();
    out += "<g class=\"tensor-legend\">\n";
    if (!entries.empty())
      path(move(margin, bottom + 8) + "H" + num(width - margin),
           theme.clusterLine, "stroke-width=\"1\"");
    for (size_t i = 0; i < entries.size(); ++i) {
      const int left = at[i].first, middle = bottom + 24 + at[i].second;
      sample(entries[i], left, middle);
      text(left + sampleWidth + 6, middle + 4, entries[i].words, theme.dimText);
    }
    out += "</g>\n";
  }

  void sample(const Entry &entry, int left, int middle) {
    const Accent &first = theme.buffers[0];
    const int right = left + sampleWidth;
    if (entry.other == 1)
      return rect(left + 8, middle - 7, 24, 14, theme.ground, theme.reason.line,
                  "rx=\"5\" stroke-width=\"2\"");
    if (entry.other == 2) {
      path(move(left + 4, middle) + "H" + num(right - 7), theme.reason.line,
           "stroke-width=\"2\"");
      return arrowhead(right, middle, 1, 0, theme.reason.line);
    }
    if (entry.other == 3) {
      TensorChip chip;
      chip.buffers = {0, 1};
      rect(left + 2, middle - 9, 36, chipHeight, first.fill, first.line,
           "rx=\"4\" stroke-width=\"2\"");
      return hatch(chip, left + 2, middle - 9, 36);
    }
    switch (entry.link) {
    case TensorLink::read:
      return dot(left + 20, middle, first.line);
    case TensorLink::write:
      return rect(left + 16, middle - 4, 8, 8, first.line, first.line);
    case TensorLink::inPlace:
      return path(move(left + 4, middle) + "H" + num(right), first.line,
                  "stroke-width=\"6\"");
    default:
      path(move(left + 4, middle) + "H" + num(right - 7), first.line,
           styleOf(entry.link));
      return arrowhead(right, middle, 1, 0, first.line);
    }
  }

  const TensorFlow &flow;
  const Theme &theme;
  int placeWidth = 0, deepest = 0, pitch = 84, label = 0;
  int labelLeft = 0, labelRight = 0, lanesLeft = 0, lanesRight = 0;
  int wordsLeft = 0, width = 0, height = 0, bottom = 0;
  std::vector<size_t> channels;
  size_t channelCount = 0;
  std::vector<RowPlace> places;
  std::string out;
};

} // namespace

std::string tensorSvg(const TensorFlow &flow, ThemeName theme) {
  return TensorDrawing(flow, theme).draw();
}

} // namespace memreflens::graph
