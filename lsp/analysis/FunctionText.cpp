//===- lsp/analysis/FunctionText.cpp --------------------------------------===//

#include "lsp/analysis/FunctionText.h"
#include "core/text/ItemScanner.h"

#include <algorithm>
#include <map>

namespace memreflens::lsp {

static bool isNameCharacter(char c) {
  return std::isalnum((unsigned char)c) || c == '_' || c == '$' || c == '.' ||
         c == '-';
}

static std::string aliasAt(std::string_view text, size_t at) {
  size_t end = at + 1;
  while (end < text.size() && isNameCharacter(text[end]))
    ++end;
  return std::string(text.substr(at, end - at));
}

using Aliases = std::map<std::string, std::string>;

/// With every alias replaced by what it stands for.
static std::string withoutAliases(std::string_view text,
                                  const Aliases &aliases) {
  std::string made;
  bool inString = false;
  for (size_t at = 0; at < text.size(); ++at) {
    char c = text[at];
    if (inString && c == '\\' && at + 1 < text.size()) {
      made += c;
      made += text[++at];
      continue;
    }
    if (c == '"')
      inString = !inString;
    if (!inString && (c == '#' || c == '!')) {
      std::string name = aliasAt(text, at);
      if (auto found = aliases.find(name); found != aliases.end()) {
        made += found->second;
        at += name.size() - 1;
        continue;
      }
    }
    made += c;
  }
  return made;
}

static std::string dedented(std::string_view text, size_t columns) {
  std::string made;
  while (!text.empty()) {
    size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    size_t first = std::min(line.find_first_not_of(' '), columns);
    if (first != std::string_view::npos)
      line.remove_prefix(std::min(first, line.size()));
    made += std::string(line) + "\n";
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  while (!made.empty() && (made.back() == '\n' || made.back() == ' '))
    made.pop_back();
  return made;
}

std::string functionIn(std::string_view module, const std::string &name) {
  std::vector<Item> items;
  if (!scanItems(module, items))
    return {};
  Aliases aliases;
  std::string found, helper;
  for (const Item &item : items) {
    std::string_view own = module.substr(item.begin, item.end - item.begin);
    if (item.kind == ItemKind::alias) {
      size_t equals = own.find('=');
      if (equals == std::string_view::npos)
        continue;
      // Aliases stand behind those that they name.
      aliases[aliasAt(own, 0)] =
          withoutAliases(withoutComments(own.substr(equals + 2)), aliases);
    }
    if (item.kind != ItemKind::function)
      continue;
    size_t at = own.find('@');
    if (at == std::string_view::npos)
      continue;
    std::string symbol = aliasAt(own, at).substr(1);
    size_t column = own.find_first_not_of(' ');
    if (symbol == name)
      found = dedented(own, column);
    else if (symbol.starts_with("dealloc_helper"))
      helper = dedented(own, column);
  }
  if (found.find("@dealloc_helper") != std::string::npos && !helper.empty())
    found += "\n" + helper;
  return withoutAliases(found, aliases);
}

std::string indented(std::string_view text, size_t columns) {
  std::string made;
  for (char c : text) {
    made += c;
    if (c == '\n')
      made.append(columns, ' ');
  }
  return made;
}

} // namespace memreflens::lsp
