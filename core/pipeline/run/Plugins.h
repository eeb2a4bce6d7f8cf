//===- core/pipeline/run/Plugins.h ----------------------------------------===//
//
// Dialects and passes from shared libraries.
//
// Loads what the user named with --load-dialect-plugin and --load-pass-plugin,
// in the form of MLIR's own tools; or says which library cannot be used, why,
// and what to do. Nothing is ever loaded that was not named so.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_PIPELINE_RUN_PLUGINS_H
#define MEMREFLENS_PIPELINE_RUN_PLUGINS_H

#include <string>
#include <vector>

namespace mlir {
class DialectRegistry;
}

namespace memreflens {

/// Libraries as the user named them, in order.
struct PluginPaths {
  std::vector<std::string> dialects;
  std::vector<std::string> passes;

  bool empty() const { return dialects.empty() && passes.empty(); }
};

/// Takes them out of a command line: `--load-dialect-plugin=LIB` or
/// `--load-dialect-plugin LIB`, and the same for passes, up to `--`. `words`
/// keeps all others.
PluginPaths takePlugins(std::vector<std::string> &words);

/// Loads all of them, and their dialects, in a child process first, since a
/// library can do anything when it is loaded. A message about the first one
/// that cannot be used; empty if all can be. `registry` stays as it is. Call it
/// before the process starts threads.
std::string tryPlugins(const PluginPaths &plugins,
                       mlir::DialectRegistry &registry);

/// Loads them into this process, with a message as above. Passes are then known
/// by name, dialects to the registry.
std::string loadPassPlugins(const PluginPaths &plugins);
std::string loadDialectPlugins(const PluginPaths &plugins,
                               mlir::DialectRegistry &registry);

} // namespace memreflens

#endif // MEMREFLENS_PIPELINE_RUN_PLUGINS_H
