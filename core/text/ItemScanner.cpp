//===- core/text/ItemScanner.cpp ------------------------------------------===//

#include "core/text/ItemScanner.h"
#include "core/text/Comments.h"

#include <algorithm>
#include <set>

namespace memreflens {

namespace {

bool isWordCharacter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         (c >= '0' && c <= '9') || c == '_' || c == '.' || c == '$';
}

std::string_view wordAt(std::string_view text) {
  size_t end = 0;
  while (end < text.size() && isWordCharacter(text[end]))
    ++end;
  return text.substr(0, end);
}

class Scanner {
public:
  Scanner(std::string_view text, std::vector<Item> &items)
      : text(text), items(items) {}

  bool run() {
    for (size_t at = 0; at < text.size() && splits;) {
      size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
      startLine(at, end);
      scanLine(at, end);
      at = end;
    }
    close(text.size());
    return splits;
  }

private:
  /// What begins here, if this line begins an item.
  bool beginsItem(std::string_view rest, ItemKind &kind) const {
    char first = rest[0];
    std::string_view word = wordAt(rest);
    if (word == "func.func")
      kind = ItemKind::function;
    else if (first == '#' || first == '!')
      kind = ItemKind::alias;
    else if (word == "module" || word == "builtin.module")
      kind = ItemKind::moduleHead;
    else if (first == '}' && base == 1 && depth == 1)
      kind = ItemKind::moduleTail;
    else if (word.find('.') != std::string_view::npos)
      kind = ItemKind::symbol;
    else if (first == '"' || first == '%' || first == '^' || first == '{')
      kind = ItemKind::other;
    else
      return false;
    return true;
  }

  void startLine(size_t at, size_t end) {
    size_t first = at;
    while (first < end && (text[first] == ' ' || text[first] == '\t'))
      ++first;
    if (first == end || text[first] == '\n' || text[first] == '\r')
      return;
    std::string_view rest = text.substr(first, end - first);
    if (rest.starts_with("//"))
      return;
    bool isResync = depth > base && wordAt(rest) == "func.func" && open &&
                    items.back().kind == ItemKind::function &&
                    first - at <= indentation;
    if (isResync) {
      depth = base;
      inString = false;
    }
    ItemKind kind;
    if (depth != base || !beginsItem(rest, kind))
      return;
    // `{` and `}` at this level go on with an op, or make no sense.
    if (kind == ItemKind::other && open && rest[0] == '{')
      return;
    close(at);
    if (kind == ItemKind::other ||
        (kind == ItemKind::moduleHead && (base == 1 || sawOther))) {
      splits = false;
      return;
    }
    if (kind != ItemKind::alias)
      sawOther = true;
    indentation = first - at;
    items.push_back({kind, at, at, 0});
    open = true;
    if (kind == ItemKind::moduleHead)
      startModule(end);
    // Aliases of locations may follow the module.
    if (kind == ItemKind::moduleTail)
      base = 0;
  }

  /// A module whose body begins on its first line, as is printed.
  void startModule(size_t end) {
    size_t last = end;
    while (last > items.back().begin &&
           (text[last - 1] == '\n' || text[last - 1] == '\r' ||
            text[last - 1] == ' '))
      --last;
    if (last == 0 || text[last - 1] != '{') {
      splits = false;
      return;
    }
    isModuleLine = true;
  }

  void scanLine(size_t at, size_t end) {
    for (; at < end; ++at) {
      char c = text[at];
      if (inString) {
        if (c == '\\')
          ++at;
        else if (c == '"' || c == '\n')
          inString = false;
        continue;
      }
      if (c == '"')
        inString = true;
      else if (c == '/' && at + 1 < end && text[at + 1] == '/')
        break;
      else if (c == '(' || c == '[' || c == '{')
        openBracket(c, at);
      else if (c == ')' || c == ']' || c == '}')
        depth = std::max(depth - 1, 0);
    }
    if (!isModuleLine)
      return;
    isModuleLine = false;
    base = 1;
    splits &= depth == 1;
    close(end);
  }

  void openBracket(char c, size_t at) {
    if (c == '{' && depth == base && open) {
      size_t back = at;
      while (back > 0 && (text[back - 1] == ' ' || text[back - 1] == '\n' ||
                          text[back - 1] == '\r'))
        --back;
      bool isDictionary = text.substr(0, back).ends_with("attributes");
      if (!isDictionary && items.back().kind == ItemKind::function &&
          items.back().body == 0)
        items.back().body = at;
      // Another op with a body (gpu.module) may hold functions as well.
      if (!isDictionary && items.back().kind == ItemKind::symbol)
        splits &= isGlobal();
    }
    ++depth;
  }

  bool isGlobal() const {
    size_t at = items.back().begin + indentation;
    return wordAt(text.substr(at)) == "memref.global";
  }

  void close(size_t end) {
    if (!open)
      return;
    items.back().end = end;
    open = false;
  }

  std::string_view text;
  std::vector<Item> &items;
  int depth = 0, base = 0;
  size_t indentation = 0;
  bool inString = false, open = false, splits = true;
  bool sawOther = false, isModuleLine = false;
};

} // namespace

/// A CR without its LF ends a comment, but no line of those above.
static bool hasLoneReturn(std::string_view text) {
  for (size_t at = text.find('\r'); at != std::string_view::npos;
       at = text.find('\r', at + 1))
    if (!text.substr(at + 1).starts_with('\n'))
      return true;
  return false;
}

bool scanItems(std::string_view chunk, std::vector<Item> &items) {
  // Resources stand between marks of their own, which brackets do not show.
  if (chunk.find("{-#") != std::string_view::npos || hasLoneReturn(chunk))
    return false;
  return Scanner(chunk, items).run();
}

bool isSymbolCharacter(char c) { return isWordCharacter(c) || c == '-'; }

/// Symbol at '@' (quoted or bare), and how much text it is.
static std::string_view symbolAt(std::string_view text) {
  size_t end = 1;
  if (text.size() > 1 && text[1] == '"')
    end = std::min(text.find('"', 2), text.size() - 1) + 1;
  else
    while (end < text.size() && isSymbolCharacter(text[end]))
      ++end;
  return text.substr(0, end);
}

std::string symbolOf(std::string_view item) {
  size_t at = item.find('@');
  return at == std::string_view::npos ? std::string()
                                      : std::string(symbolAt(item.substr(at)));
}

std::vector<std::string> symbolsIn(std::string_view text) {
  std::set<std::string> found;
  for (size_t at = text.find('@'); at != std::string_view::npos;
       at = text.find('@', at + 1))
    if (std::string_view symbol = symbolAt(text.substr(at)); symbol.size() > 1)
      found.insert(std::string(symbol));
  return {found.begin(), found.end()};
}

std::string withoutComments(std::string_view text) {
  std::string made;
  bool inString = false;
  for (size_t at = 0; at < text.size(); ++at) {
    char c = text[at];
    // A string that is not closed ends with its line.
    inString = inString && c != '\n' && c != '\r';
    if (inString) {
      made += c;
      if (c == '\\' && at + 1 < text.size() && text[at + 1] != '\n' &&
          text[at + 1] != '\r')
        made += text[++at];
      else if (c == '"')
        inString = false;
      continue;
    }
    if (c == '/' && at + 1 < text.size() && text[at + 1] == '/') {
      at = endOfComment(text, at);
      c = ' ';
    }
    inString = c == '"';
    made += c == '\n' || c == '\r' ? ' ' : c;
  }
  while (!made.empty() && made.back() == ' ')
    made.pop_back();
  return made;
}

} // namespace memreflens
