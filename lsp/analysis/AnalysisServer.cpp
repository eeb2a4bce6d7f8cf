//===- lsp/analysis/AnalysisServer.cpp ------------------------------------===//

#include "lsp/analysis/AnalysisServer.h"
#include "lsp/analysis/Features.h"
#include "lsp/analysis/Protocol.h"
#include "lsp/wire/Frames.h"
#include "lsp/wire/OwnMethods.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <deque>
#include <mutex>
#include <nlohmann/json.hpp>
#include <poll.h>
#include <unistd.h>
#include <utility>

namespace memreflens::lsp {

namespace {

class AnalysisServer {
public:
  AnalysisServer(const RegistryOf &registryOf, const ServerOptions &defaults)
      : defaults(defaults), analyst(registryOf, tell) {
    analyst.state.options = defaults;
    analyst.scheduler.meanwhile = [this] { answerMeanwhile(); };
  }

  int run() {
    while (true) {
      // What takes long and nobody waits for is done once nobody asks.
      int wait = isDue      ? settle
                 : hasWork  ? 0
                 : hasPaths ? pause
                 : hasTests ? quiet
                            : forever;
      if (!drain(wait))
        return 0;
      answerStatus();
      bool isQuiet = inbox.empty();
      if (isQuiet && !hasWork)
        tryPaths();
      if (isQuiet && !hasWork && !hasPaths)
        testRemedies();
      // Who asks once asks again: also where a path was left for it.
      pause = inbox.empty() ? 0 : quiet;
      if (!answerAll())
        return 0;
      work(isQuiet);
      // Here only, and between the functions of a long answer: an answer holds
      // what it reads.
      analyst.documents.trim(nullptr);
      analyst.cache.letSleep(analyst.documents.all());
    }
  }

private:
  /// Milliseconds to wait for a message.
  static constexpr int settle = 20, quiet = 100, forever = -1;

  //===--- The wire ---===//
  bool drain(int wait) {
    char buffer[1 << 16];
    while (true) {
      pollfd input{STDIN_FILENO, POLLIN, 0};
      int ready = poll(&input, 1, wait);
      if (ready < 0 && errno == EINTR)
        continue;
      if (ready <= 0)
        return true;
      ssize_t got = read(STDIN_FILENO, buffer, sizeof(buffer));
      if (got <= 0)
        return false;
      frames.add({buffer, size_t(got)});
      while (std::optional<Frame> frame = frames.next())
        if (std::optional<Json> message = parseMessage(frame->body))
          inbox.push_back(std::move(*message));
      wait = 0;
    }
  }

  /// Whether somebody still wants the answer to a request: not after an edit of
  /// its document, nor after it was cancelled. What has come is looked at, not
  /// taken.
  bool isWanted(const Json &id, const std::string &uri) {
    drain(0);
    return std::none_of(inbox.begin(), inbox.end(), [&](const Json &message) {
      std::string method = stringIn(message, "method");
      const Json &params = member(message, "params");
      bool changes = method == "edit" || method == "close" || method == "open";
      return (changes && stringIn(params, "uri") == uri) ||
             (method == "cancel" && member(params, "id") == id);
    });
  }

  static void send(const Json &message, std::string_view members = {}) {
    sendBytes(toBytes(message, members));
  }

  /// For any thread.
  static void sendBytes(std::string_view bytes) {
    static std::mutex mutex;
    std::lock_guard lock(mutex);
    std::string frame = encodeFrame(bytes);
    std::string_view rest = frame;
    while (!rest.empty()) {
      ssize_t put = write(STDOUT_FILENO, rest.data(), rest.size());
      if (put < 0 && errno == EINTR)
        continue;
      if (put <= 0)
        _exit(0);
      rest.remove_prefix(size_t(put));
    }
  }

  static void tell(const Working &now) {
    Json params = {{"uri", now.document->uri},
                   {"version", now.document->version},
                   {"stage", now.stage},
                   {"answers", answersMeanwhile.load()}};
    if (now.keys)
      params["keys"] = *now.keys;
    send(makeNotification("$/working", std::move(params)));
  }

