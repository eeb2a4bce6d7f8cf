//===- viewer/canvas/SceneCache.cpp - the scene that is wanted ------------===//

#include "viewer/canvas/SceneCache.h"

namespace memreflens::viewer {

void SceneCache::update(std::shared_ptr<const Program> program,
                        ViewState &state, bool wait) {
  const SceneKey wanted = keyOf(state);
  bool isThere = scene && shown == program && key == wanted;
  bool isDrawable = program->lookup.function(wanted.function);
  if (!pending.valid() && !isThere && isDrawable) {
    pendingKey = wanted;
    pendingFor = program;
    // The thread keeps the program alive, whatever becomes of its tab.
    pending =
        std::async(wait ? std::launch::deferred : std::launch::async,
                   [program, wanted] { return makeScene(*program, wanted); });
  }
  if (!pending.valid() || (!wait && pending.wait_for(std::chrono::seconds(0)) !=
                                        std::future_status::ready))
    return;
  Scene made = pending.get();
  if (pendingFor != program)
    return;
  // What was read again or folded stays where it is on the screen.
  bool isSame = scene && key.function == pendingKey.function &&
                key.stage == pendingKey.stage;
  scene = std::make_shared<Scene>(std::move(made));
  shown = pendingFor;
  key = pendingKey;
  state.wantsFit |= !isSame;
}

void SceneCache::clear() { scene.reset(); }

} // namespace memreflens::viewer
