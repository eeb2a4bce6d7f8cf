//===- core/source/Chunks.cpp - a text before it is parsed ----------------===//

#include "core/source/Chunks.h"
#include "core/text/Comments.h"
#include "core/text/Parts.h"

#include <algorithm>

using namespace memreflens;

std::vector<trace::Range> memreflens::splitChunks(std::string_view text) {
  std::vector<trace::Range> chunks;
  for (const TextRange &part : partsOf(text))
    chunks.push_back({uint32_t(part.begin), uint32_t(part.end)});
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
class OpenBrackets {
public:
  explicit OpenBrackets(uint32_t limit) : limit(limit) {}

  bool exceeded() const { return nesting.depth > limit; }
  void note(size_t depth, size_t at) {
    if (depth > limit && !exceeded())
      nesting.exceededAt = uint32_t(at);
    nesting.depth = std::max(nesting.depth, uint32_t(depth));
  }
  void open(char opener, size_t at) {
    stack.push_back({opener});
    note(stack.size(), at);
  }
  /// A closer without its opener is a comparison, or a syntax error at which
  /// the parser stops: no matter. The `<` inside other brackets may be a
  /// comparison too, so they go with the bracket around them.
  void close(char closer) {
    while (closer != '>' && !stack.empty() && stack.back().opener == '<')
      stack.pop_back();
    if (!stack.empty() && stack.back().opener == openerOf(closer))
      stack.pop_back();
  }
  /// Operators of one affine expression nest to the left.
  void countOperator(size_t at) {
    if (!stack.empty() &&
        (stack.back().opener == '(' || stack.back().opener == '['))
      note(++stack.back().operators, at);
  }
  void endExpression() {
    if (!stack.empty())
      stack.back().operators = 0;
  }

  Nesting nesting;

private:
  struct Level {
    char opener;
    uint32_t operators = 0;
  };
  uint32_t limit;
  std::vector<Level> stack;
};

} // namespace

/// Whether an affine operator spelt as a word starts at `at`.
static bool isOperatorWord(std::string_view text, size_t at) {
  if (at == 0 || (text[at - 1] != ' ' && text[at - 1] != ')'))
    return false;
  std::string_view rest = text.substr(at);
  return rest.starts_with("mod ") || rest.starts_with("floordiv ") ||
         rest.starts_with("ceildiv ");
}

static bool isSpace(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\0';
}

/// Takes the token at `at` into account; position behind it.
static size_t countToken(std::string_view text, size_t at,
                         OpenBrackets &brackets) {
  char c = text[at];
  char next = at + 1 < text.size() ? text[at + 1] : '\0';
  switch (c) {
  case '"':
    return skipString(text, at);
  case '(':
  case '[':
  case '{':
    brackets.open(c, at);
    break;
  case '<':
    if (next == '=')
      return at + 2;
    brackets.open(c, at);
    break;
  case '>':
    if (next == '=')
      return at + 2;
    brackets.close(c);
    break;
  case ')':
  case ']':
  case '}':
    brackets.close(c);
    break;
  case ',':
    brackets.endExpression();
    break;
  case '-':
    if (next == '>')
      return at + 2;
    brackets.countOperator(at);
    break;
  case '+':
  case '*':
    brackets.countOperator(at);
    break;
  case 'm':
  case 'f':
  case 'c':
    if (isOperatorWord(text, at))
      brackets.countOperator(at);
    break;
  }
  return at + 1;
}

Nesting memreflens::measureNesting(std::string_view text, uint32_t limit) {
  OpenBrackets brackets(limit);
  size_t signs = 0;
  for (size_t at = 0; at < text.size();) {
    char c = text[at];
    if (isSpace(c)) {
      ++at;
      continue;
    }
    if (text.substr(at, 2) == "//") {
      at = endOfComment(text, at);
      continue;
    }
    // The affine parser recurses on each sign.
    signs = c == '-' && text.substr(at, 2) != "->" ? signs + 1 : 0;
    brackets.note(signs, at);
    // The depth reported is that of the first nest that is too deep.
    bool closes = c == ')' || c == ']' || c == '}' || c == '>';
    if (brackets.exceeded() && closes)
      break;
    at = countToken(text, at, brackets);
  }
  return brackets.nesting;
}
