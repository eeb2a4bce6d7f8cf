//===- core/graph/StageText.cpp - blocks and regions of a printed stage ---===//
//
// Recursive descent over lines. Text in quotes is skipped, so that a brace or
// caret in a string means nothing.
//
//===----------------------------------------------------------------------===//

#include "core/graph/StageText.h"

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

/// As MLIR prints a symbol that needs quotes.
std::string escaped(std::string_view name) {
  static constexpr char digits[] = "0123456789ABCDEF";
  std::string out;
  for (char c : name) {
    auto byte = static_cast<unsigned char>(c);
    if (c == '\\')
      out += "\\\\";
    else if (byte >= 0x20 && byte < 0x7f && c != '"')
      out += c;
    else
      out += {'\\', digits[byte >> 4], digits[byte & 15]};
  }
  return out;
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

/// How many functions of that name the chunk has before this one.
size_t repeatsBefore(const Trace &trace, const Function &function) {
  size_t count = 0;
  for (const Function &other : trace.functions) {
    if (other.id == function.id)
      return count;
    count += other.chunk == function.chunk && other.name == function.name;
  }
  return count;
}

size_t indentOf(std::string_view line) {
  size_t indent = line.find_first_not_of(' ');
  return indent == std::string_view::npos ? 0 : indent;
}

} // namespace

StageFunction stageFunction(const Trace &trace, Id id, int stage) {
  auto texts = std::make_shared<trace::StageTexts>(trace);
  StageFunction found = stageFunction(*texts, id, stage);
  found.texts = std::move(texts);
  return found;
}

StageFunction stageFunction(trace::StageTexts &texts, Id id, int stage) {
  StageFunction found;
  const Trace &trace = texts.getTrace();
  const Function &function = trace.functions[size_t(id)];
  std::optional<std::string_view> text = texts.get(function.chunk, stage);
  if (!text)
    return found;
  std::vector<std::string_view> lines = linesOf(*text);
  size_t repeats = repeatsBefore(trace, function);
  std::string wanted = escaped(function.name);
  for (size_t i = 0; i < lines.size(); ++i) {
    std::string_view line = trimmed(lines[i]);
    bool isHead =
        line.starts_with(function.opName + " ") && symbolIn(line) == wanted;
    if (!isHead || repeats-- > 0)
      continue;
    found.found = true;
    found.head = std::string(
        opensRegion(line) ? trimmed(line.substr(0, line.size() - 1)) : line);
    size_t indent = indentOf(lines[i]), end = i + 1;
    if (opensRegion(line)) {
      while (end < lines.size() && indentOf(lines[end]) > indent)
        ++end;
      // A label stands two columns left of its ops, as far in as the braces.
      while (end < lines.size() && !trimmed(lines[end]).starts_with("}"))
        for (++end; end < lines.size() && indentOf(lines[end]) > indent;)
          ++end;
      end = std::min(end + 1, lines.size());
    }
    for (size_t k = i; k < end; ++k)
      found.lines.push_back(
          lines[k].substr(std::min(indent, indentOf(lines[k]))));
    size_t at = 1;
    if (opensRegion(line))
      found.body = StageParser(found.lines).region(at, "");
    return found;
  }
  return found;
}

} // namespace memreflens::graph
