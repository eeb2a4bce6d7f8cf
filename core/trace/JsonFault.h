//===- core/trace/JsonFault.h - why a text is no trace --------------------===//
//
// Looks through a text that could not be read for what comes before any fault
// of one record: nested too deep, not JSON, of another version.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_TRACE_JSONFAULT_H
#define MEMREFLENS_TRACE_JSONFAULT_H

#include <istream>
#include <string>
#include <string_view>

namespace memreflens::trace {

/// Deepest nesting of a trace.
inline constexpr int maxJsonDepth = 128;

/// Empty if it is JSON of this version. Keeps none of the text.
std::string faultOf(std::string_view text);
/// The same; the stream is read twice, from its beginning.
std::string faultOf(std::istream &stream);

} // namespace memreflens::trace

#endif // MEMREFLENS_TRACE_JSONFAULT_H
