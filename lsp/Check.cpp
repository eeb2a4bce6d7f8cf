//===- lsp/Check.cpp ------------------------------------------------------===//

#include "lsp/Check.h"
#include "lsp/documents/Text.h"
#include "lsp/supervisor/Child.h"
#include "lsp/supervisor/Watch.h"
#include "lsp/wire/OwnMethods.h"

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <poll.h>
#include <sstream>

namespace memreflens::lsp {

namespace {

/// The client's side of a server in a process of its own.
class Session {
public:
  explicit Session(const Settings &settings) {
    std::vector<std::string> arguments;
    for (size_t i = 0; i < settings.arguments.size(); ++i)
      if (settings.arguments[i] == "--check" ||
          settings.arguments[i] == "-check")
        ++i;
      else
        arguments.push_back(settings.arguments[i]);
    server.start(arguments);
  }

  Json ask(const std::string &method, Json params, Json &error) {
    int id = ++last;
    server.send(makeRequest(id, method, std::move(params)));
    while (std::optional<Json> message = receive()) {
      if (member(*message, "id") != id)
        continue;
      error = member(*message, "error");
      return member(*message, "result");
    }
    error = {{"message", "the server is gone"}};
    return nullptr;
  }

  void tell(const std::string &method, Json params) {
    server.send(makeNotification(method, std::move(params)));
  }

  Json diagnostics = Json::array();

private:
  std::optional<Json> receive() {
    double until = now() + 120;
    while (now() < until) {
      bool lives = server.exchange();
      while (std::optional<Frame> frame = server.next()) {
        std::optional<Json> message = parseMessage(frame->body);
        if (!message)
          continue;
        if (stringIn(*message, "method") == "textDocument/publishDiagnostics")
          diagnostics = member(member(*message, "params"), "diagnostics");
        return message;
      }
      if (!lives)
        return std::nullopt;
      pollfd polled[2] = {{server.output(), POLLIN, 0},
                          {server.input(), POLLOUT, 0}};
      poll(polled, server.wantsToWrite() ? 2 : 1, 200);
    }
    return std::nullopt;
  }

  Child server{"supervisor"};
  int last = 0;
};

class Checker {
public:
  Checker(Session &session, const std::string &uri)
      : session(session), document{{"uri", uri}} {}

  void ask(const std::string &method, Json params) {
    params["textDocument"] = document;
    Json error;
    Json result = session.ask(method, std::move(params), error);
    ++asked[method];
    if (!result.empty())
      ++answered[method];
    if (!error.is_object())
      return;
    ++failures;
    std::printf("failed: %s: %s\n", method.c_str(),
                stringIn(error, "message").c_str());
  }

  void printCounts() const {
    for (const auto &[method, count] : asked) {
      auto found = answered.find(method);
      std::printf("%-32s %zu asked, %zu answered\n", method.c_str(), count,
                  found == answered.end() ? size_t(0) : found->second);
    }
  }

  size_t failures = 0;

private:
  Session &session;
  Json document;
  std::map<std::string, size_t> asked, answered;
};

} // namespace

/// Places worth a question: where a name or word begins.
static std::vector<Json> placesIn(const std::string &text) {
  std::vector<Json> places;
  Lines lines(text);
  auto isWord = [](char c) {
    return std::isalnum((unsigned char)c) || c == '_';
  };
  for (size_t at = 0; at < text.size() && places.size() < 5000; ++at)
    if (isWord(text[at]) && (at == 0 || !isWord(text[at - 1]))) {
      Position place = lines.positionOf(text, at, Encoding::utf16);
      places.push_back({{"line", place.line}, {"character", place.character}});
    }
  return places;
}

/// `hasOwn`: not only what MLIR's server answers.
static void askEverything(Checker &checker, const std::string &text,
                          bool hasOwn) {
  Json whole = {{"start", {{"line", 0}, {"character", 0}}},
                {"end", {{"line", 1 << 30}, {"character", 0}}}};
  checker.ask("textDocument/documentSymbol", Json::object());
  if (hasOwn) {
    checker.ask("textDocument/inlayHint", {{"range", whole}});
    checker.ask("textDocument/codeLens", Json::object());
  }
  for (const Json &place : placesIn(text)) {
    Json here = {{"start", place}, {"end", place}};
    checker.ask("textDocument/hover", {{"position", place}});
    checker.ask("textDocument/definition", {{"position", place}});
    checker.ask(
        "textDocument/references",
        {{"position", place}, {"context", {{"includeDeclaration", true}}}});
    if (hasOwn) {
      checker.ask("textDocument/documentHighlight", {{"position", place}});
      checker.ask(ownMethods::explain, {{"position", place}});
    }
    if (place["character"] == 0)
      checker.ask(
          "textDocument/codeAction",
          {{"range", here}, {"context", {{"diagnostics", Json::array()}}}});
  }
}

/// Findings come when nobody asks for anything; those of paths come last.
static bool hasToldAll(const Json &status) {
  const Json &documents = member(status, "analysisDocuments");
  if (!boolIn(member(status, "analysis"), "running", false))
    return true;
  for (const Json &one : member(status, "documents"))
    if (const Json &quarantined = member(one, "quarantined");
        quarantined.is_boolean() && quarantined.get<bool>())
      return true;
  for (const Json &one : documents)
    if (boolIn(one, "reported", false) && boolIn(one, "explored", false))
      return true;
  return false;
}

/// No longer than a function's paths are tried for, many times over.
static void awaitDiagnostics(Session &session) {
  const double until = now() + 120;
  Json error;
  while (now() < until) {
    Json status = session.ask(ownMethods::status, {{"analysis", true}}, error);
    if (error.is_object() || hasToldAll(status))
      return;
    poll(nullptr, 0, 50);
  }
}

int checkFile(const Settings &settings, const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    std::fprintf(stderr, "memref-lens-lsp-server: error: cannot read '%s'\n",
                 path.c_str());
    return 3;
  }
  std::stringstream content;
  content << file.rdbuf();
  std::string text = content.str();
  std::string uri = "file://" + std::filesystem::absolute(path).string();
  Session session(settings);
  Json error;
  const Json offered = session.ask("initialize",
                                   {{"processId", nullptr},
                                    {"rootUri", nullptr},
                                    {"capabilities", Json::object()}},
                                   error);
  session.tell("initialized", Json::object());
  session.tell("textDocument/didOpen", {{"textDocument",
                                         {{"uri", uri},
                                          {"languageId", "mlir"},
                                          {"version", 1},
                                          {"text", text}}}});
  Checker checker(session, uri);
  askEverything(checker, text,
                member(offered, "capabilities").contains("inlayHintProvider"));
  awaitDiagnostics(session);
  for (const Json &one : session.diagnostics) {
    const Json &start = member(member(one, "range"), "start");
    std::printf("%s:%d:%d: %s\n", path.c_str(),
                int(integerIn(start, "line", 0)) + 1,
                int(integerIn(start, "character", 0)) + 1,
                stringIn(one, "message").c_str());
  }
  checker.printCounts();
  session.ask("shutdown", nullptr, error);
  session.tell("exit", nullptr);
  return checker.failures > 0;
}

} // namespace memreflens::lsp
