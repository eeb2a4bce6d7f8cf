//===- viewer/memory/MemoryView.cpp - where the user is in a function's memory
//---===//

#include "viewer/memory/MemoryView.h"

#include "core/query/Lifetimes.h"
#include "core/text/Bytes.h"
#include "core/text/Escape.h"

#include <algorithm>
#include <cmath>

namespace memreflens::viewer {

void MemoryView::update(const Program &program, Id function, bool wait) {
  if (const Key of{program.serial, function, 0}; listed != of) {
    listed = of;
    spaces = spacesOf(*program.lookup.function(function),
                      hasSpaces(program.lookup.getTrace()));
  }
  space = std::min(space, spaces.size() - 1);
  const Key wanted{program.serial, function, space};
  if (!pending.valid() && shown != wanted) {
    asked = wanted;
    // The thread keeps the program alive, whatever becomes of its tab.
    pending =
        std::async(wait ? std::launch::deferred : std::launch::async,
                   [program = program.shared_from_this(), function,
                    chosen = spaces[space]] {
                     return std::make_shared<const MemoryModel>(
                         memory::memoryOf(program->lookup, function, chosen));
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
  auto made = pending.get();
  if (asked != wanted)
    return update(program, function, wait);
  model = std::move(made);
  shown = asked;
  isStackStale = isAliveStale = true;
  pinned = -1;
  showAll();
}

const Stack &MemoryView::stackFor(const StackRequest &request) {
  if (isStackStale || stackRequest != request || stackWindow != window) {
    isStackStale = false;
    stackRequest = request;
    stackWindow = window;
    stack = stackOf(*model, window, request);
  }
  return stack;
}

const Alive &MemoryView::aliveFor(size_t step) {
  if (isAliveStale || alive.step != step)
    alive = aliveAt(*model, step);
  isAliveStale = false;
  return alive;
}

size_t MemoryView::cursor(const ViewState &state) const {
  if (auto at = model->stepOfOp.find(state.place.op);
      at != model->stepOfOp.end())
    return at->second;
  return pinned >= 0 ? size_t(pinned) : model->use.peakStep;
}

size_t MemoryView::stepLookedAt(const ViewState &state) const {
  return hoveredStep >= 0 ? size_t(hoveredStep) : cursor(state);
}

int MemoryView::selectedBuffer(const ViewState &state) const {
  auto at = model->bufferOfValue.find(state.place.value);
  return at == model->bufferOfValue.end() ? -1 : int(at->second);
}

void MemoryView::showAll() {
  window = StepWindow{0, double(model->steps())}.within(model->steps());
}

void MemoryView::showStep(size_t step) {
  if (double(step) >= window.from && double(step) + 1 <= window.to)
    return;
  const double wide = window.width();
  window = StepWindow{double(step) - wide / 2, double(step) + wide / 2}.within(
      model->steps());
}

void selectInMemory(const Program &program, ViewState &state, MemoryView &view,
                    int step, int buffer) {
  const memory::MemoryUse &use = view.model->use;
  if (step >= 0)
    view.pinned = step;
  if (buffer >= 0) {
    selectValue(state, program, use.buffers[size_t(buffer)].value);
    return;
  }
  if (step < 0 || size_t(step) >= use.steps.size())
    return;
  const Id op = use.steps[size_t(step)];
  const trace::Op *known = program.lookup.op(op);
  if (known && !known->nameRange.empty())
    return selectRange(state, program, known->nameRange);
  // What a pass made has no place; no other op stays selected.
  Place next = state.place;
  next.op = none;
  next.mark = {};
  selectPlace(state, program, next);
}

void goToPeak(const Program &program, ViewState &state, MemoryView &view) {
  selectInMemory(program, state, view, int(view.model->use.peakStep), -1);
  view.showStep(view.model->use.peakStep);
}

bool answerOverSteps(const char *id, MemoryView &view, ImVec2 size) {
  const ImVec2 origin = ImGui::GetCursorScreenPos();
  ImGui::InvisibleButton(id, size);
  const ImGuiIO &io = ImGui::GetIO();
  const double each = view.window.width() / double(size.x);
  const size_t steps = view.model->steps();
  if (ImGui::IsItemHovered() && io.MouseWheel != 0) {
    const double at =
        view.window.from + double(io.MousePos.x - origin.x) * each;
    view.window = view.window.zoomed(std::pow(1.25, double(io.MouseWheel)), at)
                      .within(steps);
  }
  if (ImGui::IsItemActive() && ImGui::IsMouseDragging(0)) {
    const double moved = double(io.MouseDelta.x) * each;
    view.window =
        StepWindow{view.window.from - moved, view.window.to - moved}.within(
            steps);
  }
  const ImVec2 dragged = ImGui::GetMouseDragDelta(0, 0);
  return ImGui::IsItemHovered() && ImGui::IsMouseReleased(0) &&
         dragged.x == 0 && dragged.y == 0;
}

std::string placeOfStep(const memory::MemoryUse &use, size_t step) {
  if (step < use.places.size() && !use.places[step].empty())
    return use.places[step];
  for (size_t before = std::min(step, use.places.size()); before-- > 0;)
    if (!use.places[before].empty())
      return "behind " + use.places[before];
  return "step " + std::to_string(step);
}

std::string titleOf(const memory::Buffer &buffer) {
  return buffer.name + "  " + bytesText(buffer.bytes);
}

void tellAtStep(const memory::MemoryUse &use, size_t step,
                const std::string &what) {
  const std::string text = visibleText(placeOfStep(use, step) + ": " + what);
  ImGui::BeginTooltip();
  ImGui::TextUnformatted(text.c_str());
  ImGui::EndTooltip();
}

} // namespace memreflens::viewer
