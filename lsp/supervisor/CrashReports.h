//===- lsp/supervisor/CrashReports.h - what a bug report needs ------------===//
//
// Writes the document, the options and the last messages to a file of the
// user's, and names it. Nothing is ever sent anywhere.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_LSP_SUPERVISOR_CRASHREPORTS_H
#define MEMREFLENS_LSP_SUPERVISOR_CRASHREPORTS_H

#include "lsp/documents/Store.h"
#include "lsp/supervisor/Client.h"
#include "lsp/supervisor/Configuration.h"
#include "lsp/supervisor/Log.h"

#include <string>

namespace memreflens::lsp {

class CrashReports {
public:
  /// Keeps references: all of them must outlive it.
  CrashReports(const Configuration &configuration, const Client &client,
               const Log &log)
      : configuration(configuration), client(client), log(log) {}
  /// Path of the report; empty if none was written: there is no folder for
  /// them, or there are enough of this server, or the log says why. `role`:
  /// what died. `document`: what it was at; null if that is not known.
  std::string write(const std::string &role, const std::string &why,
                    const OpenDocument *document);

private:
  const Configuration &configuration;
  const Client &client;
  const Log &log;
  int written = 0;
};

} // namespace memreflens::lsp

#endif // MEMREFLENS_LSP_SUPERVISOR_CRASHREPORTS_H
