//===- lsp/analysis/Analyst.cpp - settings change -------------------------===//

#include "lsp/analysis/Analyst.h"

#include <tuple>

namespace memreflens::lsp {

/// Whether reports about paths hold under the other options as well.
static bool haveSamePaths(const ServerOptions &one,
                          const ServerOptions &other) {
  auto limits = [](const ServerOptions &options) {
    return std::tuple(options.seed(), options.findings.bound,
                      options.findings.steps, options.findings.seconds,
                      options.timeLimit);
  };
  return limits(one) == limits(other);
}

void Analyst::setOptions(const ServerOptions &fresh) {
  bool keepsPaths = haveSamePaths(options, fresh);
  if (options.seed() != fresh.seed() || !fresh.findings.testRemedies)
    remedyTests.forget();
  state.options = fresh;
  soloRuns.forget();
  if (!keepsPaths)
    cache.dropShelvedPaths();
  documents.outdate(keepsPaths);
}

const execute::Record *Analyst::runOf(const Document &document,
                                      std::string &why) {
  namedRun.look(options.runRecord);
  return namedRun.of(document, options, why);
}

} // namespace memreflens::lsp
