//===- cli/Input.h - files in, files out, problems shown ------------------===//
//
// Reads a file (or standard input) or says why not; prints problems with
// file:line:col and a caret line; writes results so that a failed write leaves
// no half a file.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_CLI_INPUT_H
#define MEMREFLENS_CLI_INPUT_H

#include "core/text/LineIndex.h"
#include "core/trace/Model.h"

#include <functional>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

namespace memreflens {

/// A file's kind is seen from its bytes; a trace's also from its name.
enum class InputKind { program, bytecode, trace, bundle };

InputKind kindOf(const trace::Source &source);
/// Whether memref-lens wrote it, and it is no program.
inline bool isSaved(InputKind kind) {
  return kind == InputKind::trace || kind == InputKind::bundle;
}

/// A file that was read.
struct Input {
  trace::Source source;
  InputKind kind = InputKind::program;
};

/// Reads `path`; a message for the user if that fails.
std::optional<trace::Source> readInput(const std::string &path,
                                       std::string &error);

/// The same, with the message printed to stderr.
std::optional<trace::Source> readOrComplain(const std::string &path);
/// Of a saved trace, the beginning: `readTrace` (Saved.h) reads on.
std::optional<Input> inputOrComplain(const std::string &path);

/// Prints to stderr, as `printf` does; nothing in it drives a terminal.
[[gnu::format(printf, 1, 2)]] void tell(const char *format, ...);

/// Says what is wrong, on stderr; the status, to exit with.
int complain(int status, const std::string &what);

/// Prints to standard output; false, with a message, if that fails.
bool print(const std::string &text);

/// Says that there is no room for a temporary file; the exit status.
int failTemporary();

/// Prints the trace's problems to stderr.
void printProblems(const trace::Trace &trace, bool color);

using OutputWriter = std::function<void(std::ostream &)>;

/// From now on none of these files is written to, by whatever name.
void protectInputs(std::vector<std::string> paths);
/// Why the path is not written to: it is one of those; else empty.
std::string whyNotWritten(const std::string &path);

/// Has `write` write to `path` ("-" is standard output). False, with a message
/// on stderr, if that fails.
bool writeOutput(const std::string &path, const OutputWriter &write);

/// Whether to colour what goes to `descriptor`.
bool wantsColor(int mode, int descriptor);

/// What is said about a line, from 1, that the file does not have.
std::string pastTheEnd(unsigned line, const LineIndex &lines);

} // namespace memreflens

#endif // MEMREFLENS_CLI_INPUT_H
