//===- lsp/wire/Strings.cpp -----------------------------------------------===//

#include "lsp/wire/Strings.h"
#include "core/text/Plain.h"
#include "lsp/wire/Message.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace memreflens::lsp {

/// How many bytes at the start are not; no character of several is cut.
static size_t otherBytes(std::string_view text) {
  size_t at = 0;
  while (at < text.size() && !isPlain(text[at]))
    ++at;
  return at;
}

std::string jsonQuoted(std::string_view text) {
  std::string made = "\"";
  made.reserve(text.size() + text.size() / 32 + 2);
  while (true) {
    size_t size = plainBytes(text);
    made += text.substr(0, size);
    text.remove_prefix(size);
    if (text.empty())
      return made += '"';
    size = otherBytes(text);
    if (text.substr(0, size) == "\n") {
      made += "\\n";
    } else {
      const std::string others =
          toBytes(Json(std::string(text.substr(0, size))));
      made.append(others, 1, others.size() - 2);
    }
    text.remove_prefix(size);
  }
}

/// Bytes of the characters at the start that are written as escapes, or not
/// ASCII: the halves of one may be two escapes.
static size_t escapedBytes(std::string_view text) {
  constexpr size_t ofCharacter = 2, ofUnit = 6; // \n, \u00e9
  size_t at = 0;
  while (at < text.size()) {
    if (text[at] == '\\')
      at += text.substr(at).starts_with("\\u") ? ofUnit : ofCharacter;
    else if ((unsigned char)text[at] >= 0x80)
      ++at;
    else
      break;
  }
  return std::min(at, text.size());
}

std::optional<std::string> jsonUnquoted(std::string_view inside) {
  std::string made;
  made.reserve(inside.size());
  while (true) {
    size_t size = plainBytes(inside);
    made += inside.substr(0, size);
    inside.remove_prefix(size);
    if (inside.empty())
      return made;
    size = escapedBytes(inside);
    std::string_view escaped = inside.substr(0, size);
    if (escaped == "\\n") {
      made += '\n';
    } else {
      const Json part = Json::parse('"' + std::string(escaped) + '"', nullptr,
                                    /*allow_exceptions=*/false);
      // As are bytes that may not stand there.
      if (!part.is_string() || size == 0)
        return std::nullopt;
      made += part.get_ref<const std::string &>();
    }
    inside.remove_prefix(size);
  }
}

} // namespace memreflens::lsp
