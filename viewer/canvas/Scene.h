//===- viewer/canvas/Scene.h - a graph with the place of every word in it -===//
//
// A picture (core/graph) measured and laid out for the canvas, once, in a
// thread of its own; drawing it then takes no decision. Points as in Layout.h.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_VIEWER_CANVAS_SCENE_H
#define MEMREFLENS_VIEWER_CANVAS_SCENE_H

#include "viewer/state/State.h"

#include "core/graph/Layout.h"
#include "core/graph/OwnershipPicture.h"

namespace memreflens::viewer {

/// Sizes in points: a character of the fixed-width font, its line, and the
/// height for which Dear ImGui gives characters of that width.
inline constexpr double charWidth = 6.6, lineHeight = 15, fontSize = 12.8;

enum class WordKind : uint8_t { title, note, label, chip, line, more };

/// What an ownership chip said before it said what it does in the end.
struct Moment {
  Id event = none;
  std::string text;
  graph::Meaning meaning = graph::Meaning::plain;
};

struct Word {
  WordKind kind = WordKind::line;
  graph::Box box; ///< Relative to its owner's upper left corner.
  std::string text, tooltip;
  graph::Meaning meaning = graph::Meaning::plain;
  Id value = none, event = none, op = none;
  bool faded = false;
  /// The decision from which on it holds; `none` if always.
  Id since = none;
  /// Oldest first; the last one is the word itself.
  std::vector<Moment> history = {};
};

struct Words {
  graph::Size size;
  std::vector<Word> words;
};

struct Scene {
  graph::Picture picture;
  graph::Layout layout;
  std::vector<Words> nodes, edges;
  /// Around the curve of each edge and its words.
  std::vector<graph::Box> edgeBoxes;
  /// With the sign that they can be folded.
  std::vector<std::string> clusterTitles;
  /// Never that of another scene.
  uint64_t serial = 0;
  std::string note;
  double milliseconds = 0;
};

struct SceneKey {
  Id function = none;
  /// -1 for the graph of decisions.
  int stage = -1;
  /// Keys of clusters.
  std::set<std::string> folded = {};
  /// Whose counts it has; null for none.
  std::shared_ptr<const execute::KeptRun> run = {};
  bool operator==(const SceneKey &) const = default;
};

/// What the state asks for.
SceneKey keyOf(const ViewState &state);
Scene makeScene(const Program &program, SceneKey key);
} // namespace memreflens::viewer

#endif // MEMREFLENS_VIEWER_CANVAS_SCENE_H
