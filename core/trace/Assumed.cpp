//===- core/trace/Assumed.cpp ---------------------------------------------===//

#include "core/trace/Assumed.h"

#include <algorithm>
#include <charconv>

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

static constexpr std::pair<std::string_view, StatementKind> statementWords[] = {
    {"keeps-results=", StatementKind::keepsResults},
    {"returns-argument=", StatementKind::returnsArgument},
    {"keeps-argument=", StatementKind::keepsArgument},
    {"releases-argument=", StatementKind::releasesArgument}};

std::optional<Statement> statementIn(std::string_view text) {
  for (const auto &[word, kind] : statementWords) {
    if (!text.starts_with(word))
      continue;
    text.remove_prefix(word.size());
    Statement statement = {kind, std::string(text), -1};
    if (kind != StatementKind::keepsResults) {
      const size_t colon = text.rfind(':');
      if (colon == text.npos)
        return std::nullopt;
      statement.function = text.substr(0, colon);
      const char *end = text.data() + text.size();
      const auto [stop, failure] =
          std::from_chars(text.data() + colon + 1, end, statement.argument);
      if (failure != std::errc() || stop != end || statement.argument < 0)
        return std::nullopt;
    }
    return statement.function.empty() ? std::nullopt
                                      : std::optional(std::move(statement));
  }
  return std::nullopt;
}

} // namespace memreflens::trace
