//===- lsp/supervisor/Log.h - what the server says of itself --------------===//

#ifndef MEMREFLENS_LSP_SUPERVISOR_LOG_H
#define MEMREFLENS_LSP_SUPERVISOR_LOG_H

#include "lsp/supervisor/Settings.h"

#include <string>

namespace memreflens::lsp {

/// Lines on stderr, or in the file that the user named. Never blocks.
class Log {
public:
  /// Keeps a reference: the settings must outlive it.
  explicit Log(const Settings &settings) : settings(settings) {}
  /// Levels are those of `Settings::logLevel`.
  bool takes(int level) const { return level <= settings.logLevel; }
  void write(int level, const std::string &text) const;

private:
  const Settings &settings;
};

} // namespace memreflens::lsp

#endif // MEMREFLENS_LSP_SUPERVISOR_LOG_H
