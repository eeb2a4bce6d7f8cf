//===- viewer/canvas/Fold.h - ops with regions as one node ----------------===//

#ifndef MEMREFLENS_VIEWER_CANVAS_FOLD_H
#define MEMREFLENS_VIEWER_CANVAS_FOLD_H

#include "core/graph/Picture.h"

#include <set>
#include <string>

namespace memreflens::viewer {

/// The picture with one node in place of each cluster that is named: its key is
/// that of the cluster. Edges that led into it lead to the node.
graph::Picture folded(graph::Picture picture,
                      const std::set<std::string> &clusters);

} // namespace memreflens::viewer

#endif // MEMREFLENS_VIEWER_CANVAS_FOLD_H
