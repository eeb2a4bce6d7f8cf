//===- lsp/supervisor/AnalysisLink.cpp - our analysis, kept alive ---------===//
//
// The child tells which functions it is at, and in which stage. When it dies,
// one function alone is to blame and gets set aside before that stage; of
// several, each is tried alone next.
//
//===----------------------------------------------------------------------===//

#include "core/process/CodeGenerators.h"
#include "lsp/supervisor/Supervisor.h"
#include "lsp/wire/Strings.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace memreflens::lsp {

void Supervisor::startAnalysis() {
  restartAnalysisAt = 0;
  work = {};
  analysisSent.clear();
  std::vector<std::string> arguments = settings.arguments;
  if (needsCodeGenerators())
    arguments.emplace_back(codeGeneratorsFlag);
  if (!analysis.start(arguments)) {
    log(0, "cannot start the analysis");
    restartAnalysisAt = now() + Deaths::rest;
    return;
  }
  sendOptions();
  for (const Json &fatal : fatals)
    analysis.send(makeNotification("fatal", fatal));
  if (!suspects.empty())
    analysis.send(makeNotification("suspects", {{"keys", suspects}}));
  for (auto &[uri, document] : store.all())
    sendOpen(document, jsonQuoted(document.text));
  for (uint64_t serial : awaitedOf(&Pending::analysis))
    sendAnalysis(serial);
}

bool Supervisor::needsCodeGenerators() const {
  return mayNeedCodeGenerators(toBytes(member(configuration, "pipeline")));
}

void Supervisor::sendOpen(const OpenDocument &document,
                          std::string_view quotedText) {
  analysis.send(makeNotification("open", {{"uri", document.uri},
                                          {"version", document.version}}),
                {"\"text\":", quotedText});
}

void Supervisor::sendOptions() {
  analysis.send(makeNotification(
      "options",
      {{"settings", configuration},
       {"encoding", std::string(nameOf(encoding))},
       {"markdown", !isPlainText},
       {"timeLimit", timeLimit},
       {"lazyActions",
        member(ownCapabilities(), "codeActionProvider").is_object()}}));
}

void Supervisor::sendAnalysis(uint64_t serial) {
  if (!analysis.isRunning()) {
    endAnalysisPart(serial, nullptr, nullptr);
    return;
  }
  const Pending &request = pending[serial];
  analysis.send(makeRequest(serial, request.method, request.params));
  analysisSent.push_back({serial, request.uri, 0, now()});
}

void Supervisor::onAnalysisMessage(const Json &message) {
  std::string method = stringIn(message, "method");
  const Json &params = member(message, "params");
  if (method == "$/working") {
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
    if (!analysisSent.empty())
      analysisSent.front().since = work.since;
    return;
  }
  if (method == "$/partial") {
    onPartialResult(params);
    return;
  }
  if (method == "diagnostics") {
    onAnalysisDiagnostics(params);
    return;
  }
  const Json &id = member(message, "id");
  if (!id.is_number_unsigned())
    return;
  uint64_t serial = id.get<uint64_t>();
  auto at = std::find_if(analysisSent.begin(), analysisSent.end(),
                         [&](const Sent &s) { return s.serial == serial; });
  if (at != analysisSent.end())
    analysisSent.erase(analysisSent.begin(), at + 1);
  work.began = now();
  if (!analysisSent.empty())
    analysisSent.front().since = now();
  endAnalysisPart(serial, member(message, "result"), member(message, "error"));
}

void Supervisor::onPartialResult(const Json &params) {
  auto at = pending.find(uint64_t(integerIn(params, "id", 0)));
  if (at == pending.end())
    return;
  send(makeNotification(
      "$/progress", {{"token", member(at->second.params, "partialResultToken")},
                     {"value", member(params, "value")}}));
}

void Supervisor::onAnalysisDiagnostics(const Json &params) {
  OpenDocument *document = store.find(stringIn(params, "uri"));
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
  bool waits = hasUpstream(document) && upstream.isRunning() &&
               document->upstreamDiagnosed != document->version;
  if (waits)
    document->waitsSince = now();
  else
    publish(*document);
}

void Supervisor::blame(const Work &at, const std::string &why, bool timedOut) {
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

void Supervisor::onAnalysisDeath(const std::string &why) {
  ++analysisCrashes;
  double time = now();
  const bool rests = analysisDeaths.add(time);
  log(0, "the analysis " + why);
  Work at = std::move(work);
  work = {};
  OpenDocument *document = store.find(at.uri);
  if (!at.keys.empty()) {
    std::string message = why;
    if (at.keys.size() == 1)
      if (std::string report = writeCrashReport("analysis", why, document);
          !report.empty())
        message += " (report: " + report + ")";
    // Before any stage there is no trace that could tell of it.
    if (at.stage < 0)
      message = "the analysis " + message + " while it read this function";
    blame(at, message, timedOutAnalysis);
  } else if (!analysisSent.empty()) {
    // Not over a function, so over the request.
    uint64_t serial = analysisSent.front().serial;
    analysisSent.pop_front();
    writeCrashReport("analysis", why, document);
    endAnalysisPart(
        serial, nullptr,
        {{"code", internalError}, {"message", "the analysis " + why}});
  }
  if (!rests) {
    startAnalysis();
    return;
  }
  restartAnalysisAt = time + Deaths::rest;
  analysisSent.clear();
  for (uint64_t serial : awaitedOf(&Pending::analysis))
    endAnalysisPart(serial, nullptr, nullptr);
}

} // namespace memreflens::lsp
