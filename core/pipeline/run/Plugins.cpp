//===- core/pipeline/run/Plugins.cpp --------------------------------------===//

#include "core/pipeline/run/Plugins.h"
#include "core/Version.h"
#include "core/process/Child.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Tools/Plugins/DialectPlugin.h"
#include "mlir/Tools/Plugins/PassPlugin.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <dlfcn.h>
#include <fcntl.h>
#include <set>
#include <sys/stat.h>
#include <unistd.h>

namespace memreflens {

namespace {
/// What differs between the two kinds.
struct Kind {
  const char *words;
  const char *entry;
  const char *flag;
  const char *otherEntry;
  const char *otherFlag;
};
} // namespace

static constexpr const char *dialectEntry = "mlirGetDialectPluginInfo";
static constexpr const char *passEntry = "mlirGetPassPluginInfo";
static constexpr Kind dialectKind = {"dialect plugin", dialectEntry,
                                     "--load-dialect-plugin", passEntry,
                                     "--load-pass-plugin"};
static constexpr Kind passKind = {"pass plugin", passEntry,
                                  "--load-pass-plugin", dialectEntry,
                                  "--load-dialect-plugin"};

static std::string fail(const Kind &kind, const std::string &path,
                        const std::string &why, const std::string &remedy) {
  return std::string("cannot load ") + kind.words + " '" + path + "': " + why +
         "; " + remedy;
}

/// The loader repeats the library's name.
static std::string loaderMessage(const std::string &path) {
  const char *text = dlerror();
  std::string message = text ? text : "unknown error";
  if (message.starts_with(path + ": "))
    message.erase(0, path.size() + 2);
  return message;
}

static std::string remedyFor(const std::string &message) {
  auto has = [&](const char *words) {
    return message.find(words) != message.npos;
  };
  if (has("undefined symbol"))
    return "build it against the MLIR of this program (" +
           std::string(llvmVersion) + "), and with all it uses linked in";
  if (has("No such file"))
    return "name a file, with its folder ('./libMine.so')";
  return std::string("name a shared library built against MLIR ") + llvmVersion;
}

/// Whether the library can be opened with every symbol that it uses, and is a
/// plugin; by itself, the loader dies of a missing symbol at its first use.
static std::string open(const Kind &kind, const std::string &path) {
  if (path.empty())
    return std::string("'") + kind.flag + "' takes a shared library, as '" +
           kind.flag + "=./libMine.so'";
  struct stat file;
  if (path.find('/') != path.npos && stat(path.c_str(), &file) != 0)
    return fail(kind, path, "no such file", "name a file that is there");
  if (path.find('/') != path.npos && S_ISDIR(file.st_mode))
    return fail(kind, path, "is a folder", "name the shared library in it");
  void *library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    std::string message = loaderMessage(path);
    return fail(kind, path, message, remedyFor(message));
  }
  // Kept open: it is used from here on.
  if (dlsym(library, kind.entry))
    return {};
  if (dlsym(library, kind.otherEntry))
    return fail(kind, path,
                std::string("it has no function '") + kind.entry + "', but '" +
                    kind.otherEntry + "'",
                std::string("name it with '") + kind.otherFlag + "'");
  return fail(kind, path,
              std::string("it has no function '") + kind.entry + "'",
              std::string("'") + kind.flag +
                  "' takes a library with that function, as extern \"C\"");
}

template <typename Plugin, typename Use>
static std::string loadAll(const Kind &kind,
                           const std::vector<std::string> &paths, Use use) {
  for (const std::string &path : paths) {
    if (std::string problem = open(kind, path); !problem.empty())
      return problem;
    llvm::Expected<Plugin> plugin = Plugin::load(path);
    if (!plugin)
      return fail(kind, path, llvm::toString(plugin.takeError()),
                  std::string("build it against MLIR ") + llvmVersion);
    use(*plugin);
  }
  return {};
}

