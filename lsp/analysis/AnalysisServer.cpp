//===- lsp/analysis/AnalysisServer.cpp ------------------------------------===//

#include "lsp/analysis/AnalysisServer.h"
#include "lsp/analysis/Features.h"
#include "lsp/analysis/Findings.h"
#include "lsp/wire/Frames.h"
#include "lsp/wire/OwnMethods.h"

#include <algorithm>
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
    analyst.options = defaults;
  }

  int run() {
    while (true) {
      // What takes long and nobody waits for is done once nobody asks.
      int wait = isDue ? settle : hasWork ? 0 : hasPaths ? pause : forever;
      if (!drain(wait))
        return 0;
      answerStatus();
      bool isQuiet = inbox.empty();
      if (isQuiet && !hasWork)
        tryPaths();
      // Who asks once asks again: also where a path was left for it.
      pause = inbox.empty() ? 0 : quiet;
      if (!answerAll())
        return 0;
      work(isQuiet);
      // Here only, and between the functions of a long answer: an answer holds
      // what it reads.
      analyst.trim(nullptr);
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

  static void send(const Json &message) { sendBytes(toBytes(message)); }

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
                   {"stage", now.stage}};
    if (now.keys)
      params["keys"] = *now.keys;
    send(makeNotification("$/working", std::move(params)));
  }

  /// Who only looks on interrupts nothing.
  void answerStatus() {
    while (!inbox.empty() &&
           stringIn(inbox.front(), "method") == ownMethods::status) {
      send(makeResult(member(inbox.front(), "id"), status()));
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
      const Json &params = member(message, "params");
      if (!message.contains("id")) {
        onNotification(method, params);
        continue;
      }
      Call call{member(message, "id"), params};
      Json result = answer(method, call);
      send(call.error.empty() ? makeResult(call.id, std::move(result))
                              : makeError(call.id, call.code, call.error));
    }
    return true;
  }

  //===--- Documents ---===//
  void onNotification(const std::string &method, const Json &params) {
    hasWork = true;
    std::string uri = stringIn(params, "uri");
    int64_t version = integerIn(params, "version", 0);
    if (method == "open")
      analyst.open(uri, version, stringIn(params, "text"));
    else if (method == "edit" &&
             !analyst.edit(uri, version, member(params, "edits")))
      _exit(3); // Out of step: begin anew with what the parent has.
    else if (method == "close")
      analyst.close(uri);
    else if (method == "save")
      saved.insert(uri);
    else if (method == "options")
      onOptions(params);
    else if (method == "fatal")
      onFatal(params);
    else if (method == "suspects")
      for (const Json &key : member(params, "keys"))
        analyst.suspects.insert(key.get<uint64_t>());
  }

  void onOptions(const Json &params) {
    ServerOptions fresh = defaults;
    readOptions(member(params, "settings"), fresh);
    std::string encoding = stringIn(params, "encoding");
    fresh.encoding = encoding == "utf-8"    ? Encoding::utf8
                     : encoding == "utf-32" ? Encoding::utf32
                                            : Encoding::utf16;
    fresh.markdown = boolIn(params, "markdown", true);
    if (const Json &limit = member(params, "timeLimit"); limit.is_number())
      fresh.timeLimit = limit.get<double>();
    lazyActions = boolIn(params, "lazyActions", false);
    analyst.setOptions(fresh);
  }

  void onFatal(const Json &params) {
    Fatal fatal;
    fatal.key = member(params, "key").get<uint64_t>();
    fatal.stage = int(integerIn(params, "stage", -1));
    fatal.timedOut = boolIn(params, "timedOut", false);
    fatal.message = stringIn(params, "message");
    analyst.fatals.push_back(std::move(fatal));
  }

  //===--- Background ---===//
  /// Whether nobody sent anything but questions of how far it is.
  bool isUndisturbed() {
    bool lives = drain(0);
    answerStatus();
    return lives && inbox.empty();
  }

  void work(bool isQuiet) {
    if (analyst.options.onSave && saved.empty()) {
      hasWork = isDue = false;
      return;
    }
    Document *document = analyst.step([this] { return isUndisturbed(); });
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
    while (analyst.options.findings.enabled && analyst.findMore(*document))
      if (!isLate && (!drain(0) || !inbox.empty()))
        return;
    report(*document);
    isDue = false;
    saved.erase(document->uri);
    hasPaths = true;
  }

  /// Goes on until a message comes; what was not ended is tried again.
  void tryPaths() {
    Document *document = analyst.explore([this] { return isUndisturbed(); });
    hasPaths = document != nullptr;
    if (!document || !document->isExplored || !document->hasPathNews)
      return;
    if (document->dropped.empty()) {
      report(*document);
      return;
    }
    // Its functions are analysed again first, a few at a time.
    document->isReported = false;
    document->next = 0;
    hasWork = true;
  }

  void report(Document &document) {
    document.isReported = true;
    document.hasPathNews = false;
    std::string own, parser;
    Json failed = Json::array();
    addDiagnostics(analyst, document, own, parser);
    for (const Unit &unit : document.units)
      if (const Fatal *fatal = analyst.fatalOf(unit); fatal && fatal->stage < 0)
        failed.push_back({{"line", unit.line}, {"message", fatal->message}});
    Json head = {{"uri", document.uri}, {"version", document.version}};
    std::string lists = "\"own\":[" + own + "],\"parser\":[" + parser +
                        "],\"failed\":" + toBytes(failed);
    // Most edits change nothing of it; a large file has a megabyte of it.
    uint64_t hash = fingerprint(lists);
    if (std::exchange(document.reportedHash, hash) == hash)
      head["unchanged"] = true;
    std::string params = toBytes(head);
    if (!head.contains("unchanged"))
      params.insert(params.size() - 1, "," + lists);
    sendBytes("{\"jsonrpc\":\"2.0\",\"method\":\"diagnostics\",\"params\":" +
              params + "}");
  }

  //===--- Requests ---===//
  struct Call {
    const Json &id;
    const Json &params;
    std::string error = {};
    int code = requestFailed;
  };

  /// Traces of the units from `first` to `last`; false where the answer is no
  /// longer wanted.
  bool ensure(Document &document, size_t first, size_t last, Call &call) {
    std::vector<const Unit *> units;
    for (size_t i = first; i < last; ++i)
      units.push_back(&document.units[i]);
    if (analyst.ensure(document, units,
                       [&] { return isWanted(call.id, document.uri); }))
      return true;
    call.error = "the document has changed, or the request was cancelled";
    call.code = contentModified;
    return false;
  }

  Json answer(const std::string &method, Call &call) {
    const Json &params = call.params;
    if (method == ownMethods::status)
      return status();
    if (method == "codeAction/resolve")
      return resolveCodeAction(analyst, params);
    if (std::optional<Json> own =
            answerOwn(analyst, method, params, call.error))
      return *own;
    Document *document =
        analyst.find(stringIn(member(params, "textDocument"), "uri"));
    if (!document)
      return nullptr;
    if (method == "textDocument/hover")
      return hover(*document, params);
    if (method == "textDocument/documentHighlight")
      return highlight(*document, params);
    if (method == "textDocument/inlayHint")
      return hints(*document, call);
    if (method == "textDocument/codeLens")
      return lenses(*document, call);
    if (method == "textDocument/codeAction")
      return actions(*document, params);
    call.error = "unknown method " + method;
    return nullptr;
  }

  std::optional<View> viewAt(Document &document, const Json &position) {
    const Unit *unit = analyst.unitAt(document, toPosition(position).line);
    if (!unit)
      return std::nullopt;
    return viewOf(analyst, document, *unit);
  }

  Json hover(Document &document, const Json &params) {
    const Json &position = member(params, "position");
    std::optional<View> view = viewAt(document, position);
    if (!view)
      return nullptr;
    Position at = toPosition(position);
    const Unit *unit = analyst.unitAt(document, at.line);
    const bool isAccess = hoversAccess(*view, at), isOp = hoversOp(*view, at);
    std::shared_ptr<const UnitRun> kept;
    std::optional<View> input;
    if (unit && (isAccess || isOp)) {
      kept = analyst.keptInput(document, *unit);
      input.emplace(View{document.uri, *kept->batch, analyst.options,
                         Analyst::placeAlone(*unit).range});
    }
    Json found =
        hoverAt(*view, at, isAccess && input ? &*input : nullptr,
                isOp && input ? kept->factsAt(input->offsetOf(at)) : nullptr);
    if (!found.is_null() && view->batch.isChunkParsed() &&
        analyst.isAnyBroken(document)) {
      std::string &text = found["contents"]["value"].get_ref<std::string &>();
      text += "\nThis function parses; another part of the file does not.\n";
    }
    return found;
  }

  Json highlight(Document &document, const Json &params) {
    const Json &position = member(params, "position");
    std::optional<View> view = viewAt(document, position);
    return view ? highlightsAt(*view, toPosition(position)) : Json();
  }

  Json hints(Document &document, Call &call) {
    analyst.refresh(document);
    uint32_t first = 0, last = UINT32_MAX;
    if (const Json &range = member(call.params, "range"); range.is_object()) {
      first = toPosition(member(range, "start")).line;
      last = toPosition(member(range, "end")).line;
    }
    const std::vector<Unit> &units = document.units;
    size_t begin = 0, end = units.size();
    while (begin + 1 < end && units[begin + 1].line <= first)
      ++begin;
    while (end > begin && units[end - 1].line > last)
      --end;
    Json found = Json::array();
    if (!ensure(document, begin, end, call))
      return found;
    for (size_t i = begin; i < end; ++i)
      if (std::optional<View> view = viewOf(analyst, document, units[i]))
        addInlayHints(*view, first, last, found);
    return found;
  }

  /// With a token for partial results, all lenses go there, a few functions at
  /// a time.
  Json lenses(Document &document, Call &call) {
    analyst.refresh(document);
    bool isPartial = call.params.contains("partialResultToken");
    size_t step = isPartial ? std::max<size_t>(analyst.options.batchSize, 1)
                            : document.units.size();
    Json found = Json::array();
    for (size_t i = 0; i < document.units.size(); i += step) {
      size_t end = std::min(i + step, document.units.size());
      if (!ensure(document, i, end, call))
        return Json::array();
      for (size_t unit = i; unit < end; ++unit)
        if (std::optional<View> view =
                viewOf(analyst, document, document.units[unit]))
          addCodeLenses(*view, found);
      if (isPartial) {
        send(makeNotification("$/partial",
                              {{"id", call.id}, {"value", std::move(found)}}));
        found = Json::array();
      }
    }
    return found;
  }

  Json actions(Document &document, const Json &params) {
    Json found = Json::array();
    const Json &position = member(member(params, "range"), "start");
    const Unit *unit = analyst.unitAt(document, toPosition(position).line);
    if (!unit)
      return found;
    if (std::optional<View> view = viewOf(analyst, document, *unit))
      addCodeActions(*view, findingsOf(analyst, document, *unit), params,
                     found);
    // What is offered against a finding is tried first.
    for (size_t i = found.size(); i-- > 0;) {
      if (lazyActions && !found[i].contains("diagnostics"))
        continue;
      found[i] = resolveCodeAction(analyst, found[i]);
      if (!found[i].contains("edit"))
        found.erase(found.begin() + ptrdiff_t(i));
    }
    return found;
  }

  Json status() {
    Json documents = Json::array();
    for (const auto &[uri, document] : analyst.getDocuments())
      documents.push_back({{"uri", uri},
                           {"version", document.version},
                           {"bytes", document.text.size()},
                           {"hash", fingerprint(document.text)},
                           {"units", document.units.size()},
                           {"traces", document.traces.size()},
                           {"reported", document.isReported},
                           {"explored", document.isExplored},
                           {"paths", document.paths.size()}});
    const Tally &done = analyst.getTally();
    Json seconds = {{"cutting", done.cutting},
                    {"parsing", done.parsing},
                    {"stages", done.stages}};
    Json work = {{"analysed", done.analysed},
                 {"explored", done.explored},
                 {"takenBack", done.takenBack},
                 {"dropped", done.dropped},
                 {"shelved", analyst.getShelf().size()},
                 {"traceBytes", done.held},
                 {"seconds", std::move(seconds)}};
    return {{"documents", documents}, {"work", std::move(work)}};
  }

  const ServerOptions defaults;
  Analyst analyst;
  FrameReader frames{size_t(1) << 30};
  std::deque<Json> inbox;
  std::set<std::string> saved;
  bool hasWork = false, hasPaths = false;
  /// A document is analysed, and to be reported.
  bool isDue = false;
  using Clock = std::chrono::steady_clock;
  Clock::time_point dueSince;
  int pause = quiet;
  bool lazyActions = false;
};

} // namespace

int runAnalysisServer(const RegistryOf &registryOf,
                      const ServerOptions &defaults) {
  return AnalysisServer(registryOf, defaults).run();
}

} // namespace memreflens::lsp
