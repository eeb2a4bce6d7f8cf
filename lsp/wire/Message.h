//===- lsp/wire/Message.h - JSON-RPC messages -----------------------------===//
//
// Parses a frame's body without trusting it, and makes the answers.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_LSP_WIRE_MESSAGE_H
#define MEMREFLENS_LSP_WIRE_MESSAGE_H

#include <nlohmann/json_fwd.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace memreflens::lsp {

using Json = nlohmann::json;

/// Error codes of JSON-RPC and LSP 3.17.
enum ErrorCode {
  parseError = -32700,
  invalidRequest = -32600,
  methodNotFound = -32601,
  invalidParams = -32602,
  internalError = -32603,
  serverNotInitialized = -32002,
  requestFailed = -32803,
  contentModified = -32801,
  requestCancelled = -32800,
};

/// The value, or nothing for what is no JSON or nests so deep that handling it
/// would need more stack than there is.
/// Strings of `longString` bytes and more take less time than others.
std::optional<Json> parseMessage(std::string_view body,
                                 size_t longString = 1 << 16);
/// As bytes; text that is not UTF-8 gets replacement characters. `members` are
/// JSON text already and go, as they are, into the object that the message ends
/// with: its result or its parameters.
std::string toBytes(const Json &message, std::string_view members = {});

/// Without the two braces at the end: such members and the braces follow.
std::string toOpenBytes(const Json &message);

Json makeRequest(const Json &id, std::string_view method, Json params);
Json makeNotification(std::string_view method, Json params);
Json makeResult(const Json &id, Json result);
Json makeError(const Json &id, int code, std::string_view text);

/// The member, or null where `object` is none or has none of that name.
const Json &member(const Json &object, const char *name);
std::string stringIn(const Json &object, const char *name);
int64_t integerIn(const Json &object, const char *name, int64_t otherwise);
bool boolIn(const Json &object, const char *name, bool otherwise);

} // namespace memreflens::lsp

#endif // MEMREFLENS_LSP_WIRE_MESSAGE_H
