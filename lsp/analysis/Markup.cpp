//===- lsp/analysis/Markup.cpp --------------------------------------------===//

#include "lsp/analysis/Markup.h"

#include <algorithm>
#include <cctype>
#include <charconv>

namespace memreflens::lsp {

static bool isMarkup(std::string_view text, size_t at) {
  char c = text[at];
  if (std::string_view("\\`*[]<>&~|").find(c) != std::string_view::npos)
    return true;
  if (c == '_') {
    // Inside a word it is only itself.
    auto isWord = [&](size_t i) {
      return i < text.size() && (std::isalnum((unsigned char)text[i]) != 0);
    };
    return !(at > 0 && isWord(at - 1) && isWord(at + 1));
  }
  bool startsLine = at == 0 || text[at - 1] == '\n';
  return startsLine && (c == '#' || c == '-' || c == '+' || c == '=');
}

static bool isNameChar(char c) {
  return std::isalnum((unsigned char)c) != 0 ||
         std::string_view("_$.#-").find(c) != std::string_view::npos;
}

/// Length of what is code at the start of `text`: %data, ^join, @f, @"a b",
/// scf.for.
static size_t codeAt(std::string_view text) {
  if (text.starts_with("@\"")) {
    const size_t end = text.find('"', 2);
    return end == std::string_view::npos ? 0 : end + 1;
  }
  const bool isSigil =
      std::string_view("%^@").find(text[0]) != std::string_view::npos;
  size_t end = isSigil ? 1 : 0;
  while (end < text.size() && isNameChar(text[end]))
    ++end;
  while (end > 0 &&
         std::string_view(".-").find(text[end - 1]) != std::string_view::npos)
    --end;
  const std::string_view name = text.substr(0, end);
  if (isSigil)
    return end > 1 ? end : 0;
  const size_t dot = name.find('.');
  const bool isOp = dot != std::string_view::npos && dot > 1 &&
                    std::islower((unsigned char)name[0]) != 0 &&
                    std::ranges::all_of(name, [](char c) {
                      return std::islower((unsigned char)c) != 0 ||
                             std::isdigit((unsigned char)c) != 0 || c == '_' ||
                             c == '.';
                    });
  return isOp ? end : 0;
}

/// Length of "9:3" at the start of `text`; 0 for anything else.
static size_t placeAt(std::string_view text) {
  const size_t colon = text.find_first_not_of("0123456789");
  if (colon == 0 || colon == std::string_view::npos || text[colon] != ':')
    return 0;
  const size_t end =
      std::min(text.find_first_not_of("0123456789", colon + 1), text.size());
  return end > colon + 1 ? end : 0;
}

/// A span of code; a backtick in it does not end it.
static std::string codeSpan(const std::string &code) {
  size_t longest = 0, run = 0;
  for (char c : code) {
    run = c == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  const std::string fence(longest + 1, '`');
  const char *room = code.front() == '`' || code.back() == '`' ? " " : "";
  return fence + room + code + room + fence;
}

/// Length of "`process`" at `at`, where a sentence has its own marks; 0 for
/// anything else, such as the backticks of two names.
static size_t quotedAt(std::string_view text, size_t at) {
  auto isApart = [&](size_t i, std::string_view marks) {
    return i >= text.size() || marks.find(text[i]) != std::string_view::npos;
  };
  const size_t end = text[at] == '`' ? text.find('`', at + 1) : text.npos;
  const bool isQuoted = end != text.npos && end > at + 1 &&
                        (at == 0 || isApart(at - 1, " (\n")) &&
                        isApart(end + 1, " ,.;:)'\n");
  return isQuoted ? end + 1 - at : 0;
}

std::string Markup::marked(std::string_view text, bool hasLinks) const {
  std::string made;
  bool isAfterCode = false;
  for (size_t at = 0; at < text.size();) {
    const std::string_view rest = text.substr(at);
    const bool isStart = at == 0 || !isNameChar(text[at - 1]);
    // Two spans of code side by side would be one.
    const size_t quoted = isAfterCode ? 0 : quotedAt(text, at);
    const size_t code = isStart && !isAfterCode ? codeAt(rest) : 0;
    const size_t place = isStart && hasLinks ? placeAt(rest) : 0;
    const size_t next = at + std::max<size_t>({quoted, code, place, 1});
    const std::string part(text.substr(at, next - at));
    isAfterCode = quoted > 0 || code > 0;
    if (quoted > 0)
      made += part;
    else if (code > 0)
      made += codeSpan(part);
    else if (place > 0)
      made += linkToPlace(part);
    else if (isMarkup(text, at))
      made += "\\" + part;
    else
      made += part == "\n" ? " " : part;
    at = next;
  }
  return made;
}

/// A place as sentences name it: a line, and a column in bytes. The link has
/// the client's columns.
std::string Markup::linkToPlace(const std::string &position) const {
  const size_t colon = position.find(':');
  LineColumn at;
  const char *end = position.data() + position.size();
  std::from_chars(position.data(), position.data() + colon, at.line);
  std::from_chars(position.data() + colon + 1, end, at.column);
  const LineIndex &lines = view.lookup().getLines();
  if (at.line == 0 || at.column == 0 || at.line > lines.lineCount())
    return position;
  return link(position, lines.offset(at));
}

std::string Markup::link(const std::string &words, uint32_t offset) const {
  const Position at = view.position(offset);
  return "[" + words + "](<" + view.uri + "#L" + std::to_string(at.line + 1) +
         "," + std::to_string(at.character + 1) + ">)";
}

std::string Markup::place(trace::Range range) const {
  const std::string at = view.lookup().position(range);
  if (at.empty() || range.begin >= view.range.end)
    return "";
  return isMarkdown() ? link(at, range.begin) + " " : at + "  ";
}

/// Where the words stand in the text, and are not the beginning of others.
static size_t findWords(std::string_view text, std::string_view words) {
  if (words.empty())
    return text.npos;
  size_t at = text.find(words);
  while (at != text.npos && at + words.size() < text.size() &&
         isNameChar(text[at + words.size()]))
    at = text.find(words, at + 1);
  return at;
}

std::string Markup::text(std::string_view text,
                         std::span<const NamedPlace> places) const {
  if (!isMarkdown())
    return std::string(text);
  // The place that is named first, and of two there the longer one.
  size_t first = text.npos;
  const NamedPlace *named = nullptr;
  for (const NamedPlace &place : places) {
    const size_t at =
        place.range.empty() ? text.npos : findWords(text, place.words);
    if (at < first ||
        (named && at == first && place.words.size() > named->words.size())) {
      first = at;
      named = &place;
    }
  }
  if (!named)
    return marked(text, /*hasLinks=*/true);
  const std::string_view behind = text.substr(first + named->words.size());
  return marked(text.substr(0, first), /*hasLinks=*/true) +
         link(marked(named->words, /*hasLinks=*/false), named->range.begin) +
         this->text(behind, places);
}

} // namespace memreflens::lsp
