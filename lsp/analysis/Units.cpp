//===- lsp/analysis/Units.cpp ---------------------------------------------===//

#include "lsp/analysis/Units.h"
#include "lsp/analysis/ItemScanner.h"

#include "core/source/Chunks.h"

#include <algorithm>
#include <set>

namespace memreflens::lsp {

static uint64_t mix(uint64_t hash, std::string_view text) {
  // Eight bytes a step; a file of 4 MB is hashed with every edit.
  constexpr uint64_t prime = 0x9E3779B97F4A7C15ull;
  auto step = [&](uint64_t word) {
    hash = (hash ^ word) * prime;
    hash ^= hash >> 29;
  };
  step(text.size());
  for (; text.size() >= 8; text.remove_prefix(8)) {
    uint64_t word;
    std::copy_n(text.data(), 8, reinterpret_cast<char *>(&word));
    step(word);
  }
  uint64_t rest = 0;
  for (char c : text)
    rest = rest << 8 | (unsigned char)c;
  step(rest);
  return hash;
}

static bool isSymbolCharacter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         (c >= '0' && c <= '9') || c == '_' || c == '$' || c == '.' || c == '-';
}

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

static std::vector<std::string> referencesIn(std::string_view text) {
  std::set<std::string> found;
  for (size_t at = text.find('@'); at != std::string_view::npos;
       at = text.find('@', at + 1))
    if (std::string_view symbol = symbolAt(text.substr(at)); symbol.size() > 1)
      found.insert(std::string(symbol));
  return {found.begin(), found.end()};
}

static std::string symbolOf(std::string_view item) {
  size_t at = item.find('@');
  return at == std::string_view::npos ? std::string()
                                      : std::string(symbolAt(item.substr(at)));
}

static int digitOf(char c) {
  return c >= '0' && c <= '9'   ? c - '0'
         : c >= 'a' && c <= 'f' ? c - 'a' + 10
         : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                : -1;
}

std::string bareName(const Unit &unit) {
  std::string_view text = unit.name;
  if (!text.starts_with("@\""))
    return std::string(text.substr(text.empty() ? 0 : 1));
  text.remove_prefix(2);
  if (text.ends_with('"'))
    text.remove_suffix(1);
  std::string name;
  for (size_t at = 0; at < text.size(); ++at) {
    std::string_view rest = text.substr(at + 1);
    bool isHex =
        rest.size() > 1 && digitOf(rest[0]) >= 0 && digitOf(rest[1]) >= 0;
    if (text[at] != '\\' || rest.empty()) {
      name += text[at];
    } else if (isHex) {
      name += char(digitOf(rest[0]) * 16 + digitOf(rest[1]));
      at += 2;
    } else {
      name += rest[0] == 'n' ? '\n' : rest[0] == 't' ? '\t' : rest[0];
      ++at;
    }
  }
  return name;
}

/// The function without its body: `func.func private @f(...) -> ...`.
static std::string declarationOf(std::string_view text, const Item &item) {
  size_t at = text.find('@', item.begin);
  if (at == std::string_view::npos || at >= item.end)
    return {};
  size_t end = item.body ? item.body : item.end;
  return "func.func private " + withoutComments(text.substr(at, end - at));
}

static std::shared_ptr<Environment>
environmentOf(std::string_view text, const std::vector<Item> &items) {
  auto made = std::make_shared<Environment>();
  for (const Item &item : items) {
    std::string_view own = text.substr(item.begin, item.end - item.begin);
    switch (item.kind) {
    case ItemKind::alias:
      made->aliases += withoutComments(own) + " ";
      break;
    case ItemKind::moduleHead:
      made->moduleHead = withoutComments(own) + " ";
      break;
    case ItemKind::moduleTail:
      made->moduleTail = withoutComments(own);
      break;
    case ItemKind::symbol:
      made->symbols[symbolOf(own)] = withoutComments(own);
      break;
    case ItemKind::function:
      made->symbols[symbolOf(own)] = declarationOf(text, item);
      break;
    case ItemKind::other:
      break;
    }
  }
  return made;
}

