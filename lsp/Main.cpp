//===- lsp/Main.cpp -------------------------------------------------------===//

#include "lsp/Main.h"
#include "core/Version.h"
#include "core/pipeline/run/Plugins.h"
#include "core/pipeline/upstream/PassNames.h"
#include "lsp/Check.h"
#include "lsp/analysis/AnalysisServer.h"
#include "lsp/supervisor/Supervisor.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"
#include "llvm/Support/LSP/Protocol.h"
#include "llvm/Support/LogicalResult.h"

#include <cstdio>
#include <cstdlib>
#include <set>

namespace memreflens {

static constexpr char help[] =
    R"(memref-lens-lsp-server: ownership of MLIR's buffers, in any editor that
speaks the Language Server Protocol; and all that mlir-lsp-server does.

usage: memref-lens-lsp-server [options]

  --analysis=off       MLIR's own answers only
  --companion          our answers only, for use beside another MLIR server
  --check FILE         run every feature over FILE, print what fails, exit
  --log=LEVEL          error, info or verbose
  --log-file=FILE      write the log to FILE
  --crash-dir=DIR      where crash reports go; 'off' for none
  --time-limit=SEC     what a child may take for one thing (20)
  --memory-limit=MB    what a child may keep in memory (4096)
  --load-dialect-plugin=LIB, --load-pass-plugin=LIB
                       dialects and passes of yours, as in mlir-opt
  --lit-test, --pretty, --input-style=STYLE
                       as in mlir-lsp-server; the first two imply MLIR's own
                       server alone
  --version, --help
)";

namespace {
struct CommandLine {
  lsp::Settings settings;
  std::string role;
  std::string checked;
  /// Run upstream's server in this process: a mode only it has.
  bool isPlain = false;
  PluginPaths plugins;
  std::string error;
};
} // namespace

static std::string defaultCrashFolder() {
  if (const char *state = std::getenv("XDG_STATE_HOME"); state && *state)
    return std::string(state) + "/memref-lens";
  if (const char *home = std::getenv("HOME"); home && *home)
    return std::string(home) + "/.local/state/memref-lens";
  return {};
}

static bool takeValue(const std::string &argument, const char *name,
                      std::string &value) {
  std::string start = std::string("--") + name + "=";
  if (!argument.starts_with(start))
    return false;
  value = argument.substr(start.size());
  return true;
}

static void readNumber(const std::string &text, double &number,
                       std::string &error) {
  char *end = nullptr;
  double value = std::strtod(text.c_str(), &end);
  if (text.empty() || *end != 0 || !(value > 0))
    error = "not a positive number: '" + text + "'";
  else
    number = value;
}

static void readOne(const std::string &argument, CommandLine &line) {
  lsp::Settings &settings = line.settings;
  std::string value;
  if (takeValue(argument, "role", line.role) ||
      argument == lsp::codeGeneratorsFlag)
    return;
  if (takeValue(argument, "analysis", value))
    settings.analysis = value != "off";
  else if (argument == "--companion")
    settings.upstream = false;
  else if (takeValue(argument, "log", value))
    settings.logLevel = value == "error" ? 0 : value == "verbose" ? 2 : 1;
  else if (takeValue(argument, "log-file", settings.logFile))
    return;
  else if (takeValue(argument, "crash-dir", value))
    settings.crashFolder = value == "off" ? "" : value;
  else if (takeValue(argument, "time-limit", value))
    readNumber(value, settings.timeLimit, line.error);
  else if (takeValue(argument, "memory-limit", value)) {
    double megabytes = double(settings.memoryLimit >> 20);
    readNumber(value, megabytes, line.error);
    settings.memoryLimit = size_t(megabytes) << 20;
  } else if (argument == "--lit-test" || argument == "--pretty" ||
             argument.starts_with("--input-style"))
    line.isPlain = true;
  else
    line.error = "unknown argument '" + argument + "'";
}

