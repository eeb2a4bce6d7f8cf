//===- viewer/work/Load.h - a program from a file, off the UI's thread ----===//
//
// A `.json` trace is read here; for any other file, a bundle (.tar.gz) too,
// `memref-lens trace` runs as a child, without a shell, and can be cancelled.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_VIEWER_WORK_LOAD_H
#define MEMREFLENS_VIEWER_WORK_LOAD_H

#include "viewer/state/State.h"

#include <atomic>
#include <functional>
#include <future>
#include <mutex>
#include <thread>

namespace memreflens::viewer {

/// What is asked of `memref-lens trace`.
struct RunRequest {
  std::string path;
  trace::RunOptions options;
};

/// Whether a file holds a trace that was made before, not a program: nothing
/// can be run on it.
bool isSavedFile(const std::string &path);

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
  /// Given each text by the thread that loads; may be empty.
  std::function<void(const std::string &)> told;

private:
  mutable std::mutex mutex;
  std::string stage;
};

/// `tool` is the path of `memref-lens`.
LoadResult load(const RunRequest &request, const std::string &tool,
                Progress &progress);
/// Reads a saved trace, which errors call by `name`; of one that is cut off,
/// what is whole. Memory: less than three bytes for each one of the file.
LoadResult readTrace(const std::string &file, const std::string &name);

/// Name of the first function of a program's text, or of the one on a line
/// (from 1); empty if there is but one, or none.
std::string functionToBeginWith(std::string_view text, int line);

/// Where the user wants to be, to begin with the function there.
struct EarlyPlace {
  std::string function;
  int line = 0;
};

/// One load in a thread of its own; ends it when destroyed. Of a large program
/// its text comes early, then one function with what it names, then the whole.
class Loader {
public:
  Loader(RunRequest request, std::string tool, EarlyPlace wanted = {});
  ~Loader();
  Loader(const Loader &) = delete;

  bool isDone() const { return done; }
  void cancel() { progress.cancelled = quickProgress.cancelled = true; }
  std::string stage() const { return progress.text(); }
  /// Once, after `isDone`.
  LoadResult take();
  /// What can be shown until then, once each; mostly null.
  std::shared_ptr<const Program> takeEarly();

private:
  void loadEarly(const RunRequest &request, const std::string &tool,
                 const EarlyPlace &wanted);
  void publish(std::shared_ptr<const Program> program);
  /// The first function comes first, if it comes soon.
  void waitForExcerpt();

  Progress progress, quickProgress;
  std::mutex earlyMutex;
  std::shared_ptr<const Program> early;
  std::promise<void> excerptTried;
  std::atomic<bool> done = false;
  LoadResult result;
  std::thread quick, thread;
};

/// `memref-lens` beside this program, or as found in PATH.
std::string toolBeside();

} // namespace memreflens::viewer

#endif // MEMREFLENS_VIEWER_WORK_LOAD_H
