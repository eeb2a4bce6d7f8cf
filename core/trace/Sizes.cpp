//===- core/trace/Sizes.cpp -----------------------------------------------===//

#include "core/trace/Sizes.h"

#include <charconv>

namespace memreflens::trace {

bool hasOpenShape(std::string_view memrefType) {
  return memrefType.substr(0, memrefType.find(',')).find_first_of("?*") !=
         memrefType.npos;
}

/// A number that is the whole text; -1 if it is none.
static int64_t numberIn(std::string_view text) {
  int64_t number = -1;
  auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() ? number : -1;
}

/// Takes the number behind the last colon off the text; -1 if there is none.
static int64_t takeLast(std::string_view &text) {
  const size_t colon = text.rfind(':');
  if (colon == text.npos)
    return -1;
  const int64_t number = numberIn(text.substr(colon + 1));
  if (number >= 0)
    text = text.substr(0, colon);
  return number;
}

std::optional<StatedSize> sizeIn(std::string_view text) {
  const size_t sign = text.rfind('=');
  if (sign == text.npos || sign < 2)
    return std::nullopt;
  StatedSize stated;
  stated.size = numberIn(text.substr(sign + 1));
  if (stated.size < 0)
    return std::nullopt;
  std::string_view what = text.substr(1, sign - 1);
  if (text.front() == '%') {
    stated.value = what;
    return stated;
  }
  if (text.front() != '@')
    return std::nullopt;
  const int64_t last = takeLast(what), first = takeLast(what);
  if (last < 0 || what.empty() || what.find(':') != what.npos)
    return std::nullopt;
  stated.function = what;
  stated.argument = first < 0 ? last : first;
  stated.dimension = first < 0 ? -1 : last;
  return stated;
}

} // namespace memreflens::trace
