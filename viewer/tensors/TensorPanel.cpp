//===- viewer/tensors/TensorPanel.cpp -------------------------------------===//

#include "viewer/tensors/TensorPanel.h"

#include "viewer/canvas/Theme.h"
#include "viewer/panels/Rows.h"
#include "viewer/tensors/TensorView.h"

#include <algorithm>
#include <cmath>

namespace memreflens::viewer {

/// Why there is no picture; empty where there is one.
static std::string emptyWords(const Program &program, const ViewState &state,
                              const TensorView &view) {
  if (!view.isBufferized)
    return "one-shot-bufferize did not run: `memref-lens-viewer --bufferize "
           "FILE` shows what it makes of a program's tensors";
  if (!view.model->flow.empty())
    return "";
  const trace::Function *function =
      program.lookup.function(state.place.function);
  return "@" + function->title() + " has no tensor operands";
}

static void drawButtons(TensorView &view) {
  const ImVec2 middle{view.corner.x + view.size.x / 2,
                      view.corner.y + view.size.y / 2};
  if (ImGui::SmallButton(" - "))
    view.zoomBy(0.8f, middle);
  ImGui::SameLine();
  if (ImGui::SmallButton(" + "))
    view.zoomBy(1.25f, middle);
  ImGui::SameLine();
  if (ImGui::SmallButton("fit"))
    view.wantsFit = view.wantsWhole = true;
  ImGui::SameLine();
  if (ImGui::SmallButton(view.hasLegend ? "hide legend" : "legend"))
    view.legendWish =
        view.hasLegend ? TensorView::Legend::hidden : TensorView::Legend::shown;
}

static void tell(const TensorModel &model, int group) {
  const std::string &words = model.tooltipOf(group);
  if (words.empty())
    return;
  ImGui::BeginTooltip();
  ImGui::PushTextWrapPos(480 * uiScale());
  ImGui::TextUnformatted(words.data(), words.data() + words.size());
  ImGui::PopTextWrapPos();
  ImGui::EndTooltip();
}

static void answerMouse(const Program &program, ViewState &state,
                        TensorView &view) {
  const ImGuiIO &io = ImGui::GetIO();
  if (ImGui::IsItemActive() && ImGui::IsMouseDragging(0)) {
    view.panX += io.MouseDelta.x;
    view.panY += io.MouseDelta.y;
  }
  if (!ImGui::IsItemHovered())
    return;
  if (io.MouseWheel != 0)
    view.zoomBy(std::pow(1.15f, io.MouseWheel), io.MousePos);
  if (ImGui::IsMouseDragging(0))
    return;
  const double slack = double(5 * uiScale() / view.zoom);
  view.hovered = view.model->groupAt(view.atScreen(io.MousePos), slack);
  tell(*view.model, view.hovered);
  const ImVec2 dragged = ImGui::GetMouseDragDelta(0, 0);
  if (ImGui::IsMouseReleased(0) && dragged.x == 0 && dragged.y == 0)
    selectTensorGroup(program, state, *view.model, view.hovered);
}

static void drawPicture(const Program &program, ViewState &state,
                        TensorView &view, ImVec2 size) {
  view.corner = ImGui::GetCursorScreenPos();
  view.size = size;
  if (view.wantsFit)
    view.fit();
  const TensorSelection selection = selectionOf(program, state, *view.model);
  view.follow(state.place, selection);
  ImGui::InvisibleButton("tensors", size);
  ImDrawList *list = ImGui::GetWindowDrawList();
  list->PushClipRect(view.corner,
                     {view.corner.x + size.x, view.corner.y + size.y}, true);
  paintTensorView(state, view, selection);
  list->PopClipRect();
  answerMouse(program, state, view);
}

void drawTensors(const Program &program, ViewState &state, bool waits) {
  if (!program.lookup.function(state.place.function)) {
    ImGui::TextDisabled("no function");
    return;
  }
  TensorView &view = cacheOf<TensorView>(state);
  view.hovered = -1;
  view.update(program, state.place.function, waits);
  if (!view.model) {
    ImGui::TextDisabled("drawing the tensors ...");
    return;
  }
  if (std::string words = emptyWords(program, state, view); !words.empty()) {
    ImGui::PushStyleColor(ImGuiCol_Text,
                          ImGui::GetStyleColorVec4(ImGuiCol_TextDisabled));
    showWrapped(words);
    ImGui::PopStyleColor();
    return;
  }
  drawButtons(view);
  const ImVec2 room = ImGui::GetContentRegionAvail();
  const float scale = uiScale();
  const graph::TensorPainting &legend =
      view.legendFor(state.theme, int(std::max(40.f, room.x / scale)));
  const float high = float(legend.height) * scale;
  // Where the panel is low, the picture needs all of it.
  view.hasLegend =
      view.legendWish == TensorView::Legend::shown ||
      (view.legendWish == TensorView::Legend::ifFits && room.y > 5 * high);
  drawPicture(program, state, view,
              {std::max(20.f, room.x),
               std::max(20.f, room.y - (view.hasLegend ? high : 0))});
  if (view.hasLegend)
    paintTensorLegendAt(legend, {view.corner.x, view.corner.y + view.size.y},
                        scale);
}

} // namespace memreflens::viewer
