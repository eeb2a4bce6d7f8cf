//===- viewer/panels/Timeline.h - the decisions of a function as ticks ----===//

#ifndef MEMREFLENS_VIEWER_PANELS_TIMELINE_H
#define MEMREFLENS_VIEWER_PANELS_TIMELINE_H

#include "viewer/state/State.h"

namespace memreflens::viewer {

/// One tick a decision, in the accent of its kind; below, those that name the
/// selected value. A press or drag goes there.
void drawTimeline(const Program &program, ViewState &state);

/// The accent of a kind of decision.
graph::Meaning meaningOf(const trace::Event &event);

} // namespace memreflens::viewer

#endif // MEMREFLENS_VIEWER_PANELS_TIMELINE_H
