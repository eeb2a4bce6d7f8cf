//===- viewer/panels/WhatIf.h ---------------------------------------------===//
//
// A second run with other options, beside the first.
//
// Pipeline options and passes to run before, the counts of both runs, and the
// second graph beside the first.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_VIEWER_PANELS_WHATIF_H
#define MEMREFLENS_VIEWER_PANELS_WHATIF_H

#include "viewer/canvas/SceneCache.h"
#include "viewer/work/Load.h"

#include "core/query/Totals.h"

namespace memreflens::viewer {

/// Counts of both runs, of the file and of one function.
struct TotalsPair {
  Totals file[2], function[2];
};

class WhatIf {
public:
  /// What the panel's fields say.
  struct Fields {
    bool dynamicOwnership = false, allowUnregistered = false;
    bool bufferize = false;
    bool refinesDistinct = false;
    char bufferizeOptions[256] = "", prePipeline[512] = "";
    char pipeline[512] = "";
  };
  Fields fields;
  /// The second graph beside the first.
  bool isBeside = true;

  /// What the fields say, with the libraries that the first run was given and
  /// what it makes of ops that are not registered.
  trace::RunOptions options(const trace::RunOptions &first) const;

  void run(RunRequest request, const std::string &tool);
  bool isRunning() const { return loader != nullptr; }
  void cancel();
  void poll();
  void clear();
  const std::shared_ptr<const Program> &second() const { return program; }
  const std::string &problem() const { return error; }
  std::string stage() const { return loader ? loader->stage() : ""; }

  /// Goes to the place of the first run, by name.
  void follow(const Program &first, const ViewState &state);
  ViewState &view() { return state; }
  SceneCache &sceneCache() { return scenes; }
  /// Counted again only when a program or the function changed.
  const TotalsPair &totals(const Program &first, Id function);

private:
  std::unique_ptr<Loader> loader;
  std::shared_ptr<const Program> program;
  std::string error;
  ViewState state;
  SceneCache scenes;
  Place followed;
  bool hasFollowed = false;
  TotalsPair counted;
  const Program *countedFirst = nullptr, *countedSecond = nullptr;
  Id countedFunction = none;
};

/// Of a run: "dynamic ownership, --pre=...".
std::string describe(const trace::RunOptions &options);

/// The panel: fields, and both runs' counts. True when a run is asked for.
bool drawWhatIf(const Program &first, const ViewState &state, WhatIf &whatIf,
                bool canRun);

} // namespace memreflens::viewer

#endif // MEMREFLENS_VIEWER_PANELS_WHATIF_H
