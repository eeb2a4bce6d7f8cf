//===- viewer/work/Salvage.h - what can be shown of a broken file ---------===//
//
// Of a trace that is cut off, the records before the cut; of a program that
// MLIR rejects, its text with the places that the messages name.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_VIEWER_WORK_SALVAGE_H
#define MEMREFLENS_VIEWER_WORK_SALVAGE_H

#include "core/trace/Model.h"

#include <optional>
#include <string>
#include <string_view>

namespace memreflens::viewer {

/// Nothing if the text is whole, or of another version, or not even the source
/// can be read. The trace bears `error` as a problem.
std::optional<trace::Trace> salvageTrace(std::string_view text,
                                         const std::string &error);

/// A trace without functions, whose problems are those of MLIR's messages
/// ("FILE:3:10: error: ...").
trace::Trace traceOfErrors(trace::Source source, const std::string &errors);

/// Whether it is a program's text, not bytecode.
bool isText(std::string_view bytes);

} // namespace memreflens::viewer

#endif // MEMREFLENS_VIEWER_WORK_SALVAGE_H
