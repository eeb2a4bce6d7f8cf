//===- core/check/HandOver.h - a report, from process to process ----------===//
//
// A file is checked in one process, remedies are tried in another, and a third
// prints what came of it. Between them a report of thousands of findings goes
// as bytes, which both ends of one program understand, and nobody else: files
// are JSON (Formats.h).
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_CHECK_HANDOVER_H
#define MEMREFLENS_CHECK_HANDOVER_H

#include "core/check/Finding.h"

#include <optional>
#include <string>
#include <string_view>

namespace memreflens {

/// All that the JSON has of the report.
std::string asBytes(FileReport report);

/// Nothing where the bytes are not whole.
std::optional<FileReport> reportFromBytes(std::string_view bytes);

} // namespace memreflens

#endif // MEMREFLENS_CHECK_HANDOVER_H
