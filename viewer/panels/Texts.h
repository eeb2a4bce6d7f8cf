//===- viewer/panels/Texts.h - functions, source, problems ----------------===//
//
// Each draws the rest of the current window from a program and a view state,
// and changes only the state.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_VIEWER_PANELS_TEXTS_H
#define MEMREFLENS_VIEWER_PANELS_TEXTS_H

#include "viewer/state/State.h"

namespace memreflens::viewer {

/// `isPart`: more functions are to come.
void drawFunctions(const Program &program, ViewState &state, bool isPart);
void drawSource(const Program &program, ViewState &state);
/// What the text's reader reported, and which functions are rejected.
size_t countProblems(const Program &program, ViewState &state);
void drawProblems(const Program &program, ViewState &state);

} // namespace memreflens::viewer

#endif // MEMREFLENS_VIEWER_PANELS_TEXTS_H
