//===- lsp/wire/Message.cpp -----------------------------------------------===//

#include "lsp/wire/Message.h"

#include <nlohmann/json.hpp>

namespace memreflens::lsp {

/// Writing a value recurses once a level.
static constexpr int maxDepth = 512;

static bool nestsTooDeep(std::string_view text) {
  int depth = 0;
  bool inString = false;
  for (size_t at = 0; at < text.size(); ++at) {
    char c = text[at];
    if (inString) {
      if (c == '\\')
        ++at;
      else if (c == '"')
        inString = false;
      continue;
    }
    if (c == '"')
      inString = true;
    else if (c == '[' || c == '{')
      ++depth;
    else if (c == ']' || c == '}')
      --depth;
    if (depth > maxDepth)
      return true;
  }
  return false;
}

std::optional<Json> parseMessage(std::string_view body) {
  if (nestsTooDeep(body))
    return std::nullopt;
  Json value = Json::parse(body, nullptr, /*allow_exceptions=*/false);
  if (value.is_discarded())
    return std::nullopt;
  return value;
}

std::string toBytes(const Json &message, std::string_view members) {
  std::string bytes =
      message.dump(-1, ' ', false, Json::error_handler_t::replace);
  if (!members.empty())
    bytes.replace(bytes.size() - 2, 2, ",").append(members).append("}}");
  return bytes;
}

Json makeRequest(const Json &id, std::string_view method, Json params) {
  return {{"jsonrpc", "2.0"},
          {"id", id},
          {"method", method},
          {"params", std::move(params)}};
}

Json makeNotification(std::string_view method, Json params) {
  return {
      {"jsonrpc", "2.0"}, {"method", method}, {"params", std::move(params)}};
}

Json makeResult(const Json &id, Json result) {
  return {{"jsonrpc", "2.0"}, {"id", id}, {"result", std::move(result)}};
}

Json makeError(const Json &id, int code, std::string_view text) {
  return {{"jsonrpc", "2.0"},
          {"id", id},
          {"error", {{"code", code}, {"message", text}}}};
}

const Json &member(const Json &object, const char *name) {
  static const Json null;
  if (!object.is_object())
    return null;
  auto found = object.find(name);
  return found == object.end() ? null : *found;
}

std::string stringIn(const Json &object, const char *name) {
  const Json &value = member(object, name);
  return value.is_string() ? value.get<std::string>() : std::string();
}

int64_t integerIn(const Json &object, const char *name, int64_t otherwise) {
  const Json &value = member(object, name);
  return value.is_number_integer() ? value.get<int64_t>() : otherwise;
}

bool boolIn(const Json &object, const char *name, bool otherwise) {
  const Json &value = member(object, name);
  return value.is_boolean() ? value.get<bool>() : otherwise;
}

} // namespace memreflens::lsp
