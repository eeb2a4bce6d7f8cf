//===- core/trace/Id.h - how records of a trace name each other -----------===//

#ifndef MEMREFLENS_TRACE_ID_H
#define MEMREFLENS_TRACE_ID_H

#include <cstdint>

namespace memreflens::trace {

/// Index into one of the trace's vectors.
using Id = int32_t;
inline constexpr Id none = -1;

/// Highest number of a stage; a pipeline of more passes is rejected.
inline constexpr int maxStage = 255;

} // namespace memreflens::trace

#endif // MEMREFLENS_TRACE_ID_H