  static bool asksHowFar(const Json &message) {
    const std::string method = stringIn(message, "method");
    return method == ownMethods::status || method == ownMethods::causes;
  }

  /// Who only looks on interrupts nothing.
  void answerStatus() {
    while (!inbox.empty() && asksHowFar(inbox.front())) {
      answerRequest(inbox.front());
      inbox.pop_front();
    }
  }

  bool answerAll() {
    while (!inbox.empty()) {
      Json message = std::move(inbox.front());
      inbox.pop_front();
      std::string method = stringIn(message, "method");
      if (method == "exit")
        return false;
      if (message.contains("id"))
        answerRequest(message);
      else
        onNotification(method, member(message, "params"));
    }
    return true;
  }

  void answerRequest(const Json &message) {
    const Json &id = member(message, "id");
    const Json &params = member(message, "params");
    const std::string uri = stringIn(member(params, "textDocument"), "uri");
    Request request{
        analyst, params, [&] { return isWanted(id, uri); },
        [&](Json part) {
          send(makeNotification("$/partial",
                                {{"id", id}, {"value", std::move(part)}}));
        }};
    Json result = answer(stringIn(message, "method"), request);
    if (request.error.empty())
      send(makeResult(id, std::move(result)), request.rawMembers);
    else
      send(makeError(id, request.code, request.error));
  }

  /// Whether it asks of functions only that are soon done with.
  bool isQuick(const Json &message) {
    const std::string method = stringIn(message, "method");
    const Json &params = member(message, "params");
    const Document *document = analyst.documents.find(
        stringIn(member(params, "textDocument"), "uri"), /*uses=*/false);
    if (!document || document->isStale)
      return false;
    const bool isOfPlace = method == "textDocument/hover" ||
                           method == "textDocument/documentHighlight";
    if (!isOfPlace && method != "textDocument/inlayHint")
      return false;
    const TextRange lines =
        isOfPlace ? TextRange{positionIn(params), positionIn(params)}
                  : rangeIn(params);
    const std::vector<Unit> &units = document->units;
    for (size_t i = 0; i < units.size(); ++i) {
      const bool isAsked =
          units[i].line <= lines.end.line &&
          (i + 1 == units.size() || units[i + 1].line > lines.start.line);
      const bool isKnown = analyst.scheduler.isQuick(*document, units[i]) ||
                           (method == "textDocument/hover" &&
                            analyst.scheduler.isComing(*document, units[i]));
      if (isAsked && !isKnown)
        return false;
    }
    return true;
  }

  /// What a giant function, on which other threads are, has nothing to do with.
  /// Nothing behind an edit.
  void answerMeanwhile() {
    if (std::exchange(isAnswering, true))
      return;
    drain(0);
    for (size_t i = 0; i < inbox.size() && inbox[i].contains("id");) {
      if (!isQuick(inbox[i])) {
        ++i;
        continue;
      }
      Json message = std::move(inbox[i]);
      inbox.erase(inbox.begin() + ptrdiff_t(i));
      answerRequest(message);
    }
    isAnswering = false;
  }

  //===--- Documents ---===//
  void onNotification(const std::string &method, const Json &params) {
    hasWork = hasTests = true;
    std::string uri = stringIn(params, "uri");
    int64_t version = integerIn(params, "version", 0);
    if (method == "open")
      analyst.documents.open(uri, version, stringIn(params, "text"));
    else if (method == "edit" &&
             !analyst.documents.edit(uri, version, editsIn(params)))
      _exit(3); // Out of step: begin anew with what the parent has.
    else if (method == "close")
      analyst.documents.close(uri);
    else if (method == "save")
      onSave(uri);
    else if (method == "options")
      analyst.setOptions(optionsOf(params, defaults));
    else if (method == "fatal")
      onFatal(params);
    else if (method == "suspects")
      for (const Json &key : member(params, "keys"))
        analyst.state.suspects.insert(key.get<uint64_t>());
  }

