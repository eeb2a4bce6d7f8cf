//===- viewer/panels/Why.h - why a decision was taken ---------------------===//

#ifndef MEMREFLENS_VIEWER_PANELS_WHY_H
#define MEMREFLENS_VIEWER_PANELS_WHY_H

#include "viewer/state/State.h"

namespace memreflens::viewer {

void drawWhy(const Program &program, ViewState &state);

} // namespace memreflens::viewer

#endif // MEMREFLENS_VIEWER_PANELS_WHY_H
