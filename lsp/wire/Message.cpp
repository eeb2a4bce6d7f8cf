//===- lsp/wire/Message.cpp -----------------------------------------------===//

#include "lsp/wire/Message.h"
#include "core/text/Plain.h"
#include "lsp/wire/Strings.h"

#include <charconv>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <vector>

namespace memreflens::lsp {

/// Writing a value recurses once a level.
static constexpr int maxDepth = 512;

namespace {
/// What one look at a message's bytes tells.
struct Layout {
  bool nestsTooDeep = false;
  /// What stands between the quotes of its long strings.
  std::vector<std::string_view> longStrings;
};
} // namespace

/// Bytes to the quote that ends a string, or to the end.
static size_t stringBytes(std::string_view text) {
  size_t at = 0;
  while (at < text.size()) {
    at += plainBytes(text.substr(at));
    if (at < text.size() && text[at] == '"')
      return at;
    at += at < text.size() && text[at] == '\\' ? 2 : 1;
  }
  return text.size();
}

static Layout layoutOf(std::string_view text, size_t longString) {
  Layout layout;
  int depth = 0;
  for (size_t at = 0; at < text.size(); ++at) {
    char c = text[at];
    if (c == '"') {
      std::string_view inside = text.substr(at + 1);
      inside = inside.substr(0, stringBytes(inside));
      if (inside.size() >= longString)
        layout.longStrings.push_back(inside);
      at += inside.size() + 1;
    } else if (c == '[' || c == '{') {
      ++depth;
    } else if (c == ']' || c == '}') {
      --depth;
    }
    if (depth > maxDepth)
      return {true, {}};
  }
  return layout;
}

/// In place of a long string, with its number; a client does not send it.
static constexpr std::string_view mark = "memref-lens: long string ";

static std::optional<size_t> markedNumber(const Json &value) {
  if (!value.is_string())
    return std::nullopt;
  std::string_view text = value.get_ref<const std::string &>();
  if (!text.starts_with(mark))
    return std::nullopt;
  size_t number = SIZE_MAX;
  std::from_chars(text.data() + mark.size(), text.data() + text.size(), number);
  return number;
}

/// Nothing where it does not fit; then the library says why.
static std::optional<Json> parseApart(std::string_view body,
                                      const Layout &layout) {
  const std::vector<std::string_view> &strings = layout.longStrings;
  std::string rest;
  size_t done = 0;
  for (size_t i = 0; i < strings.size(); ++i) {
    const size_t begin = size_t(strings[i].data() - body.data());
    rest += body.substr(done, begin - done);
    rest.append(mark).append(std::to_string(i));
    done = begin + strings[i].size();
  }
  rest += body.substr(done);
  Json value = Json::parse(rest, nullptr, /*allow_exceptions=*/false);
  std::vector<bool> isFilled(strings.size());
  bool fits = !value.is_discarded();
  auto fill = [&](auto &self, Json &part) -> void {
    for (Json &inner : part)
      if (inner.is_structured())
        self(self, inner);
      else if (std::optional<size_t> number = markedNumber(inner)) {
        std::optional<std::string> text;
        if (*number < strings.size() && !isFilled[*number])
          text = jsonUnquoted(strings[*number]);
        fits &= text.has_value();
        if (text) {
          inner = std::move(*text);
          isFilled[*number] = true;
        }
      }
  };
  if (value.is_structured())
    fill(fill, value);
  for (bool one : isFilled)
    fits &= one;
  return fits ? std::optional(std::move(value)) : std::nullopt;
}

std::optional<Json> parseMessage(std::string_view body, size_t longString) {
  const Layout layout = layoutOf(body, longString);
  if (layout.nestsTooDeep)
    return std::nullopt;
  if (!layout.longStrings.empty())
    if (std::optional<Json> value = parseApart(body, layout))
      return value;
  Json value = Json::parse(body, nullptr, /*allow_exceptions=*/false);
  if (value.is_discarded())
    return std::nullopt;
  return value;
}

std::string toBytes(const Json &message, std::string_view members) {
  if (!members.empty())
    return toOpenBytes(message).append(members).append("}}");
  return message.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string toOpenBytes(const Json &message) {
  std::string bytes = toBytes(message);
  bytes.resize(bytes.size() - 2);
  if (bytes.back() != '{')
    bytes += ',';
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
