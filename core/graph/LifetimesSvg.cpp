//===- core/graph/LifetimesSvg.cpp - the chart of lifetimes ---------------===//
//
// One row a buffer: a bar from its begin to its last use, a hatched one from
// there to its end (the gap), and a sign where it ends or may end. Above them
// the bytes that are live at most. Whole coordinates keep the text stable.
//
//===----------------------------------------------------------------------===//

#include "core/graph/LifetimesSvg.h"
#include "core/explain/CostText.h"
#include "core/explain/FateText.h"
#include "core/graph/LineText.h"
#include "core/query/Spaces.h"
#include "core/text/Escape.h"

#include <algorithm>

namespace memreflens::graph {

namespace {

constexpr int outerMargin = 16, nameWidth = 170, chartWidth = 560,
              factWidth = 250;
constexpr int rowHeight = 22, barHeight = 12, curveHeight = 64, headHeight = 62;
/// Behind the chart and the sign of an end at its border.
constexpr int factsAt = outerMargin + nameWidth + chartWidth + 32;
/// Of what a run counted, behind the facts.
constexpr int letterWidth = 7; // At most, of 11 pixels.
constexpr int ranAt = factsAt + factWidth, ranWidth = 490;

std::string integer(int64_t value) { return std::to_string(value); }

class Chart {
public:
  Chart(const Lookup &lookup, const Lifetimes &lifetimes, const Theme &theme,
        size_t limit)
      : lookup(lookup), lifetimes(lifetimes), theme(theme),
        rows(std::min(limit, lifetimes.buffers.size())) {}

  std::string draw() {
    int width = 2 * outerMargin + nameWidth + chartWidth + factWidth +
                (lifetimes.ran ? ranWidth : 0);
    const int head = headHeight + (hasHeadline() ? 18 : 0);
    int top = head + (lifetimes.peakBytes > 0 ? curveHeight + 26 : 0);
    bool isCut = rows < lifetimes.buffers.size();
    int height = top + int(rows + isCut) * rowHeight + 40;
    out = "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"lifetimes\" "
          "role=\"img\" viewBox=\"0 0 " +
          integer(width) + " " + integer(height) + "\" width=\"" +
          integer(width) + "\" height=\"" + integer(height) +
          "\" font-family=\"&quot;DejaVu Sans Mono&quot;, Menlo, Consolas, "
          "monospace\" font-size=\"11\">\n";
    std::string name =
        "@" + lookup.getTrace().functions[size_t(lifetimes.function)].title();
    out +=
        "<title>Lifetimes of the buffers of " + escapedXml(name) + "</title>\n";
    defineHatch();
    out += "<rect class=\"ground\" width=\"" + integer(width) + "\" height=\"" +
           integer(height) + "\" fill=\"" + std::string(theme.ground) +
           "\"/>\n";
    text(outerMargin, 24, name, theme.text,
         "font-size=\"14\" font-weight=\"bold\"");
    text(outerMargin, 44, headline(), theme.dimText);
    if (hasHeadline())
      text(outerMargin, 62,
           shortened(visibleText(lifetimes.ran->headline), 180), theme.dimText);
    if (lifetimes.peakBytes > 0)
      drawCurve(head);
    drawAxis(top, top + int(rows) * rowHeight);
    for (size_t i = 0; i < rows; ++i)
      drawRow(lifetimes.buffers[i], top + int(i) * rowHeight);
    if (isCut)
      text(outerMargin, top + int(rows) * rowHeight + 15,
           "and " + std::to_string(lifetimes.buffers.size() - rows) +
               " more buffers",
           theme.dimText);
    out += "</svg>\n";
    return std::move(out);
  }

private:
  //===--- Parts ---===//

  std::string headline() const {
    std::string line = std::to_string(lifetimes.buffers.size()) +
                       (lifetimes.buffers.size() == 1 ? " buffer" : " buffers");
    if (!lifetimes.isMeasured)
      return line;
    const bool isLowerBound = !lifetimes.gaps.empty();
    if (lifetimes.peakBytes > 0 || isLowerBound)
      line += ", peak " + peakText(lifetimes.peakBytes, isLowerBound);
    if (lifetimes.peakBytes > 0)
      line += " at " + place(lifetimes.peakStep);
    // The curve is their sum; each one's peak is in the plot of memory.
    const trace::Trace &trace = lookup.getTrace();
    if (spacesOf(trace.functions[size_t(lifetimes.function)], hasSpaces(trace))
            .size() > 1)
      line += " in all memory spaces together";
    if (isLowerBound)
      line += ": " + gapText(lookup, lifetimes.gaps.front());
    return line;
  }

