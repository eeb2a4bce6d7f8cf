//===- lsp/supervisor/Settings.h - the command line of the server ---------===//

#ifndef MEMREFLENS_LSP_SUPERVISOR_SETTINGS_H
#define MEMREFLENS_LSP_SUPERVISOR_SETTINGS_H

#include <string>
#include <vector>

namespace memreflens::lsp {

/// Argument of an analysis whose passes may need code generators of any machine
/// (core/process/CodeGenerators.h).
inline constexpr const char *codeGeneratorsFlag = "--code-generators";

struct Settings {
  /// argv, for children of the same executable.
  std::vector<std::string> arguments;
  /// Upstream's server runs; off with --companion.
  bool upstream = true;
  /// Our analysis runs; off with --analysis=off.
  bool analysis = true;
  /// 0 errors, 1 events, 2 all messages.
  int logLevel = 1;
  /// Besides stderr; empty for none.
  std::string logFile;
  /// Folder of crash reports; empty for none.
  std::string crashFolder;
  /// Seconds that a child may take for one thing: a parse, a stage, a request.
  double timeLimit = 20;
  /// Seconds after which a merged answer goes without the part that is missing.
  double patience = 1.5;
  /// The same once the analysis has been at one thing for `longWork` seconds
  /// without an answer: a giant function; and in a document of `largeText`
  /// bytes, which takes long to read, until a hover told of its text.
  double patienceInLongWork = 0.03, longWork = 0.5;
  size_t largeText = size_t(256) << 10;
  /// Bytes that a child may keep resident.
  size_t memoryLimit = size_t(4) << 30;
  /// Seconds of quiet before upstream's server gets an edit nobody asked about.
  double debounce = 0.02;
  /// Largest message of the client.
  size_t maxMessage = size_t(256) << 20;
};

} // namespace memreflens::lsp

#endif // MEMREFLENS_LSP_SUPERVISOR_SETTINGS_H
