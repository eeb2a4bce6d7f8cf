//===- viewer/tensors/TensorView.h - where the user is in the picture -----===//
//
// What the Tensors panel remembers: the part in sight, and the picture, which
// is made in a thread.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_VIEWER_TENSORS_TENSORVIEW_H
#define MEMREFLENS_VIEWER_TENSORS_TENSORVIEW_H

#include "viewer/state/State.h"
#include "viewer/tensors/TensorModel.h"

#include "imgui/imgui.h"

#include <future>

namespace memreflens::viewer {

struct TensorView {
  /// Of the function at hand; null until it is made.
  std::shared_ptr<const TensorModel> model;
  /// Whether one-shot-bufferize ran on the program.
  bool isBufferized = false;
  /// Screen = corner + pan + point * zoom.
  float zoom = 1, panX = 0, panY = 0;
  bool wantsFit = true, wantsWhole = false;
  /// Whether the legend is shown; of its own accord, where there is room.
  enum class Legend : uint8_t { ifFits, shown, hidden };
  Legend legendWish = Legend::ifFits;
  /// Whether this frame has it.
  bool hasLegend = false;
  /// Where the picture was drawn in this frame.
  ImVec2 corner = {0, 0}, size = {0, 0};
  /// The group under the mouse in this frame; -1 for none.
  int hovered = -1;

  /// Starts or takes over the picture; `wait` makes it at once.
  void update(const Program &program, Id function, bool wait);

  ImVec2 onScreen(double x, double y) const {
    return {corner.x + panX + float(x) * zoom,
            corner.y + panY + float(y) * zoom};
  }
  graph::Point atScreen(ImVec2 place) const {
    return {double((place.x - corner.x - panX) / zoom),
            double((place.y - corner.y - panY) / zoom)};
  }
  void zoomBy(float factor, ImVec2 place);
  /// All of it where that can be read, or is asked for; else its upper left
  /// part.
  void fit();
  /// Moves to what was selected elsewhere, if it is out of sight.
  void follow(const Place &place, const TensorSelection &selection);
  /// The legend in so much room.
  const graph::TensorPainting &legendFor(graph::ThemeName theme, int width);

private:
  struct Made {
    std::shared_ptr<const graph::TensorFlows> flows;
    std::shared_ptr<const TensorModel> model;
  };
  struct Key {
    uint64_t program = 0;
    Id function = none;
    bool operator==(const Key &) const = default;
  };
  Key shown, asked;
  std::future<Made> pending;
  /// Of the program that is shown.
  std::shared_ptr<const graph::TensorFlows> flows;
  /// Who made `flows`, which refers to it.
  std::shared_ptr<const Program> owner;
  Place followed;
  graph::TensorPainting legend;
  graph::ThemeName legendTheme = graph::ThemeName::dark;
  bool isLegendStale = true;
};

/// The picture in the view's room, with what is selected.
void paintTensorView(const ViewState &state, const TensorView &view,
                     const TensorSelection &selection);
/// The legend, from the corner on.
void paintTensorLegendAt(const graph::TensorPainting &legend, ImVec2 corner,
                         float scale);

} // namespace memreflens::viewer

#endif // MEMREFLENS_VIEWER_TENSORS_TENSORVIEW_H
