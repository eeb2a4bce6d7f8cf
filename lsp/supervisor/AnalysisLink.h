//===- lsp/supervisor/AnalysisLink.h - our analysis, kept alive -----------===//
//
// The child tells which functions it is at, and in which stage. When it dies,
// one function alone is to blame and gets set aside before that stage; of
// several, each is tried alone next.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_LSP_SUPERVISOR_ANALYSISLINK_H
#define MEMREFLENS_LSP_SUPERVISOR_ANALYSISLINK_H

#include "lsp/documents/Store.h"
#include "lsp/supervisor/Child.h"
#include "lsp/supervisor/LinkContext.h"
#include "lsp/supervisor/Watch.h"
#include "lsp/wire/Message.h"

#include <cstdint>
#include <deque>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace memreflens::lsp {

class UpstreamLink;

class AnalysisLink {
public:
  /// `upstream` says whether it will tell the client of a document, so that
  /// both sides come as one; it must outlive the link.
  AnalysisLink(const LinkContext &context, const UpstreamLink &upstream)
      : context(context), upstream(upstream) {}

  //===--- The process ---===//
  /// Starts it, again if it runs, with all documents and all that it owes.
  void start();
  /// Writes what waits and takes what came. If it died it is started again,
  /// unless `isOver`: nobody needs it any more.
  void exchange(bool isOver);
  /// Its turn after a rest; `time` is now, here and below.
  void restartIfDue(double time);
  void killIfStuck(double time);
  void killIfLarge();
  bool isRunning() const { return child.isRunning(); }
  /// It has been at one thing for long, and answers nothing meanwhile.
  bool isInLongWork() const;
  const Child &getChild() const { return child; }
  /// Its entry in the answer to `memrefLens/status`.
  Json status() const;

  //===--- What it hears of ---===//
  /// There is another configuration.
  void onConfiguration();
  /// `quotedText`: the document's as a string of JSON.
  void open(const OpenDocument &document, std::string_view quotedText);
  /// `edits`: what changed, in bytes (`Store::change`).
  void edit(const OpenDocument &document, Json edits);
  void close(const std::string &uri);
  void save(const std::string &uri);
  void ask(uint64_t serial);
  /// Nobody wants the answer any more.
  void cancel(uint64_t serial);

private:
  /// What it is at.
  struct Work {
    std::string uri;
    int64_t version = 0;
    std::vector<uint64_t> keys;
    int stage = -1;
    /// When it told of it last; when it began without an answer since.
    double since = 0, began = 0;
    /// It answers meanwhile.
    bool answers = false;
  };

  void sendOptions();
  void onMessage(const Json &message);
  void onWorking(const Json &params);
  void onAnswer(uint64_t serial, const Json &message);
  void onPartialResult(const Json &params);
  void onDiagnostics(const Json &params);
  void onDeath(const std::string &why, bool timedOut);
  void blame(const Work &work, const std::string &why, bool timedOut);

  LinkContext context;
  const UpstreamLink &upstream;
  Child child{"analysis"};
  /// Of the process that was started last.
  bool hasCodeGenerators = false;
  /// Requests, in their order.
  std::deque<Sent> sent;
  Work work;
  /// One function after the other is set aside, so it may die often.
  Deaths deaths{40};
  int crashes = 0;
  /// 0 while it does not rest.
  double restartAt = 0;
  /// The parameters of `fatal`: functions that killed it, each in a stage.
  Json fatals = Json::array();
  /// Keys of functions, some of which killed it.
  std::set<uint64_t> suspects;
};

} // namespace memreflens::lsp

#endif // MEMREFLENS_LSP_SUPERVISOR_ANALYSISLINK_H
