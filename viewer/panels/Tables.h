//===- viewer/panels/Tables.h - who owns what, for how long, and why ------===//

#ifndef MEMREFLENS_VIEWER_PANELS_TABLES_H
#define MEMREFLENS_VIEWER_PANELS_TABLES_H

#include "viewer/state/State.h"

namespace memreflens::viewer {

/// The matrix, and beside it deallocs, liveness, signatures, aliases, findings.
void drawMatrix(const Program &program, ViewState &state);
/// The matrix alone: value by block, at this step, with its history.
void drawOwnership(const Program &program, ViewState &state,
                   std::string_view filter);
void drawLifetimes(const Program &program, ViewState &state);
/// Buffers that it shows of the function.
size_t countLifetimes(const Program &program, ViewState &state);

} // namespace memreflens::viewer

#endif // MEMREFLENS_VIEWER_PANELS_TABLES_H
