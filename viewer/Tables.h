//===- viewer/Tables.h - who owns what, and for how long ------------------===//

#ifndef MEMREFLENS_VIEWER_TABLES_H
#define MEMREFLENS_VIEWER_TABLES_H

#include "viewer/State.h"

namespace memreflens::viewer {

void drawMatrix(const Program &program, ViewState &state);
void drawLifetimes(const Program &program, ViewState &state);

} // namespace memreflens::viewer

#endif // MEMREFLENS_VIEWER_TABLES_H
