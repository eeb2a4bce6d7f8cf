//===--- core/trace/Symbol.cpp --------------------------------------------===//

#include "core/trace/Symbol.h"

#include <algorithm>

namespace memreflens::trace {

static bool isBare(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         (c >= '0' && c <= '9') ||
         std::string_view("_$.:@").find(c) != std::string_view::npos;
}

/// MLIR's escapes: two digits of hexadecimal behind a backslash. Letters that
/// are not ASCII stay readable.
static std::string escaped(std::string_view name) {
  static constexpr char digits[] = "0123456789ABCDEF";
  std::string text;
  for (char c : name) {
    const auto byte = (unsigned char)c;
    if (c == '\\')
      text += "\\\\";
    else if (byte < 0x20 || byte == 0x7F || c == '"')
      text += {'\\', digits[byte >> 4], digits[byte & 15]};
    else
      text += c;
  }
  return text;
}

std::string symbolText(std::string_view name) {
  if (!name.empty() && !(name[0] >= '0' && name[0] <= '9') &&
      std::ranges::all_of(name, isBare))
    return "@" + std::string(name);
  return "@\"" + escaped(name) + "\"";
}

} // namespace memreflens::trace