  bool hasHeadline() const {
    return lifetimes.ran && !lifetimes.ran->headline.empty();
  }

  std::string place(uint32_t step) const {
    uint32_t line = step < lifetimes.lines.size() ? lifetimes.lines[step] : 0;
    return line > 0 ? "line " + std::to_string(line)
                    : "step " + std::to_string(step);
  }

  int x(uint32_t step, bool behind = false) const {
    size_t steps = std::max<size_t>(lifetimes.steps.size(), 1);
    return outerMargin + nameWidth +
           int(uint64_t(step + behind) * chartWidth / steps);
  }

  void text(int at, int y, std::string_view words, std::string_view color,
            std::string_view more = "") {
    out += "<text x=\"" + integer(at) + "\" y=\"" + integer(y) + "\" fill=\"" +
           std::string(color) + "\"";
    if (!more.empty())
      out += " " + std::string(more);
    out += ">" + escapedXml(words) + "</text>\n";
  }

  /// The gap's pattern: the owned colour in stripes.
  void defineHatch() {
    std::string id = "gap" + integer(lifetimes.function);
    out += "<defs><pattern id=\"" + id +
           "\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\" "
           "patternTransform=\"rotate(45)\"><rect width=\"2\" height=\"6\" "
           "fill=\"" +
           std::string(theme.of(Meaning::ownedIf).line) +
           "\"/></pattern></defs>\n";
  }

  void drawCurve(int top) {
    int base = top + curveHeight;
    const auto &bytes = lifetimes.liveBytes;
    // A run that had more than is predicted is drawn, too.
    const uint64_t most = std::max(
        lifetimes.peakBytes, hasHeadline() ? lifetimes.ran->peakBytes : 0);
    auto y = [&](uint64_t value) {
      double part = double(value) / double(most);
      return base - int(part * curveHeight + 0.5);
    };
    std::string path = "M" + integer(x(0)) + "," + integer(base);
    int last = base;
    for (uint32_t i = 0; i < bytes.size(); ++i) {
      if (y(bytes[i]) == last)
        continue;
      last = y(bytes[i]);
      path += "H" + integer(x(i)) + "V" + integer(last);
    }
    path +=
        "H" + integer(x(uint32_t(bytes.size()))) + "V" + integer(base) + "Z";
    const Accent &accent = theme.of(Meaning::allocated);
    out += "<path class=\"live-bytes\" d=\"" + path + "\" fill=\"" +
           std::string(accent.fill) + "\" stroke=\"" +
           std::string(accent.line) + "\"/>\n";
    text(outerMargin, top + 12, "live bytes,", theme.dimText);
    text(outerMargin, top + 27, "on any path", theme.dimText);
    text(factsAt, top + 10,
         "peak " + peakText(lifetimes.peakBytes, !lifetimes.gaps.empty()),
         accent.text);
    if (!hasHeadline())
      return;
    const Accent &measured = theme.of(Meaning::freed);
    for (const auto &[step, value] : lifetimes.ran->most)
      out += "<rect class=\"measured\" x=\"" + integer(x(step, true) - 3) +
             "\" y=\"" + integer(y(value) - 3) +
             "\" width=\"7\" height=\"7\" fill=\"" +
             std::string(measured.line) + "\"><title>" +
             escapedXml("measured behind " + place(step) + ": " +
                        bytesText(value)) +
             "</title></rect>\n";
    text(factsAt, top + 26,
         "measured " + bytesText(lifetimes.ran->peakBytes) + " in one run",
         measured.text);
  }

  void drawAxis(int top, int bottom) {
    size_t steps = lifetimes.steps.size();
    size_t ticks = std::min<size_t>(steps, 8);
    for (size_t i = 0; i < ticks; ++i) {
      auto step = uint32_t(i * steps / ticks);
      out += "<line x1=\"" + integer(x(step)) + "\" x2=\"" + integer(x(step)) +
             "\" y1=\"" + integer(top - 4) + "\" y2=\"" + integer(bottom + 4) +
             "\" stroke=\"" + std::string(theme.title) + "\"/>\n";
      text(x(step), bottom + 20, place(step), theme.dimText, "font-size=\"9\"");
    }
  }

