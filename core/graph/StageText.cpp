//===- core/graph/StageText.cpp - blocks and regions of a printed stage ---===//
//
// Recursive descent over lines. Text in quotes is skipped, so that a brace or
// caret in a string means nothing.
//
//===----------------------------------------------------------------------===//

#include "core/graph/StageText.h"

#include "core/trace/Symbol.h"

#include <algorithm>

namespace memreflens::graph {

using namespace trace;

namespace {

std::string_view trimmed(std::string_view line) {
  while (!line.empty() && (line.front() == ' ' || line.front() == '\t'))
    line.remove_prefix(1);
  while (!line.empty() && (line.back() == ' ' || line.back() == '\r'))
    line.remove_suffix(1);
  return line;
}

/// Calls `visit(position)` for each character outside of quotes.
template <class Visit> void outsideQuotes(std::string_view line, Visit visit) {
  bool quoted = false;
  for (size_t i = 0; i < line.size(); ++i) {
    if (quoted && line[i] == '\\') {
      ++i;
      continue;
    }
    if (line[i] == '"')
      quoted = !quoted;
    else if (!quoted)
      visit(i);
  }
}

bool opensRegion(std::string_view line) {
  size_t last = std::string_view::npos;
  outsideQuotes(line, [&](size_t i) { last = i; });
  return last + 1 == line.size() && !line.empty() && line.back() == '{';
}

bool isNameCharacter(char c) {
  return isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '$' ||
         c == '.' || c == '-';
}

std::vector<std::string> labelsIn(std::string_view line) {
  std::vector<std::string> labels;
  outsideQuotes(line, [&](size_t i) {
    if (line[i] != '^')
      return;
    size_t end = i + 1;
    while (end < line.size() && isNameCharacter(line[end]))
      ++end;
    labels.push_back(std::string(line.substr(i, end - i)));
  });
  return labels;
}

/// The symbol that a function-like op's head defines, quotes and escapes kept.
std::string_view symbolIn(std::string_view head) {
  size_t at = head.find('@');
  if (at == std::string_view::npos)
    return {};
  size_t end = at + 1;
  if (end < head.size() && head[end] == '"') {
    for (++end; end < head.size() && head[end] != '"'; ++end)
      if (head[end] == '\\')
        ++end;
    return head.substr(at + 2, std::min(end, head.size()) - at - 2);
  }
  while (end < head.size() && isNameCharacter(head[end]))
    ++end;
  return head.substr(at + 1, end - at - 1);
}

class StageParser {
public:
  StageParser(const std::vector<std::string_view> &lines) : lines(lines) {}

  /// Blocks up to the line that closes the region; `at` is left on that line.
  StageRegion region(size_t &at, std::string word) {
    StageRegion parsed;
    parsed.word = std::move(word);
    parsed.blocks.emplace_back();
    bool isFirst = true;
    for (; at < lines.size(); ++at) {
      std::string_view line = trimmed(lines[at]);
      if (line.starts_with("}"))
        break;
      if (line.empty() || line.starts_with("//"))
        continue;
      if (line.starts_with("^")) {
        if (!isFirst)
          parsed.blocks.emplace_back();
        readLabel(parsed.blocks.back(), line);
        isFirst = false;
        continue;
      }
      isFirst = false;
      addItem(parsed.blocks.back(), at, line);
    }
    for (StageBlock &block : parsed.blocks)
      if (!block.items.empty() && block.items.back().regions.empty())
        block.successors = labelsIn(block.items.back().text);
    return parsed;
  }

private:
  static void readLabel(StageBlock &block, std::string_view line) {
    block.label = labelsIn(line).front();
    size_t open = line.find('('), close = line.rfind("):");
    if (open == block.label.size() && close != std::string_view::npos)
      block.arguments = std::string(line.substr(open + 1, close - open - 1));
  }

  static bool isCase(std::string_view line) {
    return line == "default {" ||
           (line.starts_with("case ") && line.ends_with("{"));
  }

