//===- cli/Main.cpp -------------------------------------------------------===//

#include "cli/Main.h"
#include "cli/Commands.h"
#include "cli/Input.h"
#include "core/Version.h"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <unistd.h>

namespace memreflens {

static int printVersion() {
  std::printf("memref-lens %s (LLVM/MLIR %s)\n", toolVersion, llvmVersion);
  return done;
}

static int failUsage(const std::string &error) {
  std::fprintf(stderr, "memref-lens: error: %s\n", error.c_str());
  if (error == "no command")
    std::fputs(
        "usage: memref-lens trace|ir|explain|export|compare [options] FILE; "
        "see 'memref-lens --help'\n",
        stderr);
  return wrongUsage;
}

static int runOn(const CliOptions &options,
                 const std::vector<trace::Source> &sources,
                 const mlir::DialectRegistry &registry) {
  WorkerOptions worker;
  worker.stageSeconds = options.stageTimeout;
  worker.inProcess = std::getenv("MEMREF_LENS_IN_PROCESS") != nullptr;
  worker.showProgress =
      isatty(STDERR_FILENO) && options.command != Command::compare;
  return runInWorker(
      [&](const WorkerRequest &request) {
        return runCommand(options, sources, registry, request);
      },
      worker);
}

int memrefLensMain(int argc, char **argv, mlir::DialectRegistry &registry) {
  ParsedOptions parsed = parseOptions(argc, argv);
  if (!parsed.error.empty())
    return failUsage(parsed.error);
  const CliOptions &options = parsed.options;
  if (options.command == Command::version)
    return printVersion();
  if (options.command == Command::help) {
    std::fputs(helpText(options.helpTopic).c_str(), stdout);
    return done;
  }
  int status = done;
  for (const std::string &file : options.files) {
    std::string error;
    std::optional<trace::Source> source = readInput(file, error);
    int one = badInput;
    if (!source)
      std::fprintf(stderr, "memref-lens: error: cannot read '%s': %s\n",
                   file.c_str(), error.c_str());
    else
      one = runOn(options, {*source}, registry);
    status = status == findings || one == findings ? int(findings)
                                                   : std::max(status, one);
  }
  return status;
}

} // namespace memreflens
