//===- core/trace/Pack.h - records of a trace in a few bytes --------------===//
//
// For what has to be kept until the whole is known, as the traces of a file's
// batches: about a fiftieth of the records' own memory. Only this process can
// read it again.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_TRACE_PACK_H
#define MEMREFLENS_TRACE_PACK_H

#include "core/trace/Event.h"
#include "core/trace/Model.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace memreflens::trace {

/// `T` is Function, Block, Op, Value or Event. From any thread.
template <class T> std::string pack(std::span<const T> records);
/// What `pack` was given.
template <class T> std::vector<T> unpack(std::string_view packed);

} // namespace memreflens::trace

#endif // MEMREFLENS_TRACE_PACK_H
