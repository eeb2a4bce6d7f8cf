//===- viewer/memory/MemoryArena.cpp - one arena: time across, address up -===//

#include "viewer/canvas/CanvasPainter.h"
#include "viewer/canvas/Theme.h"
#include "viewer/memory/MemoryAxes.h"
#include "viewer/memory/MemoryPacking.h"

#include "core/query/Lifetimes.h"
#include "core/text/Escape.h"

namespace memreflens::viewer {

using graph::Meaning;

namespace {
struct ArenaCache {
  std::shared_ptr<const MemoryModel> model;
  StepWindow window;
  PackingRequest request;
  std::vector<Packed> packing;
};

class ArenaPicture {
public:
  ArenaPicture(const Program &program, ViewState &state, MemoryView &view,
               ImVec2 size)
      : program(program), state(state), view(view), model(*view.model),
        theme(graph::themeOf(state.theme)), list(ImGui::GetWindowDrawList()),
        axes(view, state, size) {}

  void draw() {
    ImGui::SetCursorScreenPos(axes.origin);
    const bool isClicked = answerOverSteps("arena", view, axes.room);
    const bool isHovered = ImGui::IsItemHovered();
    const memory::ArenaPlan &plan = model.use.plans[view.plan];
    axes.setTop(plan.bytes);
    if (isHovered)
      lookAt(ImGui::GetMousePos());
    axes.clip();
    axes.drawBytes();
    drawBuffers();
    axes.drawPlaces();
    axes.drawCursor(state, isHovered);
    list->PopClipRect();
    if (isHovered && !ImGui::IsMouseDragging(0))
      tell(plan);
    if (isClicked)
      selectInMemory(program, state, view, view.hoveredStep,
                     view.hoveredBuffer);
  }

private:
  /// Of what shares a column, what is alive at its first step.
  void lookAt(ImVec2 mouse) {
    const StepRange steps = stepsOf(view.window, axes.columnAt(mouse.x),
                                    axes.columns, model.steps());
    hoveredByte = uint64_t(axes.bytesAt(mouse.y));
    view.hoveredStep = int(steps.begin);
    view.hoveredBuffer = bufferAt(model, view.plan, steps.begin, hoveredByte);
  }

  void drawBuffers() {
    ArenaCache &cache = cacheOf<ArenaCache>(state);
    const PackingRequest request{view.plan, axes.columns, int(axes.room.y),
                                 view.selectedBuffer(state)};
    if (cache.model != view.model || cache.window != view.window ||
        cache.request != request)
      cache = {view.model, view.window, request,
               packingOf(model, view.window, request)};
    const float bottom = axes.origin.y + axes.room.y;
    for (const Packed &packed : cache.packing) {
      if (isFullOf(list, 56000))
        return;
      const ImVec2 a{axes.origin.x + packed.left, bottom - packed.high},
          b{axes.origin.x + packed.right, bottom - packed.low};
      const bool isOne = packed.buffer >= 0;
      const bool isChosen = isOne && packed.buffer == request.selected;
      const bool isUnder = isOne && packed.buffer == view.hoveredBuffer;
      const graph::Accent &accent =
          isChosen ? theme.of(Meaning::ownedIf)
          : isOne  ? theme.ofFill(model.use.buffers[size_t(packed.buffer)].fill)
                   : theme.of(Meaning::owned);
      list->AddRectFilled(a, b,
                          colorOf(accent.line, isChosen  ? 0.9f
                                               : isUnder ? 0.9f
                                               : isOne   ? 0.6f
                                                         : 0.45f));
      if (b.x - a.x > 4 && b.y - a.y > 4)
        list->AddRect(a, b, colorOf(theme.ground));
      drawName(packed, a, b);
    }
  }

  void drawName(const Packed &packed, ImVec2 a, ImVec2 b) {
    const float line = ImGui::GetTextLineHeight();
    if (packed.buffer < 0 || b.y - a.y < line || b.x - a.x < 30 * uiScale())
      return;
    const std::string name =
        visibleText(model.use.buffers[size_t(packed.buffer)].name);
    if (ImGui::CalcTextSize(name.c_str()).x + 6 > b.x - a.x)
      return;
    list->AddText({a.x + 3, (a.y + b.y - line) / 2}, colorOf(theme.text),
                  name.c_str());
  }

  void tell(const memory::ArenaPlan &plan) {
    std::string text = "free at byte " + std::to_string(hoveredByte);
    if (view.hoveredBuffer >= 0) {
      const size_t i = size_t(view.hoveredBuffer);
      const memory::Buffer &buffer = model.use.buffers[i];
      text = titleOf(buffer) + " at byte " + std::to_string(plan.offsets[i]) +
             ", from " + placeOfStep(model.use, buffer.begin) + " to " +
             placeOfStep(model.use, buffer.lastUse);
    }
    tellAtStep(model.use, size_t(view.hoveredStep), text);
  }

  const Program &program;
  ViewState &state;
  MemoryView &view;
  const MemoryModel &model;
  const graph::Theme &theme;
  ImDrawList *list;
  MemoryAxes axes;
  uint64_t hoveredByte = 0;
};
} // namespace

void drawArena(const Program &program, ViewState &state, MemoryView &view,
               ImVec2 size) {
  ArenaPicture(program, state, view, size).draw();
}

} // namespace memreflens::viewer