std::string loadPassPlugins(const PluginPaths &plugins) {
  return loadAll<mlir::PassPlugin>(passKind, plugins.passes,
                                   [](const mlir::PassPlugin &plugin) {
                                     plugin.registerPassRegistryCallbacks();
                                   });
}

std::string loadDialectPlugins(const PluginPaths &plugins,
                               mlir::DialectRegistry &registry) {
  return loadAll<mlir::DialectPlugin>(
      dialectKind, plugins.dialects, [&](const mlir::DialectPlugin &plugin) {
        plugin.registerDialectRegistryCallbacks(registry);
      });
}

PluginPaths takePlugins(std::vector<std::string> &words) {
  PluginPaths plugins;
  std::vector<std::string> others;
  for (size_t i = 0; i < words.size(); ++i) {
    if (words[i] == "--") {
      others.insert(others.end(), words.begin() + i, words.end());
      break;
    }
    size_t equal = words[i].find('=');
    std::string name = words[i].substr(0, equal);
    std::vector<std::string> *paths = name == dialectKind.flag
                                          ? &plugins.dialects
                                      : name == passKind.flag ? &plugins.passes
                                                              : nullptr;
    if (!paths)
      others.push_back(words[i]);
    else if (equal != words[i].npos)
      paths->push_back(words[i].substr(equal + 1));
    else
      // An empty path is complained about when it is loaded.
      paths->push_back(++i < words.size() ? words[i] : "");
  }
  words = std::move(others);
  return plugins;
}

//===--- In a child first -------------------------------------------------===//

static std::string readAll(int descriptor) {
  std::string text;
  char buffer[1024];
  for (ssize_t got; (got = read(descriptor, buffer, sizeof buffer)) > 0;)
    text.append(buffer, size_t(got));
  return text;
}

/// Each library as it comes, and what is wrong with it, each with a null at the
/// end: so the parent knows which one it died of.
static void loadInChild(const PluginPaths &plugins,
                        mlir::DialectRegistry &registry, int out) {
  auto say = [&](const std::string &text) {
    (void)!write(out, text.c_str(), text.size() + 1);
  };
  auto isLoaded = [&](const PluginPaths &one, const std::string &path) {
    say(path);
    std::set<std::string> known;
    for (llvm::StringRef name : registry.getDialectNames())
      known.insert(name.str());
    std::string problem = loadPassPlugins(one);
    if (problem.empty())
      problem = loadDialectPlugins(one, registry);
    // A dialect can die of what it is made of, too.
    mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
    for (llvm::StringRef name : registry.getDialectNames())
      if (!known.contains(name.str()))
        context.getOrLoadDialect(name);
    say(problem);
    return problem.empty();
  };
  for (const std::string &path : plugins.passes)
    if (!isLoaded({{}, {path}}, path))
      return;
  for (const std::string &path : plugins.dialects)
    if (!isLoaded({{path}, {}}, path))
      return;
}

/// What the child said: path, problem, path, problem, ...
static std::string problemIn(const std::string &said, const ChildEnd &ended) {
  llvm::SmallVector<llvm::StringRef> parts;
  llvm::StringRef(said).split(parts, '\0');
  parts.pop_back();
  if (parts.empty())
    return {};
  if (parts.size() % 2 == 0)
    return parts.back().str();
  return "cannot load plugin '" + parts.back().str() +
         "': loading it ended the process (" + causeOfDeath(ended) +
         "); name a whole shared library built against MLIR " + llvmVersion;
}

std::string tryPlugins(const PluginPaths &plugins,
                       mlir::DialectRegistry &registry) {
  if (plugins.empty())
    return {};
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0)
    return std::string("cannot try plugins: ") + std::strerror(errno);
  Child child = Child::run([&] {
    close(ends[0]);
    loadInChild(plugins, registry, ends[1]);
    return 0;
  });
  const int problem = errno;
  close(ends[1]);
  std::string said = child.hasStarted() ? readAll(ends[0]) : "";
  close(ends[0]);
  if (!child.hasStarted())
    return std::string("cannot try plugins: ") + std::strerror(problem);
  return problemIn(said, child.wait());
}

} // namespace memreflens
