//===- lsp/supervisor/AnalysisLink.cpp ------------------------------------===//

#include "lsp/supervisor/AnalysisLink.h"
#include "lsp/supervisor/Diagnostics.h"
#include "lsp/supervisor/UpstreamLink.h"
#include "lsp/wire/Strings.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

namespace memreflens::lsp {

//===--- The process ------------------------------------------------------===//

void AnalysisLink::start() {
  restartAt = 0;
  work = {};
  sent.clear();
  std::vector<std::string> arguments =
      context.configuration.getSettings().arguments;
  hasCodeGenerators = context.configuration.needsCodeGenerators();
  if (hasCodeGenerators)
    arguments.emplace_back(codeGeneratorsFlag);
  if (!child.start(arguments)) {
    context.log.write(0, "cannot start the analysis");
    restartAt = now() + Deaths::rest;
    return;
  }
  sendOptions();
  for (const Json &fatal : fatals)
    child.send(makeNotification("fatal", fatal));
  if (!suspects.empty())
    child.send(makeNotification("suspects", {{"keys", suspects}}));
  for (auto &[uri, document] : context.store.all())
    open(document, jsonQuoted(document.text));
  for (uint64_t serial : context.requests.awaited(&Request::analysis))
    ask(serial);
}

void AnalysisLink::exchange(bool isOver) {
  if (!child.isRunning())
    return;
  const bool lives = child.exchange();
  while (std::optional<Frame> frame = child.next())
    if (std::optional<Json> message = parseMessage(frame->body))
      onMessage(*message);
  const std::string why = child.getEnding();
  if (!lives && !isOver)
    onDeath(why, /*timedOut=*/false);
}

void AnalysisLink::restartIfDue(double time) {
  if (restartAt > 0 && time >= restartAt)
    start();
}

void AnalysisLink::killIfStuck(double time) {
  const bool isAtWork = !work.keys.empty();
  const double since = isAtWork       ? work.since
                       : sent.empty() ? time
                                      : sent.front().since;
  const double limit = context.configuration.getTimeLimit();
  if (!child.isRunning() || time - since <= limit)
    return;
  child.kill();
  onDeath("stopped after " + std::to_string(int(limit)) + " s",
          /*timedOut=*/true);
}

void AnalysisLink::killIfLarge() {
  if (child.memory() <= context.configuration.getMemoryLimit())
    return;
  child.kill();
  onDeath("exceeded its memory limit", /*timedOut=*/false);
}

bool AnalysisLink::isInLongWork() const {
  return !work.keys.empty() && !work.answers &&
         now() - work.began > context.configuration.getSettings().longWork;
}

Json AnalysisLink::status() const {
  Json made = statusOf(child, sent.size(), crashes);
  if (!work.keys.empty())
    made["at"] = {{"uri", work.uri}, {"stage", work.stage}};
  return made;
}

void AnalysisLink::blame(const Work &at, const std::string &why,
                         bool timedOut) {
  if (at.keys.size() > 1) {
    suspects.insert(at.keys.begin(), at.keys.end());
    return;
  }
  fatals.push_back({{"key", at.keys.front()},
                    {"stage", at.stage},
                    {"timedOut", timedOut},
                    {"message", why}});
  if (fatals.size() > 1000)
    fatals.erase(fatals.begin());
}

void AnalysisLink::onDeath(const std::string &why, bool timedOut) {
  ++crashes;
  double time = now();
  const bool rests = deaths.add(time);
  context.log.write(0, "the analysis " + why);
  Work at = std::move(work);
  work = {};
  OpenDocument *document = context.store.find(at.uri);
  if (!at.keys.empty()) {
    std::string message = why;
    if (at.keys.size() == 1)
      if (std::string report = context.reports.write("analysis", why, document);
          !report.empty())
        message += " (report: " + report + ")";
    // Before any stage there is no trace that could tell of it.
    if (at.stage < 0)
      message = "the analysis " + message + " while it read this function";
    blame(at, message, timedOut);
  } else if (!sent.empty()) {
    // Not over a function, so over the request.
    uint64_t serial = sent.front().serial;
    sent.pop_front();
    context.reports.write("analysis", why, document);
    context.requests.endAnalysisPart(
        serial, nullptr,
        {{"code", internalError}, {"message", "the analysis " + why}});
  }
  if (!rests) {
    start();
    return;
  }
  restartAt = time + Deaths::rest;
  sent.clear();
  for (uint64_t serial : context.requests.awaited(&Request::analysis))
    context.requests.endAnalysisPart(serial, nullptr, nullptr);
}

//===--- What it hears of -------------------------------------------------===//

void AnalysisLink::onConfiguration() {
  // Another program has them.
  if (child.isRunning() &&
      hasCodeGenerators != context.configuration.needsCodeGenerators())
    start();
  else
    sendOptions();
}

void AnalysisLink::sendOptions() {
  const Configuration &configuration = context.configuration;
  context.requests.getHovers().forgetAll();
  child.send(makeNotification(
      "options",
      {{"settings", configuration.getValues()},
       {"encoding", std::string(nameOf(configuration.getEncoding()))},
       {"markdown", !configuration.isPlainText()},
       {"timeLimit", configuration.getTimeLimit()},
       {"lazyActions", configuration.resolvesActions()}}));
}

void AnalysisLink::open(const OpenDocument &document,
                        std::string_view quotedText) {
  child.send(makeNotification("open", {{"uri", document.uri},
                                       {"version", document.version}}),
             {"\"text\":", quotedText});
}

void AnalysisLink::edit(const OpenDocument &document, Json edits) {
  child.send(makeNotification("edit", {{"uri", document.uri},
                                       {"version", document.version},
                                       {"edits", std::move(edits)}}));
}

void AnalysisLink::close(const std::string &uri) {
  child.send(makeNotification("close", {{"uri", uri}}));
}

void AnalysisLink::save(const std::string &uri) {
  child.send(makeNotification("save", {{"uri", uri}}));
}

void AnalysisLink::ask(uint64_t serial) {
  if (!child.isRunning()) {
    context.requests.endAnalysisPart(serial, nullptr, nullptr);
    return;
  }
  const Request &request = context.requests.get(serial);
  child.send(makeRequest(serial, request.method, request.params));
  sent.push_back({serial, request.uri, 0, now()});
}

void AnalysisLink::cancel(uint64_t serial) {
  child.send(makeNotification("cancel", {{"id", serial}}));
}

//===--- What it says -----------------------------------------------------===//

void AnalysisLink::onMessage(const Json &message) {
  std::string method = stringIn(message, "method");
  const Json &params = member(message, "params");
  if (method == "$/working")
    onWorking(params);
  else if (method == "$/partial")
    onPartialResult(params);
  else if (method == "diagnostics")
    onDiagnostics(params);
  else if (const Json &id = member(message, "id"); id.is_number_unsigned())
    onAnswer(id.get<uint64_t>(), message);
}

void AnalysisLink::onWorking(const Json &params) {
  work.since = now();
  // Without keys it is at the same as before, and goes on.
  if (const Json &keys = member(params, "keys"); keys.is_array()) {
    if (work.keys.empty())
      work.began = work.since;
    work.uri = stringIn(params, "uri");
    work.version = integerIn(params, "version", 0);
    work.keys = keys.get<std::vector<uint64_t>>();
    work.stage = int(integerIn(params, "stage", -1));
    work.answers = boolIn(params, "answers", false);
  }
  // An answer that works its way through a file is not stuck.
  if (!sent.empty())
    sent.front().since = work.since;
}

void AnalysisLink::onAnswer(uint64_t serial, const Json &message) {
  auto at = std::find_if(sent.begin(), sent.end(),
                         [&](const Sent &one) { return one.serial == serial; });
  if (at != sent.end())
    sent.erase(sent.begin(), at + 1);
  work.began = now();
  if (!sent.empty())
    sent.front().since = now();
  context.requests.endAnalysisPart(serial, member(message, "result"),
                                   member(message, "error"));
}

void AnalysisLink::onPartialResult(const Json &params) {
  const Request *request =
      context.requests.find(uint64_t(integerIn(params, "id", 0)));
  if (!request)
    return;
  context.client.send(makeNotification(
      "$/progress", {{"token", member(request->params, "partialResultToken")},
                     {"value", member(params, "value")}}));
}

void AnalysisLink::onDiagnostics(const Json &params) {
  OpenDocument *document = context.store.find(stringIn(params, "uri"));
  if (!document)
    return;
  // What is of an older text is kept, too: the next may be the same.
  if (!boolIn(params, "unchanged", false)) {
    document->own = member(params, "own");
    document->failed = member(params, "failed");
    document->parser = member(params, "parser");
    document->hasNews = true;
  }
  if (integerIn(params, "version", 0) != document->version)
    return;
  // Each version is told of at least once: clients wait for it.
  if (!document->hasNews && document->publishedVersion == document->version)
    return;
  // Upstream's own message about this version, with ours in it, comes later: if
  // it lives, and soon.
  if (upstream.willDiagnose(*document))
    document->waitsSince = now();
  else
    publish(*document, context.configuration.getSettings(), context.client);
}

} // namespace memreflens::lsp
