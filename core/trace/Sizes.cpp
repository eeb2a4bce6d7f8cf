//===- core/trace/Sizes.cpp -----------------------------------------------===//

#include "core/trace/Sizes.h"

#include "core/text/Bytes.h"

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

/// Sums of so much do not overflow.
static constexpr uint64_t mostStated = uint64_t(1) << 50;

std::optional<StatedSize> sizeIn(std::string_view text) {
  const size_t sign = text.rfind('=');
  if (sign == text.npos || sign < 2)
    return std::nullopt;
  StatedSize stated;
  std::string_view what = text.substr(1, sign - 1);
  if (text.front() == '!') {
    const std::optional<uint64_t> bytes = bytesIn(text.substr(sign + 1));
    if (!bytes || *bytes > mostStated)
      return std::nullopt;
    stated.type = text.substr(0, sign);
    stated.size = int64_t(*bytes);
    return stated;
  }
  stated.size = numberIn(text.substr(sign + 1));
  if (stated.size < 0)
    return std::nullopt;
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

static bool isSpaceName(std::string_view text) {
  return !text.empty() && !isdigit(static_cast<unsigned char>(text.front())) &&
         text.find_first_of("=,[] \t\n\"") == text.npos;
}

std::optional<StatedSpace> spaceIn(std::string_view text) {
  const size_t sign = text.rfind('=');
  if (sign == text.npos || sign == 0)
    return std::nullopt;
  StatedSpace stated;
  stated.space = text.substr(0, sign);
  // The default one is printed as nothing.
  if (stated.space == "0")
    stated.space.clear();
  std::string_view rest = text.substr(sign + 1);
  const size_t comma = rest.find(',');
  const std::string_view first = rest.substr(0, comma);
  std::optional<uint64_t> bytes;
  if (comma == rest.npos) {
    bytes = bytesIn(first);
    if (!bytes)
      stated.name = first;
  } else {
    stated.name = first;
    bytes = bytesIn(rest.substr(comma + 1));
    if (!bytes)
      return std::nullopt;
  }
  const bool isSizeAlone = comma == rest.npos && bytes;
  if (!isSizeAlone && !isSpaceName(stated.name))
    return std::nullopt;
  if (bytes && *bytes > mostStated)
    return std::nullopt;
  stated.bytes = bytes ? int64_t(*bytes) : -1;
  return stated;
}

std::optional<StatedSpace> statedOf(const std::vector<std::string> &spaces,
                                    std::string_view space) {
  for (const std::string &text : spaces)
    if (std::optional<StatedSpace> stated = spaceIn(text);
        stated && isSpaceCalled({}, space, stated->space))
      return stated;
  return std::nullopt;
}

bool isSpaceCalled(const std::vector<std::string> &spaces,
                   std::string_view space, std::string_view word) {
  if (word == (space.empty() && !word.empty() ? "0" : space))
    return true;
  if (space.ends_with(">")) {
    const size_t open = space.rfind('<');
    if (open != space.npos &&
        word == space.substr(open + 1, space.size() - open - 2))
      return true;
  }
  const std::optional<StatedSpace> stated =
      spaces.empty() ? std::nullopt : statedOf(spaces, space);
  return stated && !stated->name.empty() && stated->name == word;
}

} // namespace memreflens::trace