  void addItem(StageBlock &block, size_t &at, std::string_view line) {
    bool continues = isCase(line) && !block.items.empty();
    if (!continues) {
      block.items.emplace_back();
      block.items.back().line = at;
      block.items.back().text = std::string(
          opensRegion(line) ? trimmed(line.substr(0, line.size() - 1)) : line);
    }
    if (!opensRegion(line))
      return;
    std::string word =
        continues ? std::string(trimmed(line.substr(0, line.size() - 1))) : "";
    StageItem item = std::move(block.items.back());
    ++at;
    item.regions.push_back(region(at, word));
    while (at < lines.size() && opensRegion(trimmed(lines[at]))) {
      std::string_view next = trimmed(lines[at]);
      word = std::string(trimmed(next.substr(1, next.size() - 2)));
      ++at;
      item.regions.push_back(region(at, word));
    }
    block.items.back() = std::move(item);
  }

  const std::vector<std::string_view> &lines;
};

std::vector<std::string_view> linesOf(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

size_t indentOf(std::string_view line) {
  size_t indent = line.find_first_not_of(' ');
  return indent == std::string_view::npos ? 0 : indent;
}

} // namespace

/// The function whose head is the line at `first`.
static StageFunction readFunction(const std::vector<std::string_view> &lines,
                                  size_t first) {
  StageFunction found;
  std::string_view line = trimmed(lines[first]);
  found.found = true;
  found.head = std::string(
      opensRegion(line) ? trimmed(line.substr(0, line.size() - 1)) : line);
  size_t indent = indentOf(lines[first]), end = first + 1;
  if (opensRegion(line)) {
    while (end < lines.size() && indentOf(lines[end]) > indent)
      ++end;
    // A label stands two columns left of its ops, as far in as the braces.
    while (end < lines.size() && !trimmed(lines[end]).starts_with("}"))
      for (++end; end < lines.size() && indentOf(lines[end]) > indent;)
        ++end;
    end = std::min(end + 1, lines.size());
  }
  for (size_t k = first; k < end; ++k)
    found.lines.push_back(
        lines[k].substr(std::min(indent, indentOf(lines[k]))));
  size_t at = 1;
  if (opensRegion(line))
    found.body = StageParser(found.lines).region(at, "");
  return found;
}

//===--- All functions of a trace -----------------------------------------===//

StageFunctions::StageFunctions(const Trace &trace) : texts(trace) {
  std::map<std::pair<Id, std::string_view>, size_t> counts;
  for (const Function &function : trace.functions)
    repeats.push_back(counts[{function.chunk, function.name}]++);
}

const StageFunctions::Text &StageFunctions::read(std::string_view text) {
  auto [at, isNew] = known.try_emplace(text.data());
  Text &made = at->second;
  if (!isNew)
    return made;
  made.lines = linesOf(text);
  for (size_t i = 0; i < made.lines.size(); ++i)
    if (std::string_view symbol = symbolIn(made.lines[i]); !symbol.empty())
      made.bySymbol[symbol].push_back(i);
  return made;
}

StageFunction StageFunctions::find(Id id, int stage) {
  const Function &function = texts.getTrace().functions[size_t(id)];
  std::optional<std::string_view> whole = texts.get(function.chunk, stage);
  if (!whole)
    return {};
  const Text &text = read(*whole);
  auto at = text.bySymbol.find(
      trace::escapedSymbol(function.name, /*isReadable=*/false));
  if (at == text.bySymbol.end())
    return {};
  size_t before = repeats[size_t(id)];
  for (size_t line : at->second)
    if (trimmed(text.lines[line]).starts_with(function.opName + " ") &&
        before-- == 0)
      return readFunction(text.lines, line);
  return {};
}

StageFunction stageFunction(const Trace &trace, Id id, int stage) {
  auto owner = std::make_shared<StageFunctions>(trace);
  StageFunction found = owner->find(id, stage);
  found.owner = std::move(owner);
  return found;
}

} // namespace memreflens::graph
