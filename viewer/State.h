//===- viewer/State.h - what is shown, as plain data ----------------------===//
//
// Where the user is in a program: function, stage, decision, selection, and the
// way that led there. Panels read it and change nothing else; no window.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_VIEWER_STATE_H
#define MEMREFLENS_VIEWER_STATE_H

#include "core/explain/Lookup.h"
#include "core/graph/Theme.h"

#include <memory>
#include <string>
#include <vector>

namespace memreflens::viewer {

using trace::Id;
using trace::none;

/// A trace with its index; never moved, since the index refers to the trace.
struct Program {
  explicit Program(trace::Trace read) : trace(std::move(read)), lookup(trace) {}
  Program(const Program &) = delete;
  const trace::Trace trace;
  const Lookup lookup;
};

/// What the history goes back to.
struct Place {
  Id function = none;
  int stage = 3;
  Id event = none;
  Id value = none;
  bool operator==(const Place &) const = default;
};

struct ViewState {
  Place place;
  std::vector<Place> back, forward;
  /// The graph shows the stage's IR instead of the decisions.
  bool showsStageGraph = false;
  bool isPlaying = false;
  double secondsPerStep = 0.6;
  double sinceStep = 0;
  graph::ThemeName theme = graph::ThemeName::dark;
  char functionFilter[128] = "";
  /// Canvas: screen = point * zoom + pan.
  float zoom = 1, panX = 0, panY = 0;
  bool wantsFit = true;
  /// Set when the event or value changed, so that lists scroll to it.
  bool wantsScroll = false;
};

/// The first function that was analysed, at its first decision.
void start(ViewState &state, const Program &program);
/// All below remember the place left, for `goBack`.
void selectFunction(ViewState &state, const Program &program, Id function);
void selectStage(ViewState &state, const Program &program, int stage);
void selectEvent(ViewState &state, const Program &program, Id event);
void selectValue(ViewState &state, const Program &program, Id value);
/// What stands at a byte of the source: its function, and value if one.
void selectOffset(ViewState &state, const Program &program, uint32_t offset);
/// A place found elsewhere; what it does not name stays as it is.
void selectPlace(ViewState &state, const Program &program, const Place &place);
void goBack(ViewState &state);
void goForward(ViewState &state);

/// The next (+1) or previous (-1) decision of the function; false at the end.
bool step(ViewState &state, const Program &program, int direction);
/// The same, among those that name the selected value.
bool stepValue(ViewState &state, const Program &program, int direction);

/// Byte at which a line (from 1) begins.
uint32_t offsetOfLine(const trace::Trace &trace, uint32_t line);

} // namespace memreflens::viewer

#endif // MEMREFLENS_VIEWER_STATE_H
