//===- core/graph/OwnershipPicture.h - the user's CFG with its decisions --===//
//
// The program as the user wrote it, with what the ownership pass decided for
// each block and edge, and what is freed by the code that is left in the end.
//
//   Picture picture = ownershipPicture(lookup, function, {});
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_GRAPH_OWNERSHIPPICTURE_H
#define MEMREFLENS_GRAPH_OWNERSHIPPICTURE_H

#include "core/graph/Picture.h"
#include "core/query/Lookup.h"

namespace memreflens::graph {

enum class Detail : uint8_t {
  blocks, ///< chips only; regions in which nothing is decided are one line
  ops,    ///< operations too; folded where there are many
};

struct PictureOptions {
  Detail detail = Detail::ops;
  /// Characters of a line of IR.
  size_t lineLimit = 64;
  /// Lines of one node before those that touch no memref are folded.
  size_t maxLines = 12;
  /// Chips of one row before the rest is counted.
  size_t maxChips = 12;
  /// Blocks of a function up to which every region is drawn; past it only those
  /// in which something is decided.
  size_t smallFunction = 60;
  /// Each chip of a decision has its sentence as tooltip: the dear part of a
  /// large picture. Without, who shows the chip asks for it (DecisionText.h).
  bool hasSentences = true;
};

/// Of a declaration: its boundary only.
Picture ownershipPicture(const Lookup &lookup, Id function,
                         const PictureOptions &options);

} // namespace memreflens::graph

#endif // MEMREFLENS_GRAPH_OWNERSHIPPICTURE_H
