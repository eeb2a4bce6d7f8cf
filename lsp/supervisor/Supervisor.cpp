//===- lsp/supervisor/Supervisor.cpp - the loop ---------------------------===//

#include "lsp/supervisor/Supervisor.h"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <poll.h>
#include <unistd.h>

namespace memreflens::lsp {

double now() {
  using Clock = std::chrono::steady_clock;
  return std::chrono::duration<double>(Clock::now().time_since_epoch()).count();
}

/// A client that does not read is not read from either.
static constexpr size_t maxUnread = size_t(256) << 20;

Supervisor::Supervisor(Settings given)
    : settings(std::move(given)), timeLimit(settings.timeLimit),
      memoryLimit(settings.memoryLimit), clientFrames(settings.maxMessage) {}

int Supervisor::run() {
  signal(SIGPIPE, SIG_IGN);
  // A crash report that is too large to be written must not end the server.
  signal(SIGXFSZ, SIG_IGN);
  // Whoever ignores his children may have started us so.
  signal(SIGCHLD, SIG_DFL);
  makeNonBlocking(STDIN_FILENO);
  makeNonBlocking(STDOUT_FILENO);
  // The children start with `initialize`: what they are to do is in it.
  while (!isOver) {
    wait();
    if (!readClient())
      isOver = true;
    while (!isOver) {
      std::optional<Frame> frame = clientFrames.next();
      if (!frame)
        break;
      onFrame(*frame);
    }
    readChild(upstream);
    readChild(analysis);
    onTick();
    // Written at once where the pipes take it, not at the next round.
    if (upstream.isRunning() && upstream.wantsToWrite())
      readChild(upstream);
    if (analysis.isRunning() && analysis.wantsToWrite())
      readChild(analysis);
    if (!clientOut.flush(STDOUT_FILENO))
      isOver = true;
  }
  // What was answered must arrive, if somebody still reads.
  double until = now() + 2;
  while (!clientOut.empty() && now() < until) {
    pollfd output{STDOUT_FILENO, POLLOUT, 0};
    poll(&output, 1, 100);
    if (!clientOut.flush(STDOUT_FILENO))
      break;
  }
  return exitStatus();
}

void Supervisor::wait() {
  pollfd polled[6];
  nfds_t count = 0;
  auto add = [&](int descriptor, short events) {
    if (descriptor >= 0)
      polled[count++] = {descriptor, events, 0};
  };
  if (!clientGone && clientOut.size() < maxUnread)
    add(STDIN_FILENO, POLLIN);
  if (!clientOut.empty())
    add(STDOUT_FILENO, POLLOUT);
  for (Child *child : {&upstream, &analysis}) {
    add(child->output(), POLLIN);
    if (child->wantsToWrite())
      add(child->input(), POLLOUT);
  }
  int timeout = pending.empty() && upstreamSent.empty() ? 500 : 10;
  if (!upstreamDirty.empty())
    timeout = 5;
  poll(polled, count, timeout);
}

bool Supervisor::readClient() {
  char buffer[1 << 16];
  while (!clientGone && clientOut.size() < maxUnread) {
    ssize_t got = read(STDIN_FILENO, buffer, sizeof(buffer));
    if (got > 0) {
      clientFrames.add({buffer, size_t(got)});
      continue;
    }
    if (got < 0 && errno == EINTR)
      continue;
    if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
      return true;
    clientGone = true;
  }
  // What came before the end is still answered.
  if (clientGone && pending.empty()) {
    while (std::optional<Frame> frame = clientFrames.next())
      onFrame(*frame);
    return !pending.empty();
  }
  return true;
}

void Supervisor::readChild(Child &child) {
  if (!child.isRunning())
    return;
  bool lives = child.exchange();
  while (std::optional<Frame> frame = child.next()) {
    std::optional<Json> message = parseMessage(frame->body);
    if (!message)
      continue;
    if (&child == &upstream)
      onUpstreamMessage(*message);
    else
      onAnalysisMessage(*message);
  }
  if (lives || isOver)
    return;
  std::string why = child.getEnding();
  if (&child == &upstream)
    onUpstreamDeath(why);
  else
    onAnalysisDeath(why);
}

/// How long a merged answer waits for the part that is missing.
double Supervisor::patience(const Pending &request) {
  const bool isLong = !work.keys.empty() && !work.answers &&
                      now() - work.began > settings.longWork;
  const OpenDocument *document = store.find(request.uri);
  const bool isLarge = document && document->text.size() >= settings.largeText;
  return isLong || request.isUnfinished || isLarge ? settings.patienceInLongWork
                                                   : settings.patience;
}

void Supervisor::onTick() {
  double time = now();
  if (!upstreamDirty.empty() && upstreamSent.empty() &&
      time - dirtySince >= settings.debounce) {
    std::set<std::string> dirty = std::move(upstreamDirty);
    upstreamDirty.clear();
    for (const std::string &uri : dirty)
      if (OpenDocument *document = store.find(uri))
        flushUpstream(*document);
  }
  for (auto &[uri, document] : store.all())
    if (document.waitsSince &&
        (!upstream.isRunning() ||
         time - *document.waitsSince > settings.patience))
      publish(document);
  if (restartUpstreamAt > 0 && time >= restartUpstreamAt)
    startUpstream();
  if (restartAnalysisAt > 0 && time >= restartAnalysisAt)
    startAnalysis();
  if (upstream.isRunning() && !upstreamSent.empty() &&
      time - upstreamSent.front().since > timeLimit) {
    upstream.kill();
    onUpstreamDeath("did not end in " + std::to_string(int(timeLimit)) + " s");
  }
  if (upstream.isRunning() && isUpstreamAtStaleText() &&
      time - upstreamSent.front().since > settings.patience) {
    upstream.kill();
    onUpstreamDeath("was at a text that has changed since");
  }
  bool isAtWork = !work.keys.empty();
  double since = isAtWork               ? work.since
                 : analysisSent.empty() ? time
                                        : analysisSent.front().since;
  if (analysis.isRunning() && time - since > timeLimit) {
    analysis.kill();
    timedOutAnalysis = true;
    onAnalysisDeath("stopped after " + std::to_string(int(timeLimit)) + " s");
    timedOutAnalysis = false;
  }
  std::vector<uint64_t> late;
  for (auto &[serial, request] : pending)
    if (time - request.since > patience(request) &&
        (request.method == "textDocument/hover" ||
         request.method == "textDocument/codeAction"))
      late.push_back(serial);
  for (uint64_t serial : late) {
    // Late parts are dropped when they come.
    Pending &request = pending[serial];
    if (request.upstream.awaited == request.analysis.awaited)
      continue;
    request.upstream.awaited = request.analysis.awaited = false;
    finishIfDone(serial);
  }
  if (time - lastMemoryCheck < 1)
    return;
  lastMemoryCheck = time;
  if (upstream.memory() > memoryLimit) {
    upstream.kill();
    onUpstreamDeath("exceeded its memory limit");
  }
  if (analysis.memory() > memoryLimit) {
    analysis.kill();
    onAnalysisDeath("exceeded its memory limit");
  }
  int64_t client = integerIn(initializeParams, "processId", 0);
  if (client > 1 && ::kill(pid_t(client), 0) != 0 && errno == ESRCH)
    isOver = true;
}

void Supervisor::send(const Json &message) {
  if (settings.logLevel >= 2)
    log(2, "<-- " + toBytes(message));
  clientOut.add(encodeFrame(toBytes(message)));
}

void Supervisor::log(int level, const std::string &text) {
  if (level > settings.logLevel)
    return;
  std::string line = "memref-lens-lsp-server: " + text + "\n";
  // A full pipe of an editor that does not read it must not block us.
  pollfd ready{STDERR_FILENO, POLLOUT, 0};
  if (settings.logFile.empty() && poll(&ready, 1, 0) == 1 &&
      (ready.revents & POLLOUT) && line.size() < 4096)
    (void)!write(STDERR_FILENO, line.data(), line.size());
  if (settings.logFile.empty())
    return;
  if (FILE *file = std::fopen(settings.logFile.c_str(), "a")) {
    std::fwrite(line.data(), 1, line.size(), file);
    std::fclose(file);
  }
}

} // namespace memreflens::lsp
