//===- core/graph/tensors/TensorPlaces.cpp --------------------------------===//

#include "core/graph/tensors/TensorPlaces.h"
#include "core/graph/LineText.h"
#include "core/text/Escape.h"

#include <algorithm>
#include <set>

namespace memreflens::graph {

/// Characters of a line of words.
static constexpr size_t longestLine = 100;

int widthOf(std::string_view text, int size) {
  return int(textWidth(text)) * size * 604 / 1000 + 1;
}

int padOf(const TensorChip &chip) {
  return chip.buffers.size() > 1 ? TensorPlaces::hatchWidth + 4 : 7;
}

int chipWidth(const TensorChip &chip) {
  return widthOf(chip.name) + 2 * padOf(chip);
}

bool crosses(const TensorUse &use) {
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

bool bendsAll(const TensorRow &row) {
  return std::ranges::any_of(row.uses, [&](const TensorUse &use) {
    return crosses(use) && !row.chips.empty() &&
           (row.chips.size() > 1 || use.toColumn < 0 ||
            use.toColumn == use.column);
  });
}

std::string besideWord(const TensorUse &use) {
  return "reads " + shortened(visibleText(use.name), 24);
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

std::vector<std::string> sentencesOf(const TensorRow &row) {
  std::vector<std::string> all;
  std::set<std::string> known;
  for (const std::string &sentence : row.sentences)
    if (known.insert(sentence).second)
      addLines(visibleText(sentence), all);
  return all;
}

TensorPlaces::TensorPlaces(const TensorFlow &flow) : flow(flow) {
  placeAcross();
  placeDown();
}

void TensorPlaces::placeAcross() {
  int widest = 0, labels = 0, label = 0;
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
void TensorPlaces::placeChannels() {
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

int TensorPlaces::besideRight(const TensorRow &row) const {
  int right = wordsLeft;
  for (const TensorUse &use : row.uses)
    if (use.isBeside)
      right += widthOf(besideWord(use)) + 10;
  return right;
}

void TensorPlaces::placeDown() {
  int top = flow.note.empty() ? 66 : 82;
  for (const TensorRow &row : flow.rows) {
    const int links =
        int(std::ranges::count_if(row.uses, crosses)) + int(bendsAll(row));
    const bool hasCaption = std::ranges::any_of(
        row.chips, [](const auto &chip) { return !chip.allocation.empty(); });
    TensorRowPlace place;
    place.top = top;
    place.middle = top + (links ? 22 + (links - 1) * linkHeight : 14);
    place.height = place.middle - top + 14 + (hasCaption ? 12 : 0);
    const int words = int(sentencesOf(row).size()) +
                      int(std::ranges::any_of(row.uses, &TensorUse::isBeside));
    place.height =
        std::max(place.height, place.middle - top - 4 + words * sentenceHeight);
    // The last row of a frame keeps its distance from the frame's edge.
    const size_t index = places.size();
    for (const TensorFrame &frame : flow.frames)
      place.height += frame.last == index ? 8 : 0;
    places.push_back(place);
    top += place.height;
  }
  bottom = top;
}

} // namespace memreflens::graph
