//===- viewer/memory/MemoryPlot.cpp - live bytes over the steps -----------===//
//
// Each buffer is a strip, strong while it is in use and faint while it is idle;
// over them lie the curves: as the pipeline leaves it, and deallocated right
// after the last use. Of the steps that share a column the highest is shown,
// and so the peak at every zoom.
//
//===----------------------------------------------------------------------===//

#include "viewer/canvas/CanvasPainter.h"
#include "viewer/canvas/Theme.h"
#include "viewer/memory/MemoryAxes.h"

#include "core/explain/CostText.h"
#include "core/query/Lifetimes.h"
#include "core/text/Escape.h"

#include <algorithm>

namespace memreflens::viewer {

using graph::Meaning;

namespace {
class Plot {
public:
  Plot(const Program &program, ViewState &state, MemoryView &view, ImVec2 size)
      : program(program), state(state), view(view), model(*view.model),
        theme(graph::themeOf(state.theme)), list(ImGui::GetWindowDrawList()),
        axes(view, state, size) {}

  void draw() {
    ImGui::SetCursorScreenPos(axes.origin);
    const bool isClicked = answerOverSteps("plot", view, axes.room);
    const bool isHovered = ImGui::IsItemHovered();
    stack = &view.stackFor(
        {axes.columns, int(axes.room.y), view.selectedBuffer(state)});
    axes.setTop(stack->top);
    if (isHovered)
      lookAt(ImGui::GetMousePos());
    axes.clip();
    axes.drawBytes();
    drawStrips();
    drawCurve(model.afterLastUse, colorOf(theme.of(Meaning::freed).line));
    drawCurve(model.needed, colorOf(theme.of(Meaning::allocated).line));
    drawCurve(model.asIs, colorOf(theme.text));
    axes.drawPlaces();
    axes.drawCursor(state, isHovered);
    drawPeak();
    list->PopClipRect();
    if (isHovered && !ImGui::IsMouseDragging(0))
      tell();
    if (isClicked)
      selectInMemory(program, state, view, view.hoveredStep,
                     view.hoveredBuffer);
  }

private:
  void lookAt(ImVec2 mouse) {
    const int column = axes.columnAt(mouse.x);
    view.hoveredStep = int(stack->steps[size_t(column)]);
    const Strip *strip = stack->at(column, uint64_t(axes.bytesAt(mouse.y)));
    view.hoveredBuffer = strip ? strip->buffer : Strip::others;
  }

  ImU32 colorOfStrip(const Strip &strip) const {
    if (strip.buffer == Strip::elsewhere)
      return colorOf(theme.dimText, 0.4f);
    const bool isOne = strip.buffer >= 0;
    if (isOne && strip.buffer == view.selectedBuffer(state))
      return colorOf(theme.of(Meaning::ownedIf).line, strip.isIdle ? 0.5f : 1);
    float alpha = strip.isIdle ? 0.25f : isOne ? 0.75f : 0.5f;
    if (isOne && strip.buffer == view.hoveredBuffer)
      alpha += 0.2f;
    if (!isOne)
      return colorOf(theme.of(Meaning::owned).line, alpha);
    const size_t fill = model.use.buffers[size_t(strip.buffer)].fill;
    return colorOf(theme.ofFill(fill).line, alpha);
  }

  void drawStrips() {
    for (const Strip &strip : stack->strips) {
      if (isFullOf(list, 56000))
        return;
      ImVec2 a{axes.origin.x + float(strip.begin),
               axes.yOf(double(strip.high))},
          b{axes.origin.x + float(strip.end), axes.yOf(double(strip.low))};
      // A gap between neighbours, where there is room for one.
      if (b.y - a.y > 3 && strip.buffer >= 0)
        a.y += 1;
      list->AddRectFilled(a, b, colorOfStrip(strip));
    }
  }

  /// Of the steps of a column the highest, whatever other curves do there.
  void drawCurve(const Heights &heights, ImU32 color) {
    float since = axes.origin.x, last = 0;
    auto flush = [&](float x) {
      list->AddRectFilled({since, last - 0.5f}, {x, last + 1}, color);
    };
    for (int column = 0; column < axes.columns; ++column) {
      const StepRange range =
          stepsOf(view.window, column, axes.columns, model.steps());
      const float y =
          axes.yOf(double(heights[heights.highest(range.begin, range.end)]));
      if (column > 0 && y == last)
        continue;
      const float x = axes.origin.x + float(column);
      if (column > 0) {
        flush(x);
        list->AddRectFilled({x - 0.5f, std::min(y, last) - 0.5f},
                            {x + 1, std::max(y, last) + 1}, color);
      }
      since = x;
      last = y;
    }
    flush(axes.origin.x + axes.room.x);
  }

  void drawPeak() {
    const size_t step = model.use.peakStep;
    if (!axes.isInSight(step) || model.use.peakBytes == 0)
      return;
    const float right = axes.origin.x + axes.room.x;
    const float x =
        std::clamp(axes.xOf(double(step) + 0.5), axes.origin.x, right);
    const float half = 4 * uiScale(), y = axes.yOf(double(model.use.peakBytes));
    const ImU32 color = colorOf(theme.text);
    list->AddTriangleFilled({x - half, y - 2 * half}, {x + half, y - 2 * half},
                            {x, y}, color);
    const std::string text =
        "peak " + peakText(model.use.peakBytes, !model.use.gaps.empty());
    const float wide = ImGui::CalcTextSize(text.c_str()).x;
    float left = x + 2 * half;
    if (left + wide > right)
      left = std::max(axes.origin.x, x - 2 * half - wide);
    list->AddText({left, y - 2 * half - ImGui::GetTextLineHeight() * 0.4f},
                  color, text.c_str());
  }

  void tell() {
    const size_t step = size_t(view.hoveredStep);
    const Alive &alive = view.aliveFor(step);
    std::string text = bytesText(model.asIs[step]) + " live";
    if (alive.idleBytes)
      text += ", " + bytesText(alive.idleBytes) + " idle";
    if (view.hoveredBuffer == Strip::elsewhere) {
      text += "\nin clones, or in what it calls";
    } else if (view.hoveredBuffer >= 0) {
      const memory::Buffer &buffer =
          model.use.buffers[size_t(view.hoveredBuffer)];
      text += "\n" + titleOf(buffer) + ", filled by " +
              model.use.fills[buffer.fill];
    }
    tellAtStep(model.use, step, text);
  }

  const Program &program;
  ViewState &state;
  MemoryView &view;
  const MemoryModel &model;
  const graph::Theme &theme;
  ImDrawList *list;
  MemoryAxes axes;
  const Stack *stack = nullptr;
};
} // namespace

void drawMemoryPlot(const Program &program, ViewState &state, MemoryView &view,
                    ImVec2 size) {
  Plot(program, state, view, size).draw();
}

} // namespace memreflens::viewer
