//===- lsp/supervisor/MergedHover.cpp -------------------------------------===//

#include "lsp/supervisor/MergedHover.h"

#include <algorithm>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>

namespace memreflens::lsp {

/// Upstream's Markdown without its marks: fences, and pairs of single
/// backticks. Any others are of names.
static std::string asPlainText(const std::string &markdown) {
  std::string made;
  bool isFenced = false;
  for (size_t at = 0; at < markdown.size();) {
    size_t end = std::min(markdown.find('\n', at), markdown.size());
    std::string line = markdown.substr(at, end - at);
    at = end + 1;
    isFenced ^= line.starts_with("```");
    if (line.starts_with("```") || line == "***")
      continue;
    if (!isFenced && std::count(line.begin(), line.end(), '`') % 2 == 0 &&
        line.find("``") == line.npos)
      std::erase(line, '`');
    made += line + "\n";
  }
  return made;
}

/// Bytes of what MLIR's server itself writes with such marks: "<Block #1>" and
/// "#[0, 1]".
static size_t ownMarks(std::string_view text) {
  for (auto [begin, end] : {std::pair{"<Block #", '>'}, {"[", ']'}}) {
    std::string_view start = begin;
    if (!text.starts_with(start))
      continue;
    size_t last = text.find_first_not_of("0123456789, ", start.size());
    bool isFollowed =
        last != text.npos && last + 1 < text.size() &&
        std::string_view("([:").find(text[last + 1]) != std::string_view::npos;
    if (last != text.npos && text[last] == end && !isFollowed)
      return last + 1;
  }
  return 0;
}

/// Text between the fences and spans of code of MLIR's server, which puts names
/// of the program there as they are: an image in one would be fetched.
static std::string inertLine(std::string_view line) {
  constexpr std::string_view ruleOfServer = "***";
  if (line == ruleOfServer)
    return std::string(line);
  // Spans of code are pairs of single marks.
  bool hasSpans = std::count(line.begin(), line.end(), '`') % 2 == 0 &&
                  line.find("``") == line.npos;
  bool isInSpan = false;
  std::string made;
  while (!line.empty()) {
    char c = line.front();
    isInSpan ^= hasSpans && c == '`';
    size_t own = isInSpan ? 0 : ownMarks(line);
    if (own != 0) {
      made += line.substr(0, own);
      line.remove_prefix(own);
      continue;
    }
    bool isMarkup =
        std::string_view("[]<>~\\*&|").find(c) != std::string_view::npos;
    if ((isMarkup && !isInSpan) || (c == '`' && !hasSpans))
      made += '\\';
    made += c;
    line.remove_prefix(1);
  }
  return made;
}

static std::string inertText(std::string_view text) {
  std::string made;
  while (!text.empty()) {
    size_t end = text.find('\n');
    made += inertLine(text.substr(0, end));
    if (end == text.npos)
      break;
    made += '\n';
    text.remove_prefix(end + 1);
  }
  return made;
}

static std::string inertMarkdown(std::string_view text) {
  constexpr std::string_view mark = "```";
  // A name may hold line breaks; the code behind the last of these cannot.
  size_t code = text.rfind("```mlir\n");
  if (code == text.npos)
    return inertText(text);
  size_t end = text.find("\n```", code);
  end = end == text.npos ? text.size() : end + 1 + mark.size();
  std::string_view inner =
      text.substr(code + mark.size(), end - code - 2 * mark.size());
  bool isFence = code == 0 || text[code - 1] == '\n';
  // In the middle of a line such marks end where the next ones are.
  bool isWhole = isFence || (inner.find(mark) == inner.npos &&
                             !text.substr(end).starts_with('`'));
  if (!isWhole)
    return inertText(text);
  return inertText(text.substr(0, code)) +
         std::string(text.substr(code, end - code)) +
         inertText(text.substr(end));
}

Json mergedHover(Json theirs, const Json &ours, bool isPlainText) {
  if (!isPlainText && theirs.is_object() && theirs.contains("contents") &&
      stringIn(theirs["contents"], "kind") == "markdown")
    theirs["contents"]["value"] =
        inertMarkdown(stringIn(theirs["contents"], "value"));
  if (isPlainText && theirs.is_object() && theirs.contains("contents")) {
    std::string text = stringIn(theirs["contents"], "value");
    theirs["contents"] = {{"kind", "plaintext"}, {"value", asPlainText(text)}};
  }
  if (!ours.is_object())
    return theirs;
  if (!theirs.is_object())
    return ours;
  // Who owns it is what is asked for here; what it is comes last.
  std::string first = stringIn(member(ours, "contents"), "value");
  while (!first.empty() && first.back() == '\n')
    first.pop_back();
  theirs["contents"]["value"] = first + (isPlainText ? "\n\n" : "\n\n---\n\n") +
                                stringIn(member(theirs, "contents"), "value");
  return theirs;
}

} // namespace memreflens::lsp
