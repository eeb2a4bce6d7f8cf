//===- core/trace/JoinModules.cpp - printed modules become one ------------===//

#include "core/trace/Join.h"

#include <cctype>
#include <map>

namespace memreflens::trace {

namespace {
/// A printed module: names of attributes in front of it, its first line, each
/// of its ops, its last line.
struct PrintedModule {
  /// `#map = affine_map<...>`
  std::vector<std::string_view> aliases;
  std::string_view head, tail;
  std::vector<std::string_view> ops;
};
} // namespace

/// Whether an op of the module begins with this line: what goes on with one
/// stands deeper, or begins with a bracket or a block's name.
static bool beginsOp(std::string_view line) {
  return line.size() > 2 && line.starts_with("  ") &&
         std::string_view(" })]^").find(line[2]) == std::string_view::npos;
}

static std::optional<PrintedModule> takeApart(std::string_view text) {
  PrintedModule module;
  size_t opBegin = 0;
  for (size_t at = 0; at < text.size();) {
    size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
    std::string_view line = text.substr(at, end - at);
    bool isTail = line.starts_with("}");
    if (module.head.empty() && line.starts_with("#"))
      module.aliases.push_back(line);
    else if (module.head.empty())
      module.head = line;
    else if (isTail || beginsOp(line)) {
      if (opBegin > 0)
        module.ops.push_back(text.substr(opBegin, at - opBegin));
      opBegin = at;
    }
    if (isTail) {
      module.tail = text.substr(at);
      break;
    }
    at = end;
  }
  bool isWhole = module.head.starts_with("module") &&
                 module.head.ends_with("{\n") &&
                 (module.tail == "}\n" || module.tail == "}\n\n");
  return isWhole ? std::optional(std::move(module)) : std::nullopt;
}

static size_t endOfWord(std::string_view text, size_t at) {
  while (at < text.size() &&
         (std::isalnum(static_cast<unsigned char>(text[at])) ||
          text[at] == '_' || text[at] == '$' || text[at] == '.'))
    ++at;
  return at;
}

namespace {
/// Names of attributes, as a whole module has them: MLIR numbers those of one
/// kind in the order in which it comes upon them.
class AliasNames {
public:
  /// False for one whose place depends on others.
  bool add(const std::vector<std::string_view> &aliases);
  /// Lines in front of the module. After this, no more are added.
  std::string lines();
  /// The text of a module with these aliases, under their names in the whole.
  std::string rename(const std::vector<std::string_view> &aliases,
                     std::string_view text) const;

private:
  using Definition = std::pair<std::string, std::string>;
  /// What comes before and behind the number in "#map3 = affine_map<...>".
  static std::optional<Definition> partsOf(std::string_view line);

  /// By kind ("#map"), what each is, in order.
  std::map<std::string, std::vector<std::string>> kinds;
  std::map<Definition, std::string> names;
};
} // namespace

std::optional<AliasNames::Definition>
AliasNames::partsOf(std::string_view line) {
  size_t end = endOfWord(line, 1), digits = end;
  while (digits > 1 &&
         std::isdigit(static_cast<unsigned char>(line[digits - 1])))
    --digits;
  std::string_view value = line.substr(end);
  // One that is made of others is sorted behind them.
  if (!value.starts_with(" = ") || value.find_first_of("#!\"") != value.npos)
    return std::nullopt;
  return Definition{line.substr(0, digits), value};
}

bool AliasNames::add(const std::vector<std::string_view> &aliases) {
  for (std::string_view line : aliases) {
    std::optional<Definition> parts = partsOf(line);
    if (!parts)
      return false;
    if (names.try_emplace(*parts).second)
      kinds[parts->first].push_back(parts->second);
  }
  return true;
}

std::string AliasNames::lines() {
  std::string text;
  for (const auto &[kind, values] : kinds)
    for (size_t i = 0; i < values.size(); ++i) {
      std::string &name = names[{kind, values[i]}];
      name = kind + (i == 0 ? "" : std::to_string(i));
      text += name + values[i];
    }
  return text;
}

std::string AliasNames::rename(const std::vector<std::string_view> &aliases,
                               std::string_view text) const {
  std::map<std::string_view, std::string_view> changed;
  for (std::string_view line : aliases) {
    std::string_view old = line.substr(0, endOfWord(line, 1));
    if (const std::string &now = names.at(*partsOf(line)); now != old)
      changed[old] = now;
  }
  std::string renamed;
  bool inString = false;
  size_t done = 0;
  for (size_t at = 0; at < text.size() && !changed.empty(); ++at) {
    if (inString && text[at] == '\\')
      ++at;
    else if (text[at] == '"')
      inString = !inString;
    else if (!inString && text[at] == '#') {
      size_t end = endOfWord(text, at + 1);
      auto now = changed.find(text.substr(at, end - at));
      if (now == changed.end())
        continue;
      renamed.append(text, done, at - done).append(now->second);
      done = end;
      at = end - 1;
    }
  }
  return renamed.append(text, done);
}

std::optional<std::string>
joinModules(const std::vector<BatchPart> &batches,
            const std::vector<std::string_view> &texts) {
  std::vector<PrintedModule> modules;
  AliasNames aliases;
  for (size_t i = 0; i < batches.size(); ++i) {
    std::optional<PrintedModule> module = takeApart(texts[i]);
    const size_t read = batches[i].opsRead;
    if (!module || module->ops.size() < read || module->ops.size() > read + 1 ||
        !aliases.add(module->aliases) ||
        (i > 0 && (modules.front().head != module->head ||
                   modules.front().tail != module->tail)))
      return std::nullopt;
    modules.push_back(std::move(*module));
  }
  std::string joined = aliases.lines(), added;
  size_t bytes = joined.size();
  for (std::string_view text : texts)
    bytes += text.size();
  joined.reserve(bytes);
  joined += modules.front().head;
  for (size_t i = 0; i < batches.size(); ++i) {
    const std::vector<std::string_view> &ops = modules[i].ops;
    auto textOf = [&](size_t op) {
      return aliases.rename(modules[i].aliases, ops[op]);
    };
    for (size_t op = 0; op < batches[i].opsOwn; ++op)
      joined += textOf(batches[i].opsBefore + op);
    if (ops.size() == batches[i].opsRead)
      continue;
    std::string last = textOf(ops.size() - 1);
    if (!added.empty() && added != last)
      return std::nullopt;
    added = std::move(last);
  }
  return joined.append(added).append(modules.front().tail);
}

} // namespace memreflens::trace
