//===- lsp/supervisor/LinkContext.h - what the links to children share ----===//

#ifndef MEMREFLENS_LSP_SUPERVISOR_LINKCONTEXT_H
#define MEMREFLENS_LSP_SUPERVISOR_LINKCONTEXT_H

#include "lsp/documents/Store.h"
#include "lsp/supervisor/Client.h"
#include "lsp/supervisor/Configuration.h"
#include "lsp/supervisor/CrashReports.h"
#include "lsp/supervisor/Log.h"
#include "lsp/supervisor/Requests.h"

namespace memreflens::lsp {

/// All that is in it must outlive the link.
struct LinkContext {
  const Configuration &configuration;
  /// The client's documents, which each child gets, and gets again.
  Store &store;
  /// They get what the child answers.
  Requests &requests;
  Client &client;
  /// They are told of each death.
  CrashReports &reports;
  const Log &log;
};

} // namespace memreflens::lsp

#endif // MEMREFLENS_LSP_SUPERVISOR_LINKCONTEXT_H
