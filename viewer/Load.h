//===- viewer/Load.h - a program from a file, off the UI's thread ---------===//
//
// A `.json` trace is read here; for any other file `memref-lens trace` runs as
// a child, without a shell, and can be cancelled.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_VIEWER_LOAD_H
#define MEMREFLENS_VIEWER_LOAD_H

#include "viewer/State.h"

#include <atomic>
#include <mutex>
#include <thread>

namespace memreflens::viewer {

/// What is asked of `memref-lens trace`.
struct RunRequest {
  std::string path;
  trace::RunOptions options;
};

/// The words behind `memref-lens trace`.
std::vector<std::string> argumentsOf(const RunRequest &request);

struct LoadResult {
  /// What could be read, even if not all could: then `error` says what.
  std::shared_ptr<const Program> program;
  std::string error;
};

/// How far a load is; written by its thread, read by the window.
class Progress {
public:
  void set(std::string text);
  /// "[3/8] ownership-based-buffer-deallocation"; empty before the first stage.
  std::string text() const;
  std::atomic<bool> cancelled = false;

private:
  mutable std::mutex mutex;
  std::string stage;
};

/// `tool` is the path of `memref-lens`.
LoadResult load(const RunRequest &request, const std::string &tool,
                Progress &progress);
/// Reads a saved trace; of one that is cut off, what is whole.
LoadResult readTrace(std::string_view text, const std::string &name);

/// One load in a thread of its own; ends it when destroyed.
class Loader {
public:
  Loader(RunRequest request, std::string tool);
  ~Loader();
  Loader(const Loader &) = delete;

  bool isDone() const { return done; }
  void cancel() { progress.cancelled = true; }
  std::string stage() const { return progress.text(); }
  /// Once, after `isDone`.
  LoadResult take();

private:
  Progress progress;
  std::atomic<bool> done = false;
  LoadResult result;
  std::thread thread;
};

/// `memref-lens` beside this program, or as found in PATH.
std::string toolBeside();

} // namespace memreflens::viewer

#endif // MEMREFLENS_VIEWER_LOAD_H