static CommandLine readArguments(int argc, char **argv) {
  CommandLine line;
  line.settings.crashFolder = defaultCrashFolder();
  for (int i = 0; i < argc; ++i)
    if (std::string_view(argv[i]).substr(0, 7) != "--role=")
      line.settings.arguments.push_back(argv[i]);
  std::vector<std::string> words(argv, argv + argc);
  line.plugins = takePlugins(words);
  for (size_t i = 1; i < words.size() && line.error.empty(); ++i) {
    std::string argument = words[i];
    // As LLVM's tools, with one dash as well.
    if (argument.size() > 2 && argument[0] == '-' && argument[1] != '-')
      argument = "-" + argument;
    if (argument == "--check" && i + 1 < words.size())
      line.checked = words[++i];
    else
      readOne(argument, line);
  }
  return line;
}

/// MLIR's own server. It gets no arguments that only we know.
static int runUpstream(const CommandLine &line, std::vector<std::string> words,
                       const DialectRegistryOfUri &registryOf) {
  std::string log =
      line.settings.logLevel == 2 ? "--log=verbose" : "--log=error";
  takePlugins(words);
  std::vector<char *> arguments = {words.front().data(), log.data()};
  if (line.isPlain) {
    arguments.clear();
    for (std::string &word : words)
      arguments.push_back(word.data());
  }
  auto registryOfFile =
      [&](const llvm::lsp::URIForFile &uri) -> mlir::DialectRegistry & {
    return registryOf(uri.uri().str());
  };
  arguments.push_back(nullptr);
  return mlir::failed(mlir::MlirLspServerMain(
      int(arguments.size()) - 1, arguments.data(), registryOfFile));
}

static int runAnalysis(const CommandLine &line,
                       const DialectRegistryOfUri &registryOf) {
  if (std::string problem = loadPassPlugins(line.plugins); !problem.empty())
    std::fprintf(stderr, "memref-lens-lsp-server: error: %s\n",
                 problem.c_str());
  lsp::ServerOptions options;
  options.run.dialectPlugins = line.plugins.dialects;
  options.run.passPlugins = line.plugins.passes;
  return lsp::runAnalysisServer(registryOf, options);
}

/// Each registry gets the plugins' dialects when it is first asked for.
static DialectRegistryOfUri withPlugins(const DialectRegistryOfUri &registryOf,
                                        const PluginPaths &plugins) {
  if (plugins.dialects.empty())
    return registryOf;
  std::set<mlir::DialectRegistry *> loaded;
  return [&registryOf, &plugins,
          loaded](const std::string &uri) mutable -> mlir::DialectRegistry & {
    mlir::DialectRegistry &registry = registryOf(uri);
    if (!loaded.insert(&registry).second)
      return registry;
    if (std::string problem = loadDialectPlugins(plugins, registry);
        !problem.empty())
      std::fprintf(stderr, "memref-lens-lsp-server: error: %s\n",
                   problem.c_str());
    return registry;
  };
}

int memrefLensLspServerMain(int argc, char **argv,
                            const DialectRegistryOfUri &registryOf) {
  for (int i = 1; i < argc; ++i) {
    std::string_view argument = argv[i];
    if (argument == "--version") {
      std::printf("memref-lens-lsp-server %s (LLVM/MLIR %s)\n", toolVersion,
                  llvmVersion);
      return 0;
    }
    if (argument == "--help") {
      std::fputs(help, stdout);
      return 0;
    }
  }
  CommandLine line = readArguments(argc, argv);
  // Once, and in a process apart: this one stays as it is.
  mlir::DialectRegistry none;
  if (line.error.empty() && line.role.empty())
    line.error = tryPlugins(line.plugins, none);
  if (!line.error.empty()) {
    std::fprintf(stderr, "memref-lens-lsp-server: error: %s\n",
                 line.error.c_str());
    return 2;
  }
  if (line.role == "upstream" || line.isPlain)
    return runUpstream(line, {argv, argv + argc},
                       withPlugins(registryOf, line.plugins));
  if (line.role == "analysis") {
    registerPipelinePasses();
    return runAnalysis(line, withPlugins(registryOf, line.plugins));
  }
  if (!line.checked.empty())
    return lsp::checkFile(line.settings, line.checked);
  return lsp::Supervisor(line.settings).run();
}

int memrefLensLspServerMain(int argc, char **argv,
                            mlir::DialectRegistry &registry) {
  return memrefLensLspServerMain(
      argc, argv,
      [&](const std::string &) -> mlir::DialectRegistry & { return registry; });
}

} // namespace memreflens
