//===- core/trace/RunArguments.h - the options of a run, as typed ---------===//
//
// The one list of the options that make a run, with their spelling on the
// command line: what is run again, filed or compared is written by it.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_TRACE_RUNARGUMENTS_H
#define MEMREFLENS_TRACE_RUNARGUMENTS_H

#include "core/trace/Model.h"

#include <string>
#include <string_view>
#include <vector>

namespace memreflens::trace {

/// `--pre` and `func.func(buffer-hoisting)`; a plain flag has no value.
struct RunArgument {
  std::string flag;
  std::string value;
};

/// What makes a run other than one without options, one entry an option (of a
/// repeated one, one for each time).
std::vector<RunArgument> runArguments(const RunOptions &run);

/// The same as arguments of `memref-lens`: `--pre=func.func(...)`.
std::vector<std::string> argumentsOf(const RunOptions &run);

/// The same and a file, as words of a shell: "--bufferize 'my file.mlir'".
std::string shellArguments(const RunOptions &run, std::string_view file);

/// Sets what such an argument asks for, of `--pipeline` the name alone. False
/// if it is none of a run, or if its value is none that it takes.
bool takeArgument(std::string_view argument, RunOptions &run);

/// Libraries by their names, not where they lie.
RunOptions withoutFolders(RunOptions run);

} // namespace memreflens::trace

#endif // MEMREFLENS_TRACE_RUNARGUMENTS_H
