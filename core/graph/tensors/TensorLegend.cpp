//===- core/graph/tensors/TensorLegend.cpp --------------------------------===//

#include "core/graph/tensors/TensorPen.h"

#include <algorithm>

namespace memreflens::graph {

namespace {
enum class Sign : uint8_t { link, ring, reason, hatched };

struct Entry {
  TensorLink link = TensorLink::read;
  Sign sign = Sign::link;
  std::string_view words;
};
} // namespace

static constexpr int sampleWidth = 40, legendRow = 20;

static std::vector<Entry> entriesOf(const TensorFlow &flow) {
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
      entries.push_back({link, Sign::link, words});
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
    entries.push_back(
        {TensorLink::mayBe, Sign::hatched, "may be either buffer"});
  if (!flow.arrows.empty())
    entries.push_back(
        {TensorLink::read, Sign::reason, "reason: write to read"});
  if (isRinged)
    entries.push_back(
        {TensorLink::read, Sign::ring, "what the reason is about"});
  return entries;
}

static std::vector<std::pair<int, int>>
placesOf(const std::vector<Entry> &entries, int width) {
  std::vector<std::pair<int, int>> at;
  int left = TensorPlaces::margin, top = 0;
  for (const Entry &entry : entries) {
    const int wide = sampleWidth + widthOf(entry.words) + 28;
    if (left + wide > width && left > TensorPlaces::margin) {
      left = TensorPlaces::margin;
      top += legendRow;
    }
    at.emplace_back(left, top);
    left += wide;
  }
  return at;
}

static void sample(TensorPen &pen, const Entry &entry, int left, int middle) {
  const Accent &first = pen.theme.buffers[0];
  const int right = left + sampleWidth;
  if (entry.sign == Sign::ring)
    return pen.rect(left + 8, middle - 7, 24, 14, pen.theme.ground,
                    pen.theme.reason.line, 5, 2);
  if (entry.sign == Sign::reason) {
    pen.path(TensorSteps(left + 4, middle).across(right - 7),
             pen.theme.reason.line, {.width = 2});
    return pen.arrowhead(right, middle, 1, 0, pen.theme.reason.line);
  }
  if (entry.sign == Sign::hatched) {
    TensorChip chip;
    chip.buffers = {0, 1};
    pen.rect(left + 2, middle - 9, 36, TensorPlaces::chipHeight, first.fill,
             first.line, 4, 2);
    return pen.hatch(chip, left + 2, middle - 9, 36);
  }
  switch (entry.link) {
  case TensorLink::read:
    return pen.dot(left + 20, middle, first.line);
  case TensorLink::write:
    return pen.rect(left + 16, middle - 4, 8, 8, first.line, first.line);
  case TensorLink::inPlace:
    return pen.path(TensorSteps(left + 4, middle).across(right), first.line,
                    {.width = 6});
  default:
    pen.path(TensorSteps(left + 4, middle).across(right - 7), first.line,
             pen.styleOf(entry.link));
    return pen.arrowhead(right, middle, 1, 0, first.line);
  }
}

int legendHeight(const TensorFlow &flow, int width) {
  const auto at = placesOf(entriesOf(flow), width);
  return at.empty() ? TensorPlaces::margin : at.back().second + legendRow + 24;
}

void drawLegend(const TensorFlow &flow, int top, int width, TensorPen &pen) {
  const std::vector<Entry> entries = entriesOf(flow);
  const auto at = placesOf(entries, width);
  const int margin = TensorPlaces::margin;
  pen.open({.part = TensorPart::legend});
  if (!entries.empty())
    pen.path(TensorSteps(margin, top + 8).across(width - margin),
             pen.theme.clusterLine, {.width = 1});
  for (size_t i = 0; i < entries.size(); ++i) {
    const int left = at[i].first, middle = top + 24 + at[i].second;
    sample(pen, entries[i], left, middle);
    pen.text(left + sampleWidth + 6, middle + 4, entries[i].words,
             pen.theme.dimText);
  }
  pen.close();
}

TensorPainting paintTensorLegend(const TensorFlow &flow, ThemeName theme,
                                 int width) {
  TensorPen pen(theme);
  drawLegend(flow, 0, width, pen);
  pen.painting.width = width;
  pen.painting.height = legendHeight(flow, width);
  return std::move(pen.painting);
}

} // namespace memreflens::graph
