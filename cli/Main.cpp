//===- cli/Main.cpp -------------------------------------------------------===//

#include "cli/Main.h"
#include "cli/Command.h"
#include "cli/ExitStatus.h"
#include "cli/Input.h"
#include "core/pipeline/run/Plugins.h"
#include "core/pipeline/upstream/PassNames.h"

#include <csignal>

namespace memreflens {

/// "explain|memory|run".
static std::string commandNames() {
  std::string names;
  for (const Command *command : allCommands())
    if (!command->isHidden)
      names += (names.empty() ? "" : "|") + command->name;
  return names;
}

static int failUsage(const std::string &error) {
  complain(wrongUsage, error);
  if (error == "no command")
    tell("usage: memref-lens %s [options] FILE; see 'memref-lens --help'\n",
         commandNames().c_str());
  return wrongUsage;
}

/// Before all else: names of passes are looked up while options are parsed.
static std::string loadPlugins(int argc, char **argv,
                               mlir::DialectRegistry &registry) {
  std::vector<std::string> words(argv, argv + argc);
  PluginPaths plugins = takePlugins(words);
  std::string problem = tryPlugins(plugins, registry);
  if (problem.empty())
    problem = loadPassPlugins(plugins);
  return problem.empty() ? loadDialectPlugins(plugins, registry) : problem;
}

int memrefLensMain(int argc, char **argv, mlir::DialectRegistry &registry) {
  // What is larger than may be written is an error like others; and whoever
  // ignores his children may have started us so.
  std::signal(SIGXFSZ, SIG_IGN);
  std::signal(SIGCHLD, SIG_DFL);
  registerPipelinePasses();
  if (std::string problem = loadPlugins(argc, argv, registry); !problem.empty())
    return failUsage(problem);
  ParsedOptions parsed = parseOptions(argc, argv);
  if (!parsed.error.empty())
    return failUsage(parsed.error);
  const CliOptions &options = parsed.options;
  if (options.helpTopic)
    return print(helpText(*options.helpTopic)) ? done : badInput;
  std::vector<std::string> inputs = options.files;
  inputs.insert(inputs.end(), options.otherInputs.begin(),
                options.otherInputs.end());
  protectInputs(std::move(inputs));
  if (std::string why = whyNotWritten(options.output); !why.empty())
    return complain(badInput, "cannot write '" + options.output + "': " + why);
  return options.command->run(options, registry);
}

} // namespace memreflens
