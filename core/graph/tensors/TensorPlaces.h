//===- core/graph/tensors/TensorPlaces.h - where everything is drawn ------===//

#ifndef MEMREFLENS_GRAPH_TENSORS_TENSORPLACES_H
#define MEMREFLENS_GRAPH_TENSORS_TENSORPLACES_H

#include "core/graph/tensors/TensorFlow.h"

#include <string_view>

namespace memreflens::graph {

/// Where a row is.
struct TensorRowPlace {
  int top = 0, height = 0;
  /// Of its chips and reads.
  int middle = 0;
};

/// Whole coordinates of a picture of tensors, which keep its text stable. From
/// the left: places in the source, labels, arrows of reasons, columns, words.
struct TensorPlaces {
  static constexpr int margin = 16, indent = 14, chipHeight = 18,
                       hatchWidth = 14, linkHeight = 22, sentenceHeight = 15,
                       frameGap = 6;

  explicit TensorPlaces(const TensorFlow &flow);

  /// Middle of a column.
  int x(int column) const { return lanesLeft + pitch / 2 + column * pitch; }
  /// The line of a link, of which a row may have several.
  int linkY(size_t row, int number) const {
    return places[row].top + 22 + number * linkHeight;
  }

  const TensorFlow &flow;
  int placeWidth = 0, deepest = 0, pitch = 84;
  int labelLeft = 0, labelRight = 0, lanesLeft = 0, lanesRight = 0;
  int wordsLeft = 0, width = 0, bottom = 0;
  std::vector<TensorRowPlace> places;
  /// Of each arrow.
  std::vector<size_t> channels;
  size_t channelCount = 0;

private:
  void placeAcross();
  void placeChannels();
  void placeDown();
  int besideRight(const TensorRow &row) const;
};

/// Of a text of that size.
int widthOf(std::string_view text, int size = 11);
/// Between a chip's frame and its name.
int padOf(const TensorChip &chip);
int chipWidth(const TensorChip &chip);

/// Whether the use is a line of its own across the columns.
bool crosses(const TensorUse &use);
/// Whether no link goes straight to a chip, for it would pass others, or has no
/// room.
bool bendsAll(const TensorRow &row);

/// What stands beside a row: what is only read, then verdicts, each in lines
/// that can be read.
std::string besideWord(const TensorUse &use);
std::vector<std::string> sentencesOf(const TensorRow &row);

} // namespace memreflens::graph

#endif // MEMREFLENS_GRAPH_TENSORS_TENSORPLACES_H
