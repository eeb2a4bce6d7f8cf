//===- viewer/tensors/TensorView.cpp --------------------------------------===//

#include "viewer/tensors/TensorView.h"

#include "viewer/canvas/Theme.h"

#include <algorithm>

namespace memreflens::viewer {

void TensorView::update(const Program &program, Id function, bool wait) {
  const Key wanted{program.serial, function};
  if (!pending.valid() && shown != wanted) {
    asked = wanted;
    auto known = owner && owner->serial == program.serial ? flows : nullptr;
    // The thread keeps the program alive, whatever becomes of its tab.
    pending = std::async(
        wait ? std::launch::deferred : std::launch::async,
        [program = program.shared_from_this(), function, known]() mutable {
          if (!known)
            known = std::make_shared<const graph::TensorFlows>(program->lookup);
          return Made{known, std::make_shared<const TensorModel>(
                                 program->lookup, known->of(function))};
        });
  }
  if (!pending.valid() || (!wait && pending.wait_for(std::chrono::seconds(0)) !=
                                        std::future_status::ready)) {
    if (shown != wanted) {
      model.reset();
      shown = {};
    }
    return;
  }
  Made made = pending.get();
  if (asked != wanted)
    return update(program, function, wait);
  owner = program.shared_from_this();
  flows = std::move(made.flows);
  model = std::move(made.model);
  isBufferized = !flows->empty();
  shown = asked;
  wantsFit = isLegendStale = true;
  wantsWhole = false;
  followed = {};
}

void TensorView::zoomBy(float factor, ImVec2 place) {
  const float next = std::clamp(zoom * factor, 0.02f, 6.f);
  const float x = place.x - corner.x, y = place.y - corner.y;
  panX = x - (x - panX) * next / zoom;
  panY = y - (y - panY) * next / zoom;
  zoom = next;
}

void TensorView::fit() {
  const graph::TensorPainting &painting = model->light;
  const float scale = uiScale();
  const float width = float(std::max(painting.width, 1)),
              height = float(std::max(painting.legendTop, 1));
  zoom = std::clamp(std::min(size.x / width, size.y / height), 0.02f,
                    1.15f * scale);
  if (zoom < 0.75f * scale && !wantsWhole)
    zoom = std::clamp(size.x / width, 0.75f * scale, scale);
  panX = panY = 0;
  wantsFit = wantsWhole = false;
}

void TensorView::follow(const Place &place, const TensorSelection &selection) {
  const bool isSame = place.value == followed.value &&
                      place.op == followed.op && place.mark == followed.mark;
  if (isSame)
    return;
  followed = place;
  const int group = selection.chip >= 0 ? selection.chip : selection.row;
  if (group < 0)
    return;
  graph::Box box = model->groupBoxes[size_t(group)];
  // A row is as wide as its words: its begin is enough.
  if (group == selection.row)
    box.right = std::min(box.right, box.left + 200);
  const ImVec2 a = onScreen(box.left, box.top),
               b = onScreen(box.right, box.bottom);
  // No farther across than needed: places and labels are on the left.
  const float slack = std::min(60 * uiScale(), size.x / 4);
  if (b.x > corner.x + size.x)
    panX += corner.x + size.x - slack - b.x;
  else if (a.x < corner.x)
    panX += corner.x + slack - a.x;
  if (a.y < corner.y || b.y > corner.y + size.y)
    panY += corner.y + (size.y - (b.y - a.y)) / 2 - a.y;
}

const graph::TensorPainting &TensorView::legendFor(graph::ThemeName theme,
                                                   int width) {
  if (isLegendStale || legendTheme != theme || legend.width != width)
    legend = paintTensorLegend(model->flow, theme, width);
  isLegendStale = false;
  legendTheme = theme;
  return legend;
}

} // namespace memreflens::viewer
