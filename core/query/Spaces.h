//===- core/query/Spaces.h - memory spaces of a program -------------------===//

#ifndef MEMREFLENS_QUERY_SPACES_H
#define MEMREFLENS_QUERY_SPACES_H

#include "core/trace/Model.h"

#include <optional>
#include <string>
#include <vector>

namespace memreflens {

/// One of them, as MLIR prints it (trace::SpaceUse); nothing: all together,
/// where the program has no other than the default one.
using Space = std::optional<std::string>;

/// Whether figures of memory are told by space.
bool hasSpaces(const trace::Trace &trace);
/// Those in which the function, or what it calls, has memory; at least one.
/// `isToldBySpace`: what `hasSpaces` says of its trace.
std::vector<Space> spacesOf(const trace::Function &function,
                            bool isToldBySpace);
/// What the user calls it (trace::RunOptions::spaces); may be empty.
std::string nameOfSpace(const trace::Trace &trace, const Space &space);
/// What the function has in it.
const trace::HeapUse &heapIn(const trace::Function &function,
                             const Space &space);

} // namespace memreflens

#endif // MEMREFLENS_QUERY_SPACES_H
