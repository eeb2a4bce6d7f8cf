//===- core/graph/DotLabels.h - labels as Graphviz's HTML-like tables -----===//
//
// What stands in a node, on an edge and above a cluster: a title, rows of
// chips, lines of IR. All text of the user's is escaped here.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_GRAPH_DOTLABELS_H
#define MEMREFLENS_GRAPH_DOTLABELS_H

#include "core/graph/Dot.h"

namespace memreflens::graph {

inline constexpr std::string_view monoFace = "DejaVu Sans Mono";
inline constexpr std::string_view textFace = "DejaVu Sans";

/// Labels without the angle brackets around them. Chips are numbered in the
/// order of the calls, so the caller asks for each label once, in order.
class DotLabels {
public:
  DotLabels(const Picture &picture, const DotOptions &options)
      : picture(picture), options(options), theme(themeOf(options.theme)) {}

  std::string ofNode(const Node &node);
  /// One chip a line, below the edge's word; empty if there is neither.
  std::string ofEdge(const Edge &edge);
  std::string ofCluster(const Cluster &cluster) const;
  /// Title, subtitle and legend.
  std::string ofPicture() const;

private:
  std::string font(std::string_view text, std::string_view face, int size,
                   std::string_view color, bool bold = false) const;
  bool isHighlighted(const Chip &chip) const;
  bool namesHighlight(std::string_view text) const;
  std::string chipCell(const Chip &chip, const std::string &id) const;
  std::string chipId(const Chip &chip);
  std::string chipStrip(const std::vector<std::string> &cells,
                        size_t characters, const std::string &label) const;
  std::string chipTable(const std::vector<Chip> &list, std::string label = "");
  std::string labelCell(std::string_view text) const;
  std::string rowOf(const Row &row);
  std::string lineRow(const Line &line);
  std::string_view markFill(const Line &line) const;
  std::string titleCell(const Node &node) const;
  std::string legend() const;

  const Picture &picture;
  const DotOptions &options;
  const Theme &theme;
  int chips = 0;
  int lines = 0;
};

/// Text as it stands in a label: "&lt;" for "<", one space for a line break;
/// control characters and bidirectional marks become visible signs.
std::string escapedLabel(std::string_view text);
/// The same inside double quotes of DOT.
std::string escapedAttribute(std::string_view text);

} // namespace memreflens::graph

#endif // MEMREFLENS_GRAPH_DOTLABELS_H
