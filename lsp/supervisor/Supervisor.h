//===- lsp/supervisor/Supervisor.h - the process that the editor talks to -===//
//
// Owns the wire and the documents, routes each request to upstream's server,
// to our analysis, or to both, and merges what they say. Never parses IR, so
// that no input can kill it: it restarts a child that dies, hangs or grows past
// its limit, and keeps from it what killed it. One thread.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_LSP_SUPERVISOR_SUPERVISOR_H
#define MEMREFLENS_LSP_SUPERVISOR_SUPERVISOR_H

#include "lsp/documents/Store.h"
#include "lsp/supervisor/Child.h"
#include "lsp/supervisor/Settings.h"

#include <deque>
#include <nlohmann/json.hpp>
#include <set>

namespace memreflens::lsp {

/// Seconds of a steady clock.
double now();

/// Deaths of a child. After many within `window` seconds it rests a while.
class Deaths {
public:
  explicit Deaths(size_t many) : many(many) {}
  static constexpr double window = 10, rest = 5;
  /// One more, at `time`: whether it shall rest now.
  bool add(double time) {
    times.push_back(time);
    if (times.size() > many)
      times.pop_front();
    return times.size() >= many && time - times.front() < window;
  }

private:
  size_t many;
  std::deque<double> times;
};

class Supervisor {
public:
  explicit Supervisor(Settings settings);
  /// Serves until `exit` or the input's end; the exit status.
  int run();

private:
  /// What one child owes to a request.
  struct Part {
    bool awaited = false;
    Json result;
    Json error;
  };
  /// A client's request that was not answered yet.
  struct Pending {
    Json id;
    std::string method;
    Json params;
    std::string uri;
    double since = 0;
    Part upstream, analysis;
    /// Ours says that more will be known soon: it does not wait for upstream's.
    bool isUnfinished = false;
  };
  /// Something that a child was sent and is not done with.
  struct Sent {
    /// Request's serial; 0 for a document's text.
    uint64_t serial = 0;
    std::string uri;
    int64_t version = 0;
    double since = 0;
  };
  /// What the analysis is at.
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

  //===--- Supervisor.cpp: the loop ---===//
  double patience(const Pending &request);
  void wait();
  bool readClient();
  void readChild(Child &child);
  void onTick();
  void send(const Json &message);
  void reply(const Json &id, Json result) { send(makeResult(id, result)); }
  void fail(const Json &id, int code, const std::string &text) {
    send(makeError(id, code, text));
  }
  void log(int level, const std::string &text);
  int exitStatus() const { return isShutDown ? 0 : 1; }

  //===--- Messages.cpp: what the client sends ---===//
  void onFrame(const Frame &frame);
  void onMessage(const Json &message);
  void onRequest(const Json &id, const std::string &method, const Json &params);
  void onNotification(const std::string &method, const Json &params);
  void onResponse(const Json &message);
  void onInitialize(const Json &id, const Json &params);
  void onConfiguration(const Json &settings);
  void readLimits();
  void onCancel(const Json &params);
  Json ownCapabilities() const;

  //===--- Sync.cpp: documents ---===//
  void onOpen(const Json &params);
  void onChange(const Json &params);
  void onClose(const Json &params);
  void onSave(const Json &params);
  void publish(OpenDocument &document);
  Json mergedDiagnostics(const OpenDocument &document) const;

  //===--- Requests.cpp: routing and merging ---===//
  void route(const Json &id, const std::string &method, const Json &params);
  void finishIfDone(uint64_t serial);
  Json merge(const Pending &pending, Json &error);
  Json mergeHover(const Pending &pending);
  /// Requests to which one side owes its part, in their order.
  std::vector<uint64_t> awaitedOf(Part Pending::*part) const;
  void endUpstreamPart(uint64_t serial, Json result, Json error);
  void endAnalysisPart(uint64_t serial, Json result, Json error);
  Json status();

  //===--- UpstreamLink.cpp ---===//
  void startUpstream();
  /// `text`: the document's, quoted; empty: it is to be quoted here.
  void flushUpstream(OpenDocument &document, std::string_view text = {});
  bool hasUpstream(const OpenDocument *document) const;
  void sendUpstream(uint64_t serial);
  /// Whether nobody wants any more what it is doing.
  bool isUpstreamAtStaleText();
  void onUpstreamMessage(const Json &message);
  void onUpstreamDiagnostics(const Json &params);
  void onUpstreamDeath(const std::string &why);
  void forgetDoneUpstream(uint64_t serial, const std::string &uri,
                          int64_t version);

  //===--- AnalysisLink.cpp ---===//
  void startAnalysis();
  /// Of the configuration that there is.
  bool needsCodeGenerators() const;
  void sendOpen(const OpenDocument &document, std::string_view quotedText);
  void sendAnalysis(uint64_t serial);
  void sendOptions();
  void onAnalysisMessage(const Json &message);
  void onPartialResult(const Json &params);
  void onAnalysisDiagnostics(const Json &params);
  void onAnalysisDeath(const std::string &why);
  void blame(const Work &work, const std::string &why, bool timedOut);

  //===--- CrashReport.cpp ---===//
  std::string writeCrashReport(const std::string &role, const std::string &why,
                               const OpenDocument *document);

  Settings settings;
  /// In force: those of the settings, unless the configuration has others.
  double timeLimit;
  size_t memoryLimit;
  Store store;
  Encoding encoding = Encoding::utf16;
  bool isInitialized = false, isShutDown = false, isOver = false;
  bool isPlainText = false;
  Json initializeParams;
  Json configuration = Json::object();

  FrameReader clientFrames;
  Outbox clientOut;
  bool clientGone = false;
  std::deque<std::string> lastMessages;

  std::map<uint64_t, Pending> pending;
  uint64_t lastSerial = 0;
  int64_t configurationRequest = 0;

  Child upstream{"upstream"}, analysis{"analysis"};
  std::deque<Sent> upstreamSent, analysisSent;
  std::set<std::string> upstreamDirty;
  double dirtySince = 0;
  /// The analysis sets aside one function after the other, so it may die often.
  Deaths upstreamDeaths{6}, analysisDeaths{40};
  int upstreamCrashes = 0, analysisCrashes = 0, crashReports = 0;
  double restartUpstreamAt = 0, restartAnalysisAt = 0;
  double lastMemoryCheck = 0;
  Work work;
  Json fatals = Json::array();
  std::set<uint64_t> suspects;
  bool timedOutUpstream = false, timedOutAnalysis = false;
};

} // namespace memreflens::lsp

#endif // MEMREFLENS_LSP_SUPERVISOR_SUPERVISOR_H
