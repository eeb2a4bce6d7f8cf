//===- core/source/Chunks.cpp - a text before it is parsed ----------------===//

#include "core/source/Chunks.h"

#include <algorithm>
#include <string>

using namespace memreflens;

static constexpr std::string_view marker = "// -----";

/// Position of the next marker from `from` on, or npos.
static size_t findMarker(std::string_view text, size_t from) {
  for (size_t at = text.find(marker, from); at != std::string_view::npos;
       at = text.find(marker, at)) {
    size_t end = at + marker.size();
    if (end == text.size())
      return std::string_view::npos;
    if (text[end] != '-')
      return at;
    at = text.find_first_not_of('-', end);
  }
  return std::string_view::npos;
}

std::vector<trace::Range> memreflens::splitChunks(std::string_view text) {
  std::vector<trace::Range> chunks;
  size_t begin = 0;
  for (size_t at = findMarker(text, 0); at != std::string_view::npos;
       at = findMarker(text, begin)) {
    chunks.push_back({uint32_t(begin), uint32_t(at)});
    size_t lineEnd = text.find('\n', at);
    begin = lineEnd == std::string_view::npos ? text.size() : lineEnd + 1;
  }
  chunks.push_back({uint32_t(begin), uint32_t(text.size())});
  return chunks;
}

/// Position behind the string literal that opens at `at`. Literals end with
/// their line, closed or not.
static size_t skipString(std::string_view text, size_t at) {
  for (++at; at < text.size() && text[at] != '\n'; ++at) {
    if (text[at] == '"')
      return at + 1;
    if (text[at] == '\\')
      ++at;
  }
  return std::min(at, text.size());
}

static char openerOf(char closer) {
  switch (closer) {
  case ')':
    return '(';
  case ']':
    return '[';
  case '}':
    return '{';
  default:
    return '<';
  }
}

namespace {

/// Brackets open at the current place, and the deepest so far.
struct OpenBrackets {
  explicit OpenBrackets(uint32_t limit) : limit(limit) {}

  void note(size_t depth, size_t at) {
    if (depth > limit && nesting.depth <= limit)
      nesting.exceededAt = uint32_t(at);
    nesting.depth = std::max(nesting.depth, uint32_t(depth));
  }
  void open(char opener, size_t at) {
    stack.push_back(opener);
    note(stack.size(), at);
  }
  /// A closer without its opener is a comparison, or a syntax error at which
  /// the parser stops: no matter. The `<` inside other brackets may be a
  /// comparison too, so they go with the bracket around them.
  void close(char closer) {
    while (closer != '>' && !stack.empty() && stack.back() == '<')
      stack.pop_back();
    if (!stack.empty() && stack.back() == openerOf(closer))
      stack.pop_back();
  }

  uint32_t limit;
  std::string stack;
  Nesting nesting;
};

} // namespace

Nesting memreflens::measureNesting(std::string_view text, uint32_t limit) {
  OpenBrackets brackets(limit);
  size_t minusRun = 0;
  for (size_t at = 0; at < text.size();) {
    char c = text[at];
    char next = at + 1 < text.size() ? text[at + 1] : '\0';
    if (c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\0') {
      ++at;
      continue;
    }
    if (c == '/' && next == '/') {
      at = std::min(text.find('\n', at), text.size());
      continue;
    }
    // The affine parser recurses on each sign.
    minusRun = c == '-' && next != '>' ? minusRun + 1 : 0;
    brackets.note(minusRun, at);
    bool operatorWithBracket =
        (c == '-' && next == '>') || ((c == '<' || c == '>') && next == '=');
    if (c == '"')
      at = skipString(text, at);
    else if (operatorWithBracket)
      at += 2;
    else {
      if (c == '(' || c == '[' || c == '{' || c == '<')
        brackets.open(c, at);
      else if (c == ')' || c == ']' || c == '}' || c == '>') {
        if (brackets.nesting.depth > limit)
          break;
        brackets.close(c);
      }
      ++at;
    }
  }
  return brackets.nesting;
}