static uint64_t keyOf(std::string_view text, const Unit &unit, uint64_t seed) {
  uint64_t hash = mix(seed, text.substr(unit.begin, unit.end - unit.begin));
  const Environment &around = *unit.environment;
  hash = mix(hash, around.aliases);
  hash = mix(hash, around.moduleHead);
  for (const std::string &name : unit.references)
    if (auto at = around.symbols.find(name);
        at != around.symbols.end() && name != unit.name)
      hash = mix(hash, at->second);
  return hash;
}

/// Whether the aliases have a line of their own to go to.
static bool fitsAbove(const Environment &around, const Unit &first) {
  return first.line > 0 ||
         (around.aliases.empty() && around.moduleHead.empty());
}

static void addChunk(std::string_view text, trace::Range range, int number,
                     const UnitOptions &options, std::vector<Unit> &units) {
  std::string_view chunk = text.substr(range.begin, range.end - range.begin);
  std::vector<Item> items;
  bool canSplit = !options.wholeChunks && scanItems(chunk, items);
  size_t first = units.size();
  if (canSplit) {
    std::shared_ptr<const Environment> around = environmentOf(chunk, items);
    for (const Item &item : items) {
      if (item.kind != ItemKind::function)
        continue;
      Unit unit;
      unit.begin = range.begin + item.begin;
      unit.end = range.begin + item.end;
      unit.chunk = number;
      std::string_view own = chunk.substr(item.begin, item.end - item.begin);
      unit.name = symbolOf(own);
      unit.references = referencesIn(own);
      unit.environment = around;
      units.push_back(std::move(unit));
    }
  }
  if (first == units.size() && range.begin < range.end) {
    Unit unit;
    unit.begin = range.begin;
    unit.end = range.end;
    unit.chunk = number;
    unit.isChunk = true;
    unit.environment = std::make_shared<Environment>();
    units.push_back(std::move(unit));
  }
}

std::vector<Unit> splitUnits(std::string_view text,
                             const UnitOptions &options) {
  std::vector<Unit> units;
  int number = 0;
  for (trace::Range range : splitChunks(text)) {
    size_t first = units.size();
    addChunk(text, range, number++, options, units);
    if (first == units.size())
      continue;
    Unit &unit = units[first];
    unit.line = size_t(
        std::count(text.begin(), text.begin() + ptrdiff_t(unit.begin), '\n'));
    if (!unit.isChunk && !fitsAbove(*unit.environment, unit)) {
      units.resize(first);
      UnitOptions whole = options;
      whole.wholeChunks = true;
      addChunk(text, range, number - 1, whole, units);
    }
  }
  size_t line = 0, at = 0;
  std::map<uint64_t, uint64_t> seen;
  for (Unit &unit : units) {
    line += size_t(std::count(text.begin() + ptrdiff_t(at),
                              text.begin() + ptrdiff_t(unit.begin), '\n'));
    at = unit.begin;
    unit.line = line;
    uint64_t key = keyOf(text, unit, options.seed + unit.isChunk);
    // Twins are told apart: each has a place of its own.
    unit.key = key + seen[key]++;
  }
  return units;
}

std::string textOfUnits(std::string_view text,
                        const std::vector<const Unit *> &units) {
  std::string made;
  if (units.empty())
    return made;
  const Environment &around = *units.front()->environment;
  made += around.aliases + around.moduleHead;
  size_t line = 0;
  std::set<std::string> defined, wanted;
  for (const Unit *unit : units) {
    // The first bytes of a unit that starts no line stand at their column.
    made.append(unit->line - line, '\n');
    std::string_view own = text.substr(unit->begin, unit->end - unit->begin);
    made += own;
    line = unit->line + size_t(std::count(own.begin(), own.end(), '\n'));
    defined.insert(unit->name);
    wanted.insert(unit->references.begin(), unit->references.end());
  }
  made += "\n";
  for (const std::string &name : wanted)
    if (auto at = around.symbols.find(name);
        at != around.symbols.end() && !defined.contains(name))
      made += at->second + "\n";
  made += around.moduleTail;
  return made;
}

} // namespace memreflens::lsp
