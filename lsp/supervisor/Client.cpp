//===- lsp/supervisor/Client.cpp ------------------------------------------===//

#include "lsp/supervisor/Client.h"
#include "lsp/supervisor/Watch.h"

#include <cerrno>
#include <nlohmann/json.hpp>
#include <poll.h>
#include <unistd.h>
#include <utility>

namespace memreflens::lsp {

/// A client that does not read is not read from either.
static constexpr size_t maxUnread = size_t(256) << 20;

void Client::open() {
  makeNonBlocking(STDIN_FILENO);
  makeNonBlocking(STDOUT_FILENO);
}

//===--- In ---------------------------------------------------------------===//

bool Client::wantsToBeRead() const {
  return !gone && outbox.size() < maxUnread;
}

void Client::receive() {
  char buffer[1 << 16];
  while (wantsToBeRead()) {
    ssize_t got = read(STDIN_FILENO, buffer, sizeof(buffer));
    if (got > 0) {
      frames.add({buffer, size_t(got)});
      continue;
    }
    if (got < 0 && errno == EINTR)
      continue;
    if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
      return;
    gone = true;
  }
}

std::optional<Json> Client::next() {
  while (std::optional<Frame> frame = frames.next()) {
    if (!frame->error.empty()) {
      log.write(0, frame->error);
      fail(nullptr, parseError, frame->error);
      continue;
    }
    std::optional<Json> message = parseMessage(frame->body);
    if (!message) {
      fail(nullptr, parseError, "the message is no JSON, or nests too deep");
      continue;
    }
    if (log.takes(2))
      log.write(2, "--> " + frame->body);
    lastMessages.push_back(frame->body.substr(0, 2000));
    if (lastMessages.size() > 20)
      lastMessages.pop_front();
    return message;
  }
  return std::nullopt;
}

//===--- Out --------------------------------------------------------------===//

void Client::send(const Json &message) {
  if (log.takes(2))
    log.write(2, "<-- " + toBytes(message));
  outbox.add(encodeFrame(toBytes(message)));
}

void Client::reply(const Json &id, Json result) {
  send(makeResult(id, std::move(result)));
}

void Client::fail(const Json &id, int code, const std::string &text) {
  send(makeError(id, code, text));
}

bool Client::flush() { return outbox.flush(STDOUT_FILENO); }

void Client::finish() {
  double until = now() + 2;
  while (wantsToWrite() && now() < until) {
    pollfd output{STDOUT_FILENO, POLLOUT, 0};
    poll(&output, 1, 100);
    if (!flush())
      break;
  }
}

} // namespace memreflens::lsp