  //===--- Rows ---===//

  void drawRow(const Lifetime &life, int top) {
    out += "<g class=\"lifetime\" data-value=\"" + integer(life.value) +
           "\"><title>" + escapedXml(explainFate(lookup, life.value).headline) +
           "</title>\n";
    int middle = top + rowHeight / 2;
    text(outerMargin, middle + 4, shortened(visibleText(life.name), 24),
         theme.text);
    drawBar(life, middle);
    for (const LifetimeEnd &end : life.ends)
      drawEnd(end, middle);
    const std::string told = facts(life);
    text(factsAt, middle + 4, told, theme.dimText);
    if (lifetimes.ran)
      drawRun(life, middle, factsAt + (int(told.size()) + 2) * letterWidth);
    out += "</g>\n";
  }

  /// Behind the facts, which end at `free`.
  void drawRun(const Lifetime &life, int middle, int free) {
    auto ran = lifetimes.ran->buffers.find(life.value);
    if (ran != lifetimes.ran->buffers.end())
      text(std::max(free, ranAt), middle + 4,
           "run: " + visibleText(ran->second.words),
           theme.of(Meaning::freed).text);
  }

  Meaning meaningOf(const Lifetime &life) const {
    if (life.onStack)
      return Meaning::live;
    return life.mayBeOwned ? Meaning::owned : Meaning::borrowed;
  }

  void rect(int from, int to, int y, int height, std::string_view fill,
            std::string_view stroke, std::string_view more) {
    out += "<rect x=\"" + integer(from) + "\" y=\"" + integer(y) +
           "\" width=\"" + integer(std::max(to - from, 2)) + "\" height=\"" +
           integer(height) + "\" rx=\"3\" fill=\"" + std::string(fill) +
           "\" stroke=\"" + std::string(stroke) + "\" " + std::string(more) +
           "/>\n";
  }

  void drawBar(const Lifetime &life, int middle) {
    const Accent &accent = theme.of(meaningOf(life));
    int y = middle - barHeight / 2;
    int from = x(life.begin), used = x(life.inUseUntil(), /*behind=*/true);
    rect(from, used, y, barHeight, accent.fill, accent.line,
         "class=\"in-use\"");
    if (life.end() > life.inUseUntil() && life.mayBeOwned)
      rect(used, x(life.end(), true), y, barHeight,
           "url(#gap" + integer(lifetimes.function) + ")",
           theme.of(Meaning::ownedIf).line,
           "class=\"gap\" stroke-dasharray=\"3 2\"");
  }

  void drawEnd(const LifetimeEnd &end, int middle) {
    Meaning meaning = Meaning::freed;
    std::string sign = "✕";
    if (end.kind == EndKind::returned || end.kind == EndKind::passed) {
      meaning = Meaning::retained;
      sign = "▸";
    } else if (end.kind == EndKind::scope) {
      meaning = Meaning::live;
      sign = "]";
    } else if (end.kind == EndKind::open) {
      meaning = Meaning::unknown;
      sign = "?";
    }
    if (end.conditional)
      sign = "(" + sign + ")";
    text(x(end.step, true) + 2, middle + 4, sign, theme.of(meaning).line,
         "font-weight=\"bold\"");
  }

  std::string facts(const Lifetime &life) const {
    std::string text = life.bytes ? bytesText(*life.bytes) : "size unknown";
    if (!life.mayBeOwned)
      return text + (life.onStack ? ", on the stack" : ", never owned");
    if (life.escape.op != none)
      text += ", last use not known: " + lookup.opAt(life.escape.op);
    uint32_t used = life.inUseUntil();
    uint32_t gap = life.end() > used ? life.end() - used : 0;
    if (gap > 0)
      text +=
          ", idle for " + std::to_string(gap) + (gap == 1 ? " step" : " steps");
    bool isOpen =
        std::any_of(life.ends.begin(), life.ends.end(),
                    [](const auto &end) { return end.kind == EndKind::open; });
    return isOpen ? text + ", never ended" : text;
  }

  const Lookup &lookup;
  const Lifetimes &lifetimes;
  const Theme &theme;
  size_t rows;
  std::string out;
};

} // namespace

std::string lifetimesSvg(const Lookup &lookup, const Lifetimes &lifetimes,
                         ThemeName theme, size_t limit) {
  return Chart(lookup, lifetimes, themeOf(theme), limit).draw();
}

} // namespace memreflens::graph
