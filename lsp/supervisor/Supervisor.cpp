//===- lsp/supervisor/Supervisor.cpp - the loop ---------------------------===//

#include "lsp/supervisor/Supervisor.h"
#include "core/text/Fingerprint.h"
#include "lsp/supervisor/Diagnostics.h"
#include "lsp/supervisor/Watch.h"

#include <cerrno>
#include <csignal>
#include <nlohmann/json.hpp>
#include <optional>
#include <poll.h>
#include <unistd.h>
#include <utility>

namespace memreflens::lsp {

Supervisor::Supervisor(Settings settings) : settings(std::move(settings)) {}

int Supervisor::run() {
  signal(SIGPIPE, SIG_IGN);
  // A crash report that is too large to be written must not end the server.
  signal(SIGXFSZ, SIG_IGN);
  // Whoever ignores his children may have started us so.
  signal(SIGCHLD, SIG_DFL);
  client.open();
  // The children start with `initialize`: what they are to do is in it.
  while (!isOver) {
    wait();
    readClient();
    upstream.exchange(isOver);
    analysis.exchange(isOver);
    onTick();
    // Written at once where the pipes take it, not at the next round.
    if (upstream.getChild().wantsToWrite())
      upstream.exchange(isOver);
    if (analysis.getChild().wantsToWrite())
      analysis.exchange(isOver);
    if (!client.flush())
      isOver = true;
  }
  // What was answered must arrive, if somebody still reads.
  client.finish();
  return isShutDown ? 0 : 1;
}

void Supervisor::wait() {
  pollfd polled[6];
  nfds_t count = 0;
  auto add = [&](int descriptor, short events) {
    if (descriptor >= 0)
      polled[count++] = {descriptor, events, 0};
  };
  if (client.wantsToBeRead())
    add(STDIN_FILENO, POLLIN);
  if (client.wantsToWrite())
    add(STDOUT_FILENO, POLLOUT);
  for (const Child *child : {&upstream.getChild(), &analysis.getChild()}) {
    add(child->output(), POLLIN);
    if (child->wantsToWrite())
      add(child->input(), POLLOUT);
  }
  int timeout = requests.size() == 0 && upstream.isIdle() ? 500 : 10;
  if (upstream.hasEdits())
    timeout = 5;
  poll(polled, count, timeout);
}

void Supervisor::readClient() {
  client.receive();
  // What came before the end is still answered.
  if (client.isGone() && requests.size() == 0) {
    while (std::optional<Json> message = client.next())
      onMessage(*message);
    isOver = isOver || requests.size() == 0;
  }
  while (!isOver)
    if (std::optional<Json> message = client.next())
      onMessage(*message);
    else
      break;
}

/// How long a merged answer waits for the part that is missing.
double Supervisor::patience(const Request &request) {
  const OpenDocument *document = store.find(request.uri);
  const bool isLarge = document &&
                       document->text.size() >= settings.largeText &&
                       !requests.getHovers().hasTold(request.uri);
  return analysis.isInLongWork() || request.isUnfinished || isLarge
             ? settings.patienceInLongWork
             : settings.patience;
}

/// Ours is told alone where upstream's part is late or will not come.
void Supervisor::publishWaiting(double time) {
  for (auto &[uri, document] : store.all())
    if (document.waitsSince &&
        (!upstream.isRunning() ||
         time - *document.waitsSince > settings.patience))
      publish(document, settings, client);
}

void Supervisor::onTick() {
  const double time = now();
  upstream.sendEdits(time);
  publishWaiting(time);
  upstream.restartIfDue(time);
  analysis.restartIfDue(time);
  upstream.killIfStuck(time);
  analysis.killIfStuck(time);
  requests.endLate(
      time, [this](const Request &request) { return patience(request); });
  if (time - lastLimitCheck < 1)
    return;
  lastLimitCheck = time;
  upstream.killIfLarge();
  analysis.killIfLarge();
  int64_t editor =
      integerIn(configuration.getInitializeParams(), "processId", 0);
  if (editor > 1 && ::kill(pid_t(editor), 0) != 0 && errno == ESRCH)
    isOver = true;
}

Json Supervisor::status() {
  Json documents = Json::array();
  for (const auto &[uri, document] : store.all()) {
    Json entry = {{"uri", uri},
                  {"version", document.version},
                  {"bytes", document.text.size()},
                  {"hash", fingerprint(document.text)},
                  {"quarantined", document.quarantined.has_value()}};
    if (document.upstreamVersion)
      entry["upstreamVersion"] = *document.upstreamVersion;
    documents.push_back(std::move(entry));
  }
  return {{"processId", getpid()},
          {"requests", requests.size()},
          {"documents", documents},
          {"upstream", upstream.status()},
          {"analysis", analysis.status()}};
}

} // namespace memreflens::lsp