  void onSave(const std::string &uri) {
    saved.insert(uri);
    analyst.remedyTests.onSave(uri);
  }

  static std::vector<ByteEdit> editsIn(const Json &params) {
    std::vector<ByteEdit> found;
    for (const Json &edit : member(params, "edits"))
      found.push_back({size_t(integerIn(edit, "begin", 0)),
                       size_t(integerIn(edit, "end", 0)),
                       stringIn(edit, "text")});
    return found;
  }

  void onFatal(const Json &params) {
    Fatal fatal;
    fatal.key = member(params, "key").get<uint64_t>();
    fatal.stage = int(integerIn(params, "stage", -1));
    fatal.timedOut = boolIn(params, "timedOut", false);
    fatal.message = stringIn(params, "message");
    analyst.state.fatals.push_back(std::move(fatal));
  }

  //===--- Background ---===//
  /// Whether nobody sent anything but questions of how far it is.
  bool isUndisturbed() {
    bool lives = drain(0);
    answerStatus();
    return lives && inbox.empty();
  }

  /// Whether nothing came but questions; they are answered while other threads
  /// try paths. They change nothing that a path is tried with.
  bool answersQuestions() {
    bool lives = drain(0);
    while (!inbox.empty() && inbox.front().contains("id")) {
      Json message = std::move(inbox.front());
      inbox.pop_front();
      answerRequest(message);
    }
    return lives && inbox.empty();
  }

  void work(bool isQuiet) {
    if (analyst.options.onSave && saved.empty()) {
      hasWork = isDue = false;
      return;
    }
    Document *document =
        analyst.scheduler.step([this] { return isUndisturbed(); });
    hasWork = document != nullptr;
    if (!document || document->next < document->units.size()) {
      isDue = false;
      return;
    }
    if (!isDue)
      dueSince = Clock::now();
    bool isLate = Clock::now() - dueSince > std::chrono::milliseconds(300);
    if (!std::exchange(isDue, true) || (!isQuiet && !isLate))
      return;
    while (analyst.options.findings.enabled &&
           analyst.scheduler.findMore(*document))
      if (!isLate && (!drain(0) || !inbox.empty()))
        return;
    sendBytes(messageOf(reportOf(analyst, *document)));
    isDue = false;
    saved.erase(document->uri);
    hasPaths = true;
  }

  /// Goes on until a message comes; what was not ended is tried again.
  void tryPaths() {
    answersMeanwhile = true;
    Document *document =
        analyst.paths.explore([this] { return answersQuestions(); });
    answersMeanwhile = false;
    hasPaths = document != nullptr;
    if (!document || !document->isExplored || !document->hasPathNews)
      return;
    if (document->dropped.empty()) {
      sendBytes(messageOf(reportOf(analyst, *document)));
      return;
    }
    // Its functions are analysed again first, a few at a time.
    document->isReported = false;
    document->next = 0;
    hasWork = true;
  }

  /// Looks how far a test is, or begins one.
  void testRemedies() {
    if (Document *document = analyst.remedyTests.step())
      sendBytes(messageOf(reportOf(analyst, *document)));
    hasTests = analyst.remedyTests.isRunning();
  }

  /// Other threads are at work, and this one answers. Told by any of them.
  static inline std::atomic<bool> answersMeanwhile = false;

  const ServerOptions defaults;
  Analyst analyst;
  FrameReader frames{size_t(1) << 30};
  std::deque<Json> inbox;
  std::set<std::string> saved;
  bool hasWork = false, hasPaths = false, hasTests = false;
  bool isAnswering = false;
  /// A document is analysed, and to be reported.
  bool isDue = false;
  using Clock = std::chrono::steady_clock;
  Clock::time_point dueSince;
  int pause = quiet;
};

} // namespace

int runAnalysisServer(const RegistryOf &registryOf,
                      const ServerOptions &defaults) {
  return AnalysisServer(registryOf, defaults).run();
}

} // namespace memreflens::lsp
