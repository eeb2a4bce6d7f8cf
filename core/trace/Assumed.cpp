//===- core/trace/Assumed.cpp ---------------------------------------------===//

#include "core/trace/Assumed.h"

#include <algorithm>

namespace memreflens::trace {

/// A `*` stands for any letters.
static bool matches(std::string_view pattern, std::string_view text) {
  const size_t star = pattern.find('*');
  if (star == pattern.npos)
    return pattern == text;
  if (!text.starts_with(pattern.substr(0, star)))
    return false;
  pattern.remove_prefix(star);
  text.remove_prefix(star);
  // Each part at the first place where it can be, the last one at the end.
  while (!pattern.empty()) {
    pattern.remove_prefix(1);
    const std::string_view part = pattern.substr(0, pattern.find('*'));
    pattern.remove_prefix(part.size());
    if (pattern.empty())
      return text.ends_with(part);
    const size_t at = text.find(part);
    if (at == text.npos)
      return false;
    text.remove_prefix(at + part.size());
  }
  return true;
}

bool isNamed(const std::vector<std::string> &patterns,
             std::string_view function) {
  return std::ranges::any_of(patterns, [&](std::string_view pattern) {
    if (pattern.starts_with('@'))
      pattern.remove_prefix(1);
    return matches(pattern, function);
  });
}

} // namespace memreflens::trace
