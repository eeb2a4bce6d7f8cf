//===- viewer/panels/RunPanel.h - the panel: arguments, and what was counted
//---===//

#ifndef MEMREFLENS_VIEWER_PANELS_RUNPANEL_H
#define MEMREFLENS_VIEWER_PANELS_RUNPANEL_H

#include "viewer/work/ProgramRun.h"

namespace memreflens::viewer {

/// What the panel is asked for.
enum class RunWish : uint8_t { nothing, run, graph };

/// The panel. `canRun`: it is no saved trace, and is read.
RunWish drawRun(const Program &program, ViewState &state, ProgramRun &run,
                bool canRun, double now);

} // namespace memreflens::viewer

#endif // MEMREFLENS_VIEWER_PANELS_RUNPANEL_H
