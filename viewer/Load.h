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
#include <thread>

namespace memreflens::viewer {

struct LoadResult {
  std::unique_ptr<Program> program;
  /// What went wrong; empty if there is a program.
  std::string error;
};

LoadResult load(const std::string &path, const std::string &tool,
                const std::atomic<bool> &cancelled);

/// One load in a thread of its own; ends it when destroyed.
class Loader {
public:
  Loader(std::string path, std::string tool);
  ~Loader();
  Loader(const Loader &) = delete;

  bool isDone() const { return done; }
  void cancel() { cancelled = true; }
  /// Once, after `isDone`.
  LoadResult take();

private:
  std::atomic<bool> cancelled = false, done = false;
  LoadResult result;
  std::thread thread;
};

/// `memref-lens` beside this program, or as found in PATH.
std::string toolBeside();

} // namespace memreflens::viewer

#endif // MEMREFLENS_VIEWER_LOAD_H
