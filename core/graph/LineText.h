//===- core/graph/LineText.h - an operation on one line -------------------===//
//
// The user's own text for an op, up to its regions, cut to what fits into a
// picture: long types go first, then the tail. The whole text is the tooltip.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_GRAPH_LINETEXT_H
#define MEMREFLENS_GRAPH_LINETEXT_H

#include "core/graph/Picture.h"
#include "core/query/Index.h"

namespace memreflens::graph {

/// Line of an op of the user's. Where the file has no text for it (bytecode,
/// what a pre-pass made), its name with results and operands.
Line lineOf(const trace::Trace &trace, const trace::Op &op, size_t limit);

/// Whether the op's regions stand in the file: those of `linalg.fill` do not.
bool hasWrittenRegions(const trace::Trace &trace, const trace::Op &op);

/// At most `limit` characters of UTF-8 text; "…" stands for what is cut. Cuts
/// what stands in `<...>` before it cuts the tail.
std::string shortened(std::string_view text, size_t limit);

/// Word before a region's brace: "then", "else", "case 1", "default", "do".
std::string regionWord(const trace::Trace &trace, const trace::Op &op,
                       size_t region);

} // namespace memreflens::graph

#endif // MEMREFLENS_GRAPH_LINETEXT_H
