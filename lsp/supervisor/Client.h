//===- lsp/supervisor/Client.h - the wire to the editor -------------------===//
//
// Messages in on standard input, messages out on standard output. Never blocks:
// what cannot be written yet waits. What is no message is answered here.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_LSP_SUPERVISOR_CLIENT_H
#define MEMREFLENS_LSP_SUPERVISOR_CLIENT_H

#include "lsp/supervisor/Child.h"
#include "lsp/supervisor/Log.h"
#include "lsp/supervisor/Settings.h"
#include "lsp/wire/Frames.h"
#include "lsp/wire/Message.h"

#include <deque>
#include <optional>
#include <string>

namespace memreflens::lsp {

class Client {
public:
  /// Keeps references: all of them must outlive it.
  Client(const Settings &settings, const Log &log)
      : log(log), frames(settings.maxMessage) {}
  /// From now on neither reading nor writing blocks.
  void open();

  //===--- In ---===//
  /// False while it does not read what it was sent.
  bool wantsToBeRead() const;
  /// Reads what has come.
  void receive();
  /// The next message; nothing until more comes.
  std::optional<Json> next();
  /// Whether its input has ended.
  bool isGone() const { return gone; }
  /// The last ones, oldest first; long ones cut.
  const std::deque<std::string> &getLastMessages() const {
    return lastMessages;
  }

  //===--- Out ---===//
  void send(const Json &message);
  void reply(const Json &id, Json result);
  void fail(const Json &id, int code, const std::string &text);
  bool wantsToWrite() const { return !outbox.empty(); }
  /// Writes what can be written. False if nobody reads any more.
  bool flush();
  /// Waits up to 2 s until all is written.
  void finish();

private:
  const Log &log;
  FrameReader frames;
  Outbox outbox;
  bool gone = false;
  std::deque<std::string> lastMessages;
};

} // namespace memreflens::lsp

#endif // MEMREFLENS_LSP_SUPERVISOR_CLIENT_H
