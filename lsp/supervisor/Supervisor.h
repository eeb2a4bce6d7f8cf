//===- lsp/supervisor/Supervisor.h - the process that the editor talks to -===//
//
// Passes what the client sends to those that it is for: documents and requests
// to upstream's server, to our analysis, or to both. Never parses IR, so that
// no input can kill it: it restarts a child that dies, hangs or grows past its
// limit, and keeps from it what killed it. One thread, as all of this folder.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_LSP_SUPERVISOR_SUPERVISOR_H
#define MEMREFLENS_LSP_SUPERVISOR_SUPERVISOR_H

#include "lsp/documents/Store.h"
#include "lsp/supervisor/AnalysisLink.h"
#include "lsp/supervisor/Client.h"
#include "lsp/supervisor/Configuration.h"
#include "lsp/supervisor/CrashReports.h"
#include "lsp/supervisor/LinkContext.h"
#include "lsp/supervisor/Log.h"
#include "lsp/supervisor/Requests.h"
#include "lsp/supervisor/Settings.h"
#include "lsp/supervisor/UpstreamLink.h"
#include "lsp/wire/Message.h"

#include <string>

namespace memreflens::lsp {

class Supervisor {
public:
  explicit Supervisor(Settings settings);
  /// Serves until `exit` or the input's end; the exit status.
  int run();

private:
  //===--- Supervisor.cpp: the loop ---===//
  void wait();
  void readClient();
  void onTick();
  void publishWaiting(double time);
  double patience(const Request &request);
  Json status();

  //===--- Messages.cpp: what the client sends ---===//
  void onMessage(const Json &message);
  void onRequest(const Json &id, const std::string &method, const Json &params);
  void onNotification(const std::string &method, const Json &params);
  void onResponse(const Json &message);
  void onInitialize(const Json &id, const Json &params);
  void onShutdown(const Json &id);
  void onConfiguration(const Json &given);
  void onCancel(const Json &params);
  void route(const Json &id, const std::string &method, const Json &params);

  //===--- Sync.cpp: documents ---===//
  void onOpen(const Json &params);
  void onChange(const Json &params);
  void onClose(const Json &params);
  void onSave(const Json &params);

  const Settings settings;
  const Log log{settings};
  Configuration configuration{settings};
  Client client{settings, log};
  Store store;
  Requests requests{configuration, client, [this] { return status(); }};
  CrashReports reports{configuration, client, log};
  const LinkContext context{configuration, store,   requests,
                            client,        reports, log};
  UpstreamLink upstream{context};
  AnalysisLink analysis{context, upstream};
  bool isInitialized = false, isShutDown = false, isOver = false;
  double lastLimitCheck = 0;
};

} // namespace memreflens::lsp

#endif // MEMREFLENS_LSP_SUPERVISOR_SUPERVISOR_H
