//===- viewer/work/Excerpt.cpp - the part of a program that one function needs
//-===//

#include "viewer/work/Excerpt.h"

#include "core/text/ItemScanner.h"
#include "core/text/Parts.h"

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
} // namespace

/// The first symbol in the text, without its `@`; takes it and all before it.
static std::string_view takeSymbol(std::string_view &text) {
  text.remove_prefix(std::min(text.find('@'), text.size()));
  if (text.empty())
    return {};
  const bool isQuoted = text.substr(1).starts_with('"');
  size_t end =
      isQuoted
          ? text.find('"', 2)
          : text.find_first_not_of("abcdefghijklmnopqrstuvwxyz_$.-0123456789"
                                   "ABCDEFGHIJKLMNOPQRSTUVWXYZ",
                                   1);
  end = std::min(end, text.size() - isQuoted) + isQuoted;
  std::string_view symbol = text.substr(1, end - 1);
  text.remove_prefix(end);
  return symbol;
}

/// In strings and comments, too: what they name is kept for nothing.
static Names symbolsIn(std::string_view text) {
  Names symbols;
  while (!text.empty())
    symbols.insert(takeSymbol(text));
  return symbols;
}

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

/// The functions of one part with bodies, and what all else of it names; false
/// where they cannot be told apart.
static bool readPart(std::string_view text, TextRange part,
                     std::vector<FunctionText> &functions, Names &wanted) {
  std::vector<Item> items;
  if (!scanItems(text.substr(part.begin, part.end - part.begin), items))
    return false;
  for (const Item &item : items) {
    const size_t begin = part.begin + item.begin;
    std::string_view own = text.substr(begin, item.end - item.begin);
    Names needs = symbolsIn(own);
    // A declaration takes no time: it stays.
    if (item.kind == ItemKind::function && item.body != 0)
      functions.push_back(
          {takeSymbol(own), begin, part.begin + item.end, std::move(needs)});
    else
      wanted.merge(needs);
  }
  return true;
}

std::string excerptOf(std::string_view text, std::string_view function) {
  if (function.empty())
    return "";
  std::string excerpt(text);
  size_t left = 0, blanked = 0;
  bool isFound = false;
  // Names are those of their part; the marks between parts stay.
  for (TextRange part : partsOf(text)) {
    std::vector<FunctionText> functions;
    Names wanted = {function};
    if (!readPart(text, part, functions, wanted))
      return "";
    isFound |= std::ranges::any_of(functions, [&](const FunctionText &one) {
      return one.name == function;
    });
    wanted = closure(functions, std::move(wanted));
    for (const FunctionText &one : functions) {
      if (wanted.contains(one.name)) {
        left += one.end - one.begin;
        continue;
      }
      blanked += one.end - one.begin;
      std::replace_if(
          excerpt.begin() + long(one.begin), excerpt.begin() + long(one.end),
          [](char c) { return c != '\n'; }, ' ');
    }
  }
  return isFound && left < blanked ? excerpt : "";
}

} // namespace memreflens::viewer
