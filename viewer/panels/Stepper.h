//===- viewer/panels/Stepper.h - stages, and decisions in order -----------===//

#ifndef MEMREFLENS_VIEWER_PANELS_STEPPER_H
#define MEMREFLENS_VIEWER_PANELS_STEPPER_H

#include "viewer/state/State.h"

namespace memreflens::viewer {

void drawStages(const Program &program, ViewState &state);
void drawStepper(const Program &program, ViewState &state);
/// Each step takes `factor` times as long.
void changeSpeed(ViewState &state, double factor);
/// All decisions of the function, one a line.
void drawEvents(const Program &program, ViewState &state);

} // namespace memreflens::viewer

#endif // MEMREFLENS_VIEWER_PANELS_STEPPER_H
