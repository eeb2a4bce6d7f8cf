//===- lsp/analysis/Units.cpp ---------------------------------------------===//

#include "lsp/analysis/Units.h"
#include "core/text/ItemScanner.h"

#include "core/source/Chunks.h"

#include <algorithm>
#include <set>
#include <unordered_map>

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

std::vector<size_t> bodiesOf(const std::vector<Unit> &units, size_t unit,
                             const UnitsByName &unitOfName) {
  std::vector<size_t> bodies = {unit}, waiting = {unit};
  std::set<size_t> seen = {unit};
  while (!waiting.empty()) {
    const Unit &at = units[waiting.back()];
    waiting.pop_back();
    for (const std::string &name : at.references)
      if (auto found = unitOfName.find({at.chunk, name});
          found != unitOfName.end() && seen.insert(found->second).second) {
        bodies.push_back(found->second);
        waiting.push_back(found->second);
      }
  }
  std::sort(bodies.begin(), bodies.end());
  return bodies;
}

const Unit *unitNamed(const std::vector<Unit> &units, const std::string &name) {
  const Unit *chunk = nullptr;
  for (const Unit &unit : units) {
    if (!unit.isChunk && bareName(unit) == name)
      return &unit;
    if (unit.isChunk && !chunk)
      chunk = &unit;
  }
  return chunk;
}

/// The function without its body: `func.func private @f(...) -> ...`.
static std::string declarationOf(std::string_view text, const Item &item) {
  size_t at = text.find('@', item.begin);
  if (at == std::string_view::npos || at >= item.end)
    return {};
  size_t end = item.body ? item.body : item.end;
  return "func.func private " + withoutComments(text.substr(at, end - at));
}

//===--- What functions share ---------------------------------------------===//

/// Numbers of a chunk's aliases by name, with its `#` or `!`.
using AliasNumbers = std::unordered_map<std::string_view, size_t>;

/// Numbers of the aliases that a text names, each once.
static std::vector<size_t> aliasesIn(std::string_view text,
                                     const AliasNumbers &numbers) {
  std::vector<size_t> found;
  if (numbers.empty())
    return found;
  for (size_t at = text.find_first_of("#!"); at != std::string_view::npos;
       at = text.find_first_of("#!", at + 1)) {
    size_t end = at + 1;
    while (end < text.size() && isSymbolCharacter(text[end]))
      ++end;
    if (auto named = numbers.find(text.substr(at, end - at));
        named != numbers.end())
      found.push_back(named->second);
  }
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

static std::string_view aliasName(std::string_view item) {
  size_t at = std::min(item.find_first_of("#!"), item.size());
  size_t end = at;
  while (end < item.size() && (end == at || isSymbolCharacter(item[end])))
    ++end;
  return item.substr(at, end - at);
}

static std::shared_ptr<Environment>
environmentOf(std::string_view text, const std::vector<Item> &items,
              AliasNumbers &numbers) {
  auto made = std::make_shared<Environment>();
  for (const Item &item : items) {
    std::string_view own = text.substr(item.begin, item.end - item.begin);
    if (item.kind != ItemKind::alias)
      continue;
    numbers[aliasName(own)] = made->aliases.size();
    made->aliases.push_back({withoutComments(own) + " ", {}});
  }
  for (Environment::Entry &alias : made->aliases)
    alias.aliases = aliasesIn(alias.text, numbers);
  auto entry = [&](std::string own) {
    std::vector<size_t> aliases = aliasesIn(own, numbers);
    return Environment::Entry{std::move(own), std::move(aliases)};
  };
  for (const Item &item : items) {
    std::string_view own = text.substr(item.begin, item.end - item.begin);
    switch (item.kind) {
    case ItemKind::moduleHead:
      made->moduleHead = entry(withoutComments(own) + " ");
      break;
    case ItemKind::moduleTail:
      made->moduleTail = entry(withoutComments(own));
      break;
    case ItemKind::symbol:
      made->symbols[symbolOf(own)] = entry(withoutComments(own));
      break;
    case ItemKind::function:
      made->symbols[symbolOf(own)] = entry(declarationOf(text, item));
      break;
    case ItemKind::alias:
    case ItemKind::other:
      break;
    }
  }
  return made;
}

/// Those of a function, and all that these are written with, in order.
static std::vector<size_t> aliasesOf(std::string_view own, const Unit &unit,
                                     const AliasNumbers &numbers) {
  const Environment &around = *unit.environment;
  std::vector<size_t> waiting = aliasesIn(own, numbers);
  auto add = [&](const Environment::Entry &entry) {
    waiting.insert(waiting.end(), entry.aliases.begin(), entry.aliases.end());
  };
  if (!around.aliases.empty()) {
    add(around.moduleHead);
    add(around.moduleTail);
    for (const std::string &name : unit.references)
      if (auto at = around.symbols.find(name); at != around.symbols.end())
        add(at->second);
  }
  std::set<size_t> found;
  while (!waiting.empty()) {
    size_t alias = waiting.back();
    waiting.pop_back();
    if (found.insert(alias).second)
      add(around.aliases[alias]);
  }
  return {found.begin(), found.end()};
}

static uint64_t keyOf(std::string_view text, const Unit &unit, uint64_t seed) {
  uint64_t hash = mix(seed, text.substr(unit.begin, unit.end - unit.begin));
  const Environment &around = *unit.environment;
  for (size_t alias : unit.aliases)
    hash = mix(hash, around.aliases[alias].text);
  hash = mix(hash, around.moduleHead.text);
  hash = mix(hash, around.moduleTail.text);
  for (const std::string &name : unit.references)
    if (auto at = around.symbols.find(name);
        at != around.symbols.end() && name != unit.name)
      hash = mix(hash, at->second.text);
  return hash;
}

/// Whether the aliases have a line of their own to go to.
static bool fitsAbove(const Environment &around, const Unit &first) {
  return first.line > 0 ||
         (around.aliases.empty() && around.moduleHead.text.empty());
}

static void addChunk(std::string_view text, trace::Range range, int number,
                     const UnitOptions &options, std::vector<Unit> &units) {
  std::string_view chunk = text.substr(range.begin, range.end - range.begin);
  std::vector<Item> items;
  bool canSplit = !options.wholeChunks && scanItems(chunk, items);
  size_t first = units.size();
  if (canSplit) {
    AliasNumbers numbers;
    std::shared_ptr<const Environment> around =
        environmentOf(chunk, items, numbers);
    for (const Item &item : items) {
      if (item.kind != ItemKind::function)
        continue;
      Unit unit;
      unit.begin = range.begin + item.begin;
      unit.end = range.begin + item.end;
      unit.chunk = number;
      std::string_view own = chunk.substr(item.begin, item.end - item.begin);
      unit.name = symbolOf(own);
      unit.references = symbolsIn(own);
      unit.environment = around;
      unit.aliases = aliasesOf(own, unit, numbers);
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

std::string headOfUnits(const std::vector<const Unit *> &units) {
  const Environment &around = *units.front()->environment;
  std::set<size_t> aliases;
  for (const Unit *unit : units)
    aliases.insert(unit->aliases.begin(), unit->aliases.end());
  std::string made;
  for (size_t alias : aliases)
    made += around.aliases[alias].text;
  return made + around.moduleHead.text;
}

std::string textOfUnits(std::string_view text,
                        const std::vector<const Unit *> &units) {
  if (units.empty())
    return {};
  std::string made = headOfUnits(units);
  const Environment &around = *units.front()->environment;
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
      made += at->second.text + "\n";
  made += around.moduleTail.text;
  return made;
}

} // namespace memreflens::lsp
