//===- viewer/panels/Overview.h - what to do about this file, first -------===//
//
// The causes of what was found, ranked by what their remedies gain, with the
// figures of the file. A click goes to the place, and lists the places behind.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_VIEWER_PANELS_OVERVIEW_H
#define MEMREFLENS_VIEWER_PANELS_OVERVIEW_H

#include "viewer/panels/Findings.h"

namespace memreflens::viewer {

/// The panel. True when a check is asked for. `isWhole`: remedies are tested
/// and paths tried, which takes the program; a saved trace has causes only.
bool drawOverview(const Program &program, ViewState &state, Findings &findings,
                  bool isWhole);

} // namespace memreflens::viewer

#endif // MEMREFLENS_VIEWER_PANELS_OVERVIEW_H
