//===- viewer/tensors/TensorPanel.h - which tensors share a buffer --------===//

#ifndef MEMREFLENS_VIEWER_TENSORS_TENSORPANEL_H
#define MEMREFLENS_VIEWER_TENSORS_TENSORPANEL_H

#include "viewer/state/State.h"

namespace memreflens::viewer {

/// The function's tensors as `memref-lens export --view tensors` draws them: a
/// click on a tensor selects its memref and its place. `waits`: made within the
/// frame, for tests and pictures.
void drawTensors(const Program &program, ViewState &state, bool waits);

} // namespace memreflens::viewer

#endif // MEMREFLENS_VIEWER_TENSORS_TENSORPANEL_H
