//===- viewer/memory/MemoryView.h - where the user is in a function's memory
//-----===//
//
// What the Memory panel remembers: the part in sight, the step that is looked
// at, the planner; and what was worked out for it, in a thread.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_VIEWER_MEMORY_MEMORYVIEW_H
#define MEMREFLENS_VIEWER_MEMORY_MEMORYVIEW_H

#include "viewer/memory/MemoryModel.h"
#include "viewer/state/State.h"

#include "imgui/imgui.h"

#include <future>

namespace memreflens::viewer {

struct MemoryView {
  /// Of the function at hand; null until it is worked out.
  std::shared_ptr<const MemoryModel> model;
  StepWindow window;
  /// The step that was clicked last; -1 for the peak.
  int pinned = -1;
  /// What the mouse is over in this frame; the buffer as in a Strip.
  int hoveredStep = -1, hoveredBuffer = -1;
  /// Of `use.plans`.
  size_t plan = 0;
  /// The function's memory spaces, and which of them is shown.
  std::vector<Space> spaces;
  size_t space = 0;

  /// Starts or takes over the model; `wait` makes it at once.
  void update(const Program &program, Id function, bool wait);
  bool isWorking() const { return pending.valid(); }
  const Stack &stackFor(const StackRequest &request);
  const Alive &aliveFor(size_t step);
  /// Where the user is, else the peak.
  size_t cursor(const ViewState &state) const;
  /// The step under the mouse, else the cursor.
  size_t stepLookedAt(const ViewState &state) const;
  /// -1 if it is none of the function's.
  int selectedBuffer(const ViewState &state) const;
  void showAll();
  void showStep(size_t step);

private:
  struct Key {
    uint64_t program = 0;
    Id function = none;
    size_t space = 0;
    bool operator==(const Key &) const = default;
  };
  Key shown, asked;
  /// Whose `spaces` are; the space of it is no matter.
  Key listed;
  std::future<std::shared_ptr<const MemoryModel>> pending;
  Stack stack;
  StackRequest stackRequest;
  StepWindow stackWindow;
  Alive alive;
  bool isStackStale = true, isAliveStale = true;
};

/// Goes to a buffer or, if it is -1, to the op of the step, in all panels.
void selectInMemory(const Program &program, ViewState &state, MemoryView &view,
                    int step, int buffer);
void goToPeak(const Program &program, ViewState &state, MemoryView &view);
/// An invisible item of that size: the wheel zooms the steps at the mouse, a
/// drag moves them. True if it was clicked without a drag.
bool answerOverSteps(const char *id, MemoryView &view, ImVec2 size);
/// "98:5"; "behind 98:5" where the op has no place of its own.
std::string placeOfStep(const memory::MemoryUse &use, size_t step);
/// "%a  4 KiB".
std::string titleOf(const memory::Buffer &buffer);
/// A tooltip: where it is, and what is there.
void tellAtStep(const memory::MemoryUse &use, size_t step,
                const std::string &what);

/// Live bytes over the steps, with the curves; the mouse and clicks.
void drawMemoryPlot(const Program &program, ViewState &state, MemoryView &view,
                    ImVec2 size);
/// One arena: time across, address up.
void drawArena(const Program &program, ViewState &state, MemoryView &view,
               ImVec2 size);

} // namespace memreflens::viewer

#endif // MEMREFLENS_VIEWER_MEMORY_MEMORYVIEW_H
