//===- viewer/Excerpt.cpp - the part of a program that one function needs -===//

#include "viewer/Excerpt.h"

#include <algorithm>
#include <map>
#include <set>
#include <vector>

namespace memreflens::viewer {

namespace {
using Names = std::set<std::string_view>;

struct FunctionText {
  std::string_view name;
  size_t begin = 0, end = 0;
  /// Symbols that it names.
  Names needs;
};

/// Walks over the text as far as braces, quotes and symbols go.
class Splitter {
public:
  explicit Splitter(std::string_view text) : text(text) {}

  std::vector<FunctionText> functions;
  /// Symbols that are named outside of functions.
  Names needed;

  /// False where braces or quotes do not match.
  bool run() {
    while (at < text.size()) {
      if (isWordAt("func.func")) {
        if (!takeFunction())
          return false;
      } else if (!takeToken(needed)) {
        return false;
      }
    }
    return true;
  }

private:
  static bool isLetter(char c) {
    return isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '$' ||
           c == '.' || c == '-';
  }
  bool isWordAt(std::string_view word) const {
    return text.substr(at).starts_with(word) &&
           (at == 0 || !isLetter(text[at - 1])) &&
           (at + word.size() == text.size() ||
            !isLetter(text[at + word.size()]));
  }
  bool takeString() {
    for (++at; at < text.size(); ++at) {
      if (text[at] == '"') {
        ++at;
        return true;
      }
      at += text[at] == '\\';
    }
    return false;
  }
  std::string_view takeSymbol() {
    size_t begin = ++at;
    if (at < text.size() && text[at] == '"')
      takeString();
    else
      while (at < text.size() && isLetter(text[at]))
        ++at;
    return text.substr(begin, at - begin);
  }
  /// A string, a comment, a symbol, or else one byte.
  bool takeToken(Names &symbols) {
    if (text[at] == '"')
      return takeString();
    if (text[at] == '@') {
      symbols.insert(takeSymbol());
      return true;
    }
    if (text.substr(at).starts_with("//"))
      at = std::min(text.find('\n', at), text.size());
    else
      ++at;
    return true;
  }

  /// From `func.func` to the end of its body, or of a declaration.
  bool takeFunction() {
    FunctionText function;
    function.begin = at;
    at = text.find('@', at);
    if (at == text.npos)
      return false;
    function.name = takeSymbol();
    if (!takeHead(function.needs))
      return false;
    // A declaration takes no time: it stays.
    if (at == text.size() || text[at] != '{')
      return true;
    if (!takeBody(function.needs))
      return false;
    function.end = at;
    functions.push_back(std::move(function));
    return true;
  }

  /// Up to the body, or behind a declaration.
  bool takeHead(Names &symbols) {
    int nesting = 0;
    bool isDictionary = false;
    for (std::string_view last; at < text.size();) {
      char c = text[at];
      if (text.substr(at).starts_with("->")) {
        last = text.substr(at, 2);
        at += 2;
        continue;
      }
      if (nesting == 0 && c == '{' && !isDictionary)
        return true;
      if (nesting == 0 && c == '\n' && last != "->" && endsHere())
        return true;
      nesting += c == '(' || c == '[' || c == '<' || c == '{';
      nesting -= c == ')' || c == ']' || c == '>' || c == '}';
      if (nesting < 0)
        return false;
      // `attributes {...}` is no body.
      isDictionary |= nesting == 0 && isWordAt("attributes");
      isDictionary &= nesting > 0 || c != '}';
      if (!isspace(static_cast<unsigned char>(c)))
        last = text.substr(at, 1);
      if (!takeToken(symbols))
        return false;
    }
    return nesting == 0;
  }
  /// Whether what stands on the next lines belongs to no head.
  bool endsHere() const {
    size_t next = text.find_first_not_of(" \t\r\n", at);
    if (next == text.npos)
      return true;
    std::string_view rest = text.substr(next);
    return !rest.starts_with("->") && !rest.starts_with("{") &&
           !rest.starts_with("attributes");
  }
  bool takeBody(Names &symbols) {
    int depth = 0;
    while (at < text.size()) {
      char c = text[at];
      depth += c == '{';
      depth -= c == '}';
      if (!takeToken(symbols))
        return false;
      if (depth == 0)
        return true;
    }
    return false;
  }

  std::string_view text;
  size_t at = 0;
};
} // namespace

/// With all that they name, and what that names.
static Names closure(const std::vector<FunctionText> &functions, Names wanted) {
  std::multimap<std::string_view, const FunctionText *> byName;
  for (const FunctionText &function : functions)
    byName.emplace(function.name, &function);
  std::vector<std::string_view> open(wanted.begin(), wanted.end());
  while (!open.empty()) {
    auto [from, to] = byName.equal_range(open.back());
    open.pop_back();
    for (; from != to; ++from)
      for (std::string_view name : from->second->needs)
        if (wanted.insert(name).second)
          open.push_back(name);
  }
  return wanted;
}

std::string excerptOf(std::string_view text, std::string_view function) {
  Splitter splitter(text);
  if (function.empty() || !splitter.run() ||
      std::ranges::none_of(splitter.functions, [&](const FunctionText &one) {
        return one.name == function;
      }))
    return "";
  Names wanted = splitter.needed;
  wanted.insert(function);
  wanted = closure(splitter.functions, std::move(wanted));
  std::string excerpt(text);
  size_t left = 0, blanked = 0;
  for (const FunctionText &one : splitter.functions) {
    if (wanted.contains(one.name)) {
      left += one.end - one.begin;
      continue;
    }
    blanked += one.end - one.begin;
    std::replace_if(
        excerpt.begin() + long(one.begin), excerpt.begin() + long(one.end),
        [](char c) { return c != '\n'; }, ' ');
  }
  return left < blanked ? excerpt : "";
}

} // namespace memreflens::viewer
