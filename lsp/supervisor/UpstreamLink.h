//===- lsp/supervisor/UpstreamLink.h - MLIR's own server, kept alive ------===//
//
// It takes whole texts only, and URIs of few schemes, and counts columns in
// bytes; here edits are gathered and all of that is translated. It works off
// what it gets in order, so the oldest thing that it was sent is what it died
// of.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_LSP_SUPERVISOR_UPSTREAMLINK_H
#define MEMREFLENS_LSP_SUPERVISOR_UPSTREAMLINK_H

#include "lsp/documents/Store.h"
#include "lsp/supervisor/Child.h"
#include "lsp/supervisor/LinkContext.h"
#include "lsp/supervisor/Watch.h"
#include "lsp/wire/Message.h"

#include <cstdint>
#include <deque>
#include <set>
#include <string>
#include <string_view>

namespace memreflens::lsp {

class UpstreamLink {
public:
  explicit UpstreamLink(const LinkContext &context) : context(context) {}

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
  /// Done with all that it was sent.
  bool isIdle() const { return sent.empty(); }
  const Child &getChild() const { return child; }
  /// Its entry in the answer to `memrefLens/status`.
  Json status() const { return statusOf(child, sent.size(), crashes); }

  //===--- Documents ---===//
  /// Sends the newest text, if it has an older one or none. `quotedText`: the
  /// document's as a string of JSON; empty: it is to be quoted here.
  void sendText(OpenDocument &document, std::string_view quotedText = {});
  /// The document has changed: its text is sent after a while without changes.
  void noteEdit(const OpenDocument &document);
  bool hasEdits() const { return !dirty.empty(); }
  /// Sends the texts that changed, if it is idle and the while is over.
  void sendEdits(double time);
  /// The document is about to be closed.
  void close(const OpenDocument &document);
  /// It will say what is wrong with the newest text, if it lives.
  bool willDiagnose(const OpenDocument &document) const;

  //===--- Requests ---===//
  /// Sends a request, after the newest text of its document.
  void ask(uint64_t serial);

private:
  void sendRequest(uint64_t serial);
  /// Null stands for what is no document's.
  bool serves(const OpenDocument *document) const;
  /// Whether nobody wants any more what it is doing.
  bool isAtStaleText() const;
  void forgetDone(uint64_t serial, const std::string &uri, int64_t version);
  void onMessage(const Json &message);
  void onDiagnostics(const Json &params);
  void kill(const std::string &why);
  void onDeath(const std::string &why);

  LinkContext context;
  Child child{"upstream"};
  /// In their order.
  std::deque<Sent> sent;
  /// URIs of the documents whose edits wait, and since when the last one does.
  std::set<std::string> dirty;
  double dirtySince = 0;
  Deaths deaths{6};
  int crashes = 0;
  /// 0 while it does not rest.
  double restartAt = 0;
};

} // namespace memreflens::lsp

#endif // MEMREFLENS_LSP_SUPERVISOR_UPSTREAMLINK_H
