//===- core/trace/Json.h - a trace as JSON, and back ----------------------===//
//
// The form that `memref-lens trace` writes and every front end reads;
// docs/trace.schema.json describes it. A field equal to its default is left
// out; equal traces give equal bytes.
//
//   writeJson(trace, file);
//   ReadResult result = readJson(text);  // result.trace, or result.error:
//                                        // "events[12].kind: unknown kind 'x'"
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_TRACE_JSON_H
#define MEMREFLENS_TRACE_JSON_H

#include "core/trace/Model.h"
#include "core/trace/Workers.h"

#include <istream>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>

namespace memreflens::trace {

class PackedTrace;

/// Writes one record a line. Text that is not valid UTF-8 is written as
/// `{"base64":"..."}` in place of a string, so that no byte is lost.
void writeJson(const Trace &trace, std::ostream &out,
               const Workers &workers = workAlone);

/// Byte by byte the same, of one that is not in memory.
void writeJson(const PackedTrace &trace, std::ostream &out,
               const Workers &workers = workAlone);

struct ReadResult {
  /// Set if the text is a trace of this version whose ids are all in range
  /// (Validate.h).
  std::optional<Trace> trace;
  /// One sentence that starts with the place in the JSON; empty on success.
  std::string error;

  explicit operator bool() const { return trace.has_value(); }
};

/// Most bytes of JSON that are read from a compressed file, and that commands
/// read: a trace holds the program nine times and all that was decided.
inline constexpr size_t maxTraceBytes = size_t(1) << 30;

/// Never throws and never crashes, whatever the text. Keeps no document: memory
/// is that of the trace, and of the longest text in it once more. Both read
/// JSON that `zstd` has compressed, too.
ReadResult readJson(std::string_view text);
/// The same, from the beginning of a file; on failure it is read again.
ReadResult readJson(std::istream &stream);

} // namespace memreflens::trace

#endif // MEMREFLENS_TRACE_JSON_H
