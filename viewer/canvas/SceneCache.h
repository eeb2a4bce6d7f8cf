//===- viewer/canvas/SceneCache.h - the scene that is wanted, made in a thread
//---===//
//
// Keeps showing the last scene until the wanted one is laid out.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_VIEWER_CANVAS_SCENECACHE_H
#define MEMREFLENS_VIEWER_CANVAS_SCENECACHE_H

#include "viewer/canvas/Scene.h"

#include <future>
#include <memory>

namespace memreflens::viewer {

class SceneCache {
public:
  /// Starts or takes over what the state asks for; `wait` does it at once.
  void update(std::shared_ptr<const Program> program, ViewState &state,
              bool wait);
  /// Null until the first one is there.
  const Scene *current() const { return scene.get(); }
  SceneKey currentKey() const { return key; }
  bool isWorking() const { return pending.valid(); }
  /// For another program; what is in the making is dropped when it comes.
  void clear();

private:
  SceneKey key, pendingKey;
  std::shared_ptr<const Program> shown, pendingFor;
  std::shared_ptr<Scene> scene;
  std::future<Scene> pending;
};

} // namespace memreflens::viewer

#endif // MEMREFLENS_VIEWER_CANVAS_SCENECACHE_H
