//===- core/attach/Attach.h - a trace from inside of any tool -------------===//
//
// A tool that runs passes gets a trace of them for one call:
//
//   mlir::PassManager passes(&context);
//   memreflens::attach(passes, {.directory = "traces"});
//
// While the passes run, their IR is kept. Then the same program goes through
// our traced passes, each of which is held against what the tool's own made of
// it. What the tool produces stays the same, bit for bit.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_ATTACH_ATTACH_H
#define MEMREFLENS_ATTACH_ATTACH_H

#include "core/trace/Model.h"

#include <functional>
#include <string>

namespace mlir {
class PassManager;
}

namespace memreflens {

struct AttachOptions {
  /// Where traces go: `NAME.trace.json` for each run of the passes, NAME being
  /// that of the source file; `NAME-2` and so on for further runs in the
  /// process. Made if it is not there; empty for no files.
  ///
  /// A program that is no file's (earlier passes made it) is written beside its
  /// trace as `NAME.mlir`.
  std::string directory = {};
  /// Given each trace as well; may be empty. Called in the thread that runs the
  /// passes, after the last of them. Not called where there is no trace.
  std::function<void(const trace::Trace &)> onTrace = {};
  /// The trace holds which memrefs may alias.
  bool aliases = false;
  /// Longest that one of our stages may take, in seconds; then the functions
  /// that take so long are set aside. 0 for no limit.
  double stageSeconds = 300;
  /// Write what is to come before the passes run, too, so that it is there if
  /// one of them kills the tool. Takes the analysis twice.
  bool writeEarly = true;
};

/// Records what `passes` will do, each time that they run. Call it after
/// `enableMultithreading`-like settings of the context, at any time before the
/// run. What cannot be written or read back is told on stderr.
void attach(mlir::PassManager &passes, AttachOptions options);

/// Adds `--memref-lens-trace=DIR` to the options of a tool that uses llvm::cl.
/// Call it before they are parsed.
void registerAttachCLOptions();
/// Attaches to `passes` if the option was given.
void applyAttachCLOptions(mlir::PassManager &passes);

} // namespace memreflens

#endif // MEMREFLENS_ATTACH_ATTACH_H
