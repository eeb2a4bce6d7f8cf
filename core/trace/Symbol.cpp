//===--- core/trace/Symbol.cpp --------------------------------------------===//

#include "core/trace/Symbol.h"

#include <algorithm>

namespace memreflens::trace {

static bool isBare(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         (c >= '0' && c <= '9') ||
         std::string_view("_$.:@").find(c) != std::string_view::npos;
}

std::string escapedSymbol(std::string_view name, bool isReadable) {
  static constexpr char digits[] = "0123456789ABCDEF";
  std::string text;
  for (char c : name) {
    const auto byte = (unsigned char)c;
    const bool isPlain =
        byte >= 0x20 && c != '"' && (isReadable ? byte != 0x7F : byte < 0x7F);
    if (c == '\\')
      text += "\\\\";
    else if (isPlain)
      text += c;
    else
      text += {'\\', digits[byte >> 4], digits[byte & 15]};
  }
  return text;
}

std::string symbolText(std::string_view name) {
  if (!name.empty() && !(name[0] >= '0' && name[0] <= '9') &&
      std::ranges::all_of(name, isBare))
    return "@" + std::string(name);
  return "@\"" + escapedSymbol(name, /*isReadable=*/true) + "\"";
}

} // namespace memreflens::trace
