//===- lsp/wire/Strings.cpp -----------------------------------------------===//

#include "lsp/wire/Strings.h"
#include "lsp/wire/Message.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <nlohmann/json.hpp>

namespace memreflens::lsp {

static bool isPlain(unsigned char c) {
  return c >= 0x20 && c < 0x80 && c != '"' && c != '\\';
}

/// Whether all eight are; a byte behind one that is not may be told wrong.
static bool arePlain(uint64_t bytes) {
  constexpr uint64_t ones = 0x0101010101010101, tops = 0x8080808080808080;
  auto below = [](uint64_t value, uint64_t limit) {
    return (value - ones * limit) & ~value & tops;
  };
  return !((bytes & tops) | below(bytes, 0x20) | below(bytes ^ ones * '"', 1) |
           below(bytes ^ ones * '\\', 1));
}

size_t plainBytes(std::string_view text) {
  size_t at = 0;
  for (uint64_t bytes = 0; at + sizeof bytes <= text.size();
       at += sizeof bytes) {
    std::memcpy(&bytes, text.data() + at, sizeof bytes);
    if (!arePlain(bytes))
      break;
  }
  while (at < text.size() && isPlain((unsigned char)text[at]))
    ++at;
  return at;
}

/// How many bytes at the start are not; no character of several is cut.
static size_t otherBytes(std::string_view text) {
  size_t at = 0;
  while (at < text.size() && !isPlain((unsigned char)text[at]))
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
