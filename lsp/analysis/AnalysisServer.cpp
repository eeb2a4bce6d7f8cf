//===- lsp/analysis/AnalysisServer.cpp ------------------------------------===//

#include "lsp/analysis/AnalysisServer.h"
#include "lsp/analysis/Features.h"
#include "lsp/wire/Frames.h"

#include <algorithm>
#include <cerrno>
#include <poll.h>
#include <unistd.h>

namespace memreflens::lsp {

namespace {

class AnalysisServer {
public:
  explicit AnalysisServer(const RegistryOf &registryOf)
      : analyst(registryOf,
                [this](const Document &document,
                       const std::vector<uint64_t> &keys,
                       int stage) { tell(document, keys, stage); }) {}

  int run() {
    while (true) {
      if (!drain(/*waits=*/!hasWork))
        return 0;
      if (!answerAll())
        return 0;
      work();
    }
  }

private:
  //===--- The wire ---===//
  bool drain(bool waits) {
    char buffer[1 << 16];
    while (true) {
      pollfd input{STDIN_FILENO, POLLIN, 0};
      int ready = poll(&input, 1, waits ? -1 : 0);
      if (ready < 0 && errno == EINTR)
        continue;
      if (ready <= 0)
        return true;
      ssize_t got = read(STDIN_FILENO, buffer, sizeof(buffer));
      if (got <= 0)
        return false;
      frames.add({buffer, size_t(got)});
      waits = false;
    }
  }

  static void send(const Json &message) {
    std::string frame = encodeFrame(toBytes(message));
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

  void tell(const Document &document, const std::vector<uint64_t> &keys,
            int stage) {
    send(makeNotification("$/working", {{"uri", document.uri},
                                        {"version", document.version},
                                        {"keys", keys},
                                        {"stage", stage}}));
  }

  bool answerAll() {
    while (std::optional<Frame> frame = frames.next()) {
      std::optional<Json> message = parseMessage(frame->body);
      if (!message)
        continue;
      std::string method = stringIn(*message, "method");
      if (method == "exit")
        return false;
      const Json &params = member(*message, "params");
      if (!message->contains("id")) {
        onNotification(method, params);
        continue;
      }
      std::string error;
      Json result = answer(method, params, error);
      const Json &id = member(*message, "id");
      send(error.empty() ? makeResult(id, std::move(result))
                         : makeError(id, requestFailed, error));
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
    ServerOptions fresh;
    readOptions(member(params, "settings"), fresh);
    std::string encoding = stringIn(params, "encoding");
    fresh.encoding = encoding == "utf-8"    ? Encoding::utf8
                     : encoding == "utf-32" ? Encoding::utf32
                                            : Encoding::utf16;
    fresh.markdown = boolIn(params, "markdown", true);
    lazyActions = boolIn(params, "lazyActions", false);
    analyst.options = fresh;
    analyst.forget();
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
  void work() {
    if (analyst.options.onSave && saved.empty()) {
      hasWork = false;
      return;
    }
    Document *document = analyst.step();
    hasWork = document != nullptr;
    if (!document || document->next < document->units.size())
      return;
    report(*document);
    saved.erase(document->uri);
  }

  void report(Document &document) {
    document.isReported = true;
    Json own = Json::array(), parser = Json::array(), failed = Json::array();
    for (const Unit &unit : document.units) {
      if (std::optional<View> view = viewOf(analyst, document, unit))
        addDiagnostics(*view, own, parser);
      if (const Fatal *fatal = analyst.fatalOf(unit); fatal && fatal->stage < 0)
        failed.push_back({{"line", unit.line}, {"message", fatal->message}});
    }
    send(makeNotification("diagnostics", {{"uri", document.uri},
                                          {"version", document.version},
                                          {"own", own},
                                          {"parser", parser},
                                          {"failed", failed}}));
  }

  //===--- Requests ---===//
  Json answer(const std::string &method, const Json &params,
              std::string &error) {
    if (method == "memrefLens/status")
      return status();
    if (method == "codeAction/resolve")
      return resolveCodeAction(analyst, params);
    if (std::optional<Json> own = answerOwn(analyst, method, params, error))
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
      return hints(*document, params);
    if (method == "textDocument/codeLens")
      return lenses(*document);
    if (method == "textDocument/codeAction")
      return actions(*document, params);
    error = "unknown method " + method;
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
    Json found = hoverAt(*view, toPosition(position));
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

  Json hints(Document &document, const Json &params) {
    analyst.refresh(document);
    uint32_t first = 0, last = UINT32_MAX;
    if (const Json &range = member(params, "range"); range.is_object()) {
      first = toPosition(member(range, "start")).line;
      last = toPosition(member(range, "end")).line;
    }
    Json found = Json::array();
    const std::vector<Unit> &units = document.units;
    for (size_t i = 0; i < units.size(); ++i) {
      bool endsBefore = i + 1 < units.size() && units[i + 1].line <= first;
      if (endsBefore || units[i].line > last)
        continue;
      if (std::optional<View> view = viewOf(analyst, document, units[i]))
        addInlayHints(*view, first, last, found);
    }
    return found;
  }

  Json lenses(Document &document) {
    analyst.refresh(document);
    Json found = Json::array();
    for (const Unit &unit : document.units)
      if (std::optional<View> view = viewOf(analyst, document, unit))
        addCodeLenses(*view, found);
    return found;
  }

  Json actions(Document &document, const Json &params) {
    Json found = Json::array();
    std::optional<View> view =
        viewAt(document, member(member(params, "range"), "start"));
    if (view)
      addCodeActions(*view, params, found);
    if (!lazyActions)
      for (Json &action : found)
        action = resolveCodeAction(analyst, action);
    if (!lazyActions)
      for (size_t i = found.size(); i-- > 0;)
        if (!found[i].contains("edit"))
          found.erase(found.begin() + ptrdiff_t(i));
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
                           {"reported", document.isReported}});
    return {{"documents", documents}};
  }

  Analyst analyst;
  FrameReader frames{size_t(1) << 30};
  std::set<std::string> saved;
  bool hasWork = false;
  bool lazyActions = false;
};

} // namespace

int runAnalysisServer(const RegistryOf &registryOf) {
  return AnalysisServer(registryOf).run();
}

} // namespace memreflens::lsp
