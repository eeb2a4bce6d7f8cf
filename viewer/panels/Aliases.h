//===- viewer/panels/Aliases.h - the panel: which memrefs may be one buffer
//------===//
//
// A matrix of the function's memrefs, and in words what is known of the pair
// that is chosen and by which analysis. Asked of `memref-lens trace --aliases`
// for one function when the panel is opened, unless the trace has it.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_VIEWER_PANELS_ALIASES_H
#define MEMREFLENS_VIEWER_PANELS_ALIASES_H

#include "viewer/state/State.h"
#include "viewer/work/Load.h"

#include <map>

namespace memreflens::viewer {

class Aliases {
public:
  /// Asks for the function at hand, if it is not known yet. Once a frame.
  void ask(const std::shared_ptr<const Program> &program,
           const ViewState &state, const RunRequest &request,
           const std::string &tool);
  void poll();
  /// Blocks until the answer is there: for tests and pictures.
  void wait();
  void draw(const Program &program, ViewState &state);

  bool isRunning() const { return loader != nullptr; }
  const std::string &problem() const { return error; }
  /// What holds the view, and the view; null where there is none.
  const std::shared_ptr<const Program> &answer() const { return known; }
  const trace::FunctionAliases *view() const;

private:
  void drawMatrix(const Program &program, ViewState &state);
  void drawWords();

  std::unique_ptr<Loader> loader;
  std::shared_ptr<const Program> known;
  std::string error;
  /// Program and function of the answer, and of the question.
  uint64_t serial = 0;
  std::string function;
  /// Chosen: positions in the view; -1 for none.
  int row = -1, column = -1;
};

} // namespace memreflens::viewer

#endif // MEMREFLENS_VIEWER_PANELS_ALIASES_H
