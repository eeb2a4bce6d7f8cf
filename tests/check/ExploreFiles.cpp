//===- tests/check/ExploreFiles.cpp ---------------------------------------===//
//
// What the path explorer says of files.
//
//   explore-files [--function NAME] [--hand-written] [--sites-together] FILE...
//
// For each function of each file, as it is (no pass runs): one line with the
// file, the function, the kinds of faults and the bounds; the paths below it.
// Each is also explored without telling apart what made a buffer: that has to
// come to the same.
//
//===----------------------------------------------------------------------===//

#include "core/check/FaultRule.h"
#include "core/source/Document.h"
#include "core/symexec/Explore.h"

#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>

using namespace memreflens;

static void printResult(const std::string &path, const std::string &name,
                        const ExploreResult &result) {
  std::string kinds;
  for (const MemoryFault &fault : result.faults)
    kinds +=
        (kinds.empty() ? "" : ",") + std::string(ruleOf(fault.kind).text());
  std::printf("%s\t%s\t%s\t%s\n", path.c_str(), name.c_str(), kinds.c_str(),
              boundsText(result).c_str());
  for (const MemoryFault &fault : result.faults)
    for (const PathStep &step : fault.path)
      std::printf("  %s: %lld %s\n",
                  std::string(ruleOf(fault.kind).text()).c_str(),
                  (long long)step.offset, step.text.c_str());
}

/// Whether there is any fault, and what was not followed, is the same where
/// buffers are not told apart by what made them.
static bool saysTheSameTogether(mlir::FunctionOpInterface function,
                                const trace::Trace &trace,
                                symexec::ExploreOptions options,
                                const ExploreResult &apart) {
  options.tellsSitesApart = false;
  options.maxFaults = 1;
  const ExploreResult together = symexec::explore(function, trace, options);
  // Fewer steps say as much; of what was not tried to its end, more.
  const bool isRight =
      apart.faults.empty()
          ? !apart.stopped.empty() ||
                (together.faults.empty() && together.stopped.empty() &&
                 together.unfollowed == apart.unfollowed &&
                 together.assumed == apart.assumed)
          : !together.faults.empty();
  if (!isRight)
    std::fprintf(stderr, "%s: with sites together: %s; apart: %s\n",
                 function.getName().str().c_str(), boundsText(together).c_str(),
                 boundsText(apart).c_str());
  return isRight;
}

static bool exploreFile(const std::string &path, const std::string &wanted,
                        const symexec::ExploreOptions &options,
                        const mlir::DialectRegistry &registry) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  context.allowUnregisteredDialects();
  trace::Trace trace;
  ParsedDocument document =
      parseDocument({path, text.str()}, context, {}, trace);
  if (!document.anyParsed()) {
    std::printf("%s\t-\tunreadable\t\n", path.c_str());
    return false;
  }
  bool isRight = true;
  for (ParsedChunk &chunk : document.chunks) {
    if (!chunk.module)
      continue;
    chunk.module->walk([&](mlir::FunctionOpInterface function) {
      std::string name = function.getName().str();
      if ((wanted.empty() || name == wanted) && !function.isExternal()) {
        const ExploreResult result = symexec::explore(function, trace, options);
        printResult(path, name, result);
        isRight &= saysTheSameTogether(function, trace, options, result);
      }
    });
  }
  return isRight;
}

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  std::string wanted;
  symexec::ExploreOptions options;
  bool allRead = true;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--function") == 0 && i + 1 < argc)
      wanted = argv[++i];
    else if (std::strcmp(argv[i], "--hand-written") == 0)
      options.callResultsOwned = false;
    else if (std::strcmp(argv[i], "--steps") == 0 && i + 1 < argc)
      options.maxSteps = std::strtoull(argv[++i], nullptr, 10);
    else if (std::strcmp(argv[i], "--paths") == 0 && i + 1 < argc)
      options.maxPaths = std::strtoull(argv[++i], nullptr, 10);
    else if (std::strcmp(argv[i], "--words") == 0 && i + 1 < argc)
      options.maxWords = std::strtoull(argv[++i], nullptr, 10);
    else if (std::strcmp(argv[i], "--counted") == 0 && i + 1 < argc)
      options.countedIterations = std::strtoul(argv[++i], nullptr, 10);
    else if (std::strcmp(argv[i], "--sites-together") == 0)
      options.tellsSitesApart = false;
    else if (std::strcmp(argv[i], "--no-clock") == 0)
      options.seconds = 1e9;
    else
      allRead &= exploreFile(argv[i], wanted, options, registry);
    std::fflush(stdout);
  }
  return allRead ? 0 : 3;
}
