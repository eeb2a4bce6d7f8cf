//===- cli/Saved.h - traces that were made before -------------------------===//
//
// A trace in a file of its own (.json) or in a bundle (.tar.gz), in place of a
// program: told by its bytes, read, and held against what is asked for now.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_CLI_SAVED_H
#define MEMREFLENS_CLI_SAVED_H

#include "cli/Input.h"
#include "cli/Options.h"
#include "core/bundle/Bundle.h"
#include "core/trace/Json.h"

#include <optional>

namespace memreflens {

struct SavedTrace {
  std::optional<trace::Trace> trace;
  /// Why there is no trace, with the name of the file.
  std::string error;
  /// Of a bundle: the program after each stage, as MLIR prints it.
  std::vector<bundle::Stage> stages;
};

/// The trace in a file, of whose text the source may have the beginning only.
trace::ReadResult readTrace(const trace::Source &source);

/// Says on stderr where another version made it.
SavedTrace readSaved(const trace::Source &source, InputKind kind);

/// Takes the trace for a command with these options. An exit status other than
/// `done` where it cannot be read, or was made with other options; it is told
/// on stderr.
int openSaved(const CliOptions &options, const trace::Source &source,
              InputKind kind, SavedTrace &saved);

/// For a command that takes programs only; true, with a message, if the file
/// is a bundle.
bool rejectsBundle(const CliOptions &options, const Input &input);

} // namespace memreflens

#endif // MEMREFLENS_CLI_SAVED_H
