//===- viewer/panels/Lowering.h - IR of two stages side by side -----------===//

#ifndef MEMREFLENS_VIEWER_PANELS_LOWERING_H
#define MEMREFLENS_VIEWER_PANELS_LOWERING_H

#include "viewer/state/State.h"

namespace memreflens::viewer {

void drawLowering(const Program &program, ViewState &state);

} // namespace memreflens::viewer

#endif // MEMREFLENS_VIEWER_PANELS_LOWERING_H
