//===- core/graph/LineText.cpp - an operation on one line -----------------===//
//
// Works on the source's bytes; a broken sequence becomes U+FFFD.
//
//===----------------------------------------------------------------------===//

#include "core/graph/LineText.h"
#include "core/text/Comments.h"
#include "core/text/Escape.h"

#include "core/trace/Text.h"

#include <algorithm>
#include <cctype>

namespace memreflens::graph {

using namespace trace;

namespace {

bool isContinuation(char c) {
  return (static_cast<unsigned char>(c) >> 6) == 2;
}

std::string_view firstCharacters(std::string_view text, size_t count) {
  size_t at = 0;
  for (; at < text.size(); ++at)
    if (!isContinuation(text[at]) && count-- == 0)
      break;
  return text.substr(0, at);
}

/// Runs of blanks and line breaks as one blank, comments dropped.
std::string onOneLine(std::string_view text) {
  std::string line;
  bool inString = false;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (c == '"' && (i == 0 || text[i - 1] != '\\'))
      inString = !inString;
    if (!inString && text.substr(i).starts_with("//")) {
      i = endOfComment(text, i);
      c = ' ';
    }
    bool blank = c == ' ' || c == '\t' || c == '\n' || c == '\r';
    if (!blank)
      line += c;
    else if (!line.empty() && line.back() != ' ')
      line += ' ';
  }
  while (!line.empty() && line.back() == ' ')
    line.pop_back();
  return line;
}

/// First byte of an op and of the names of its results.
uint32_t beginOf(const Trace &trace, const Op &op) {
  uint32_t begin = op.range.begin;
  for (Id result : op.results)
    if (result != none && !trace.values[size_t(result)].range.empty())
      begin = std::min(begin, trace.values[size_t(result)].range.begin);
  return begin;
}

/// Whether the text begins with the word: "scf.for" is no beginning of
/// "scf.forall".
bool beginsWith(std::string_view text, std::string_view word) {
  auto isOfName = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_' ||
           c == '.' || c == '$' || c == '-';
  };
  return text.starts_with(word) &&
         (text.size() == word.size() || !isOfName(text[word.size()]));
}

/// The op as the user wrote it; empty where a pass made it, and it has the
/// place of another op, whose text would be a wrong one. An op of the dialect
/// that a region takes for granted is written without it.
std::string_view writtenText(const Trace &trace, const Op &op) {
  if (op.range.empty() || op.range.end > trace.source.text.size())
    return {};
  const std::string_view text =
      std::string_view(trace.source.text)
          .substr(op.range.begin, op.range.end - op.range.begin);
  const std::string_view name = op.name;
  const std::string_view quoted = text.substr(text.starts_with('"') ? 1 : 0);
  return beginsWith(quoted, name) ||
                 beginsWith(text, name.substr(name.find('.') + 1))
             ? text
             : std::string_view();
}

/// Where an op's regions begin: at the last `{` before the first op in any of
/// them. Of a switch, the first region is printed last.
size_t beginOfRegions(const Trace &trace, const Op &op, std::string_view text) {
  uint32_t first = op.range.begin + uint32_t(text.size());
  for (const auto &region : op.regions)
    for (Id block : region)
      for (Id inner : trace.blocks[size_t(block)].ops) {
        uint32_t begin = beginOf(trace, trace.ops[size_t(inner)]);
        if (begin > op.range.begin)
          first = std::min(first, begin);
      }
  size_t end = first - op.range.begin;
  if (end == text.size())
    return end;
  return std::min(text.rfind('{', end), text.size());
}

std::string withoutText(const Trace &trace, const Op &op) {
  std::string line = opText(trace, op.id);
  const char *separator = " ";
  for (Id operand : op.operands) {
    line += separator + valueText(trace, operand);
    separator = ", ";
  }
  return line;
}

/// The user's own results, which stand before the op's range.
std::string resultsText(const Trace &trace, const Op &op) {
  std::string text;
  for (Id result : op.results)
    if (result != none && !trace.values[size_t(result)].generated)
      text += (text.empty() ? "" : ", ") + valueText(trace, result);
  return text.empty() ? "" : text + " = ";
}

/// Replaces the contents of the longest `<...>` groups until it fits.
std::string withoutLongTypes(std::string text, size_t limit) {
  while (textWidth(text) > limit) {
    size_t best = 0, bestLength = 8, open = 0;
    int depth = 0;
    for (size_t i = 0; i < text.size(); ++i) {
      if (text[i] == '<' && depth++ == 0)
        open = i;
      bool arrow = i > 0 && text[i - 1] == '-';
      if (text[i] != '>' || arrow || depth == 0 || --depth > 0)
        continue;
      if (i - open > bestLength) {
        best = open;
        bestLength = i - open;
      }
    }
    if (best == 0)
      return text;
    text.replace(best + 1, bestLength - 1, "…");
  }
  return text;
}

} // namespace

std::string shortened(std::string_view text, size_t limit) {
  if (textWidth(text) <= limit)
    return std::string(text);
  std::string cut = withoutLongTypes(std::string(text), limit);
  if (textWidth(cut) <= limit)
    return cut;
  return std::string(firstCharacters(cut, limit - 1)) + "…";
}

Line lineOf(const Trace &trace, const Op &op, size_t limit) {
  Line line;
  line.op = op.id;
  std::string whole;
  std::string_view text = writtenText(trace, op);
  if (text.empty()) {
    whole = withoutText(trace, op);
  } else {
    text = text.substr(0, beginOfRegions(trace, op, text));
    std::string head = onOneLine(text);
    if (op.name == "scf.index_switch")
      head =
          head.substr(0, std::min(head.find(" case "), head.find(" default")));
    whole = resultsText(trace, op) + head;
  }
  whole = visibleText(whole);
  line.text = shortened(whole, limit);
  if (line.text != whole)
    line.tooltip = whole;
  return line;
}

bool hasWrittenRegions(const Trace &trace, const Op &op) {
  const std::string_view text = writtenText(trace, op);
  if (op.regions.empty() || text.empty())
    return !op.regions.empty();
  return beginOfRegions(trace, op, text) < text.size();
}

std::string regionWord(const Trace &trace, const Op &op, size_t region) {
  if (op.name == "scf.if")
    return region == 0 ? "then" : "else";
  if (op.name == "scf.while")
    return region == 0 ? "before" : "do";
  if (op.name == "sample.region_if" && op.regions.size() == 3)
    return region == 0 ? "then" : region == 1 ? "else" : "join";
  if (op.regions.size() == 1)
    return op.name == "scf.execute_region" ? "" : "body";
  std::string number = "region " + std::to_string(region);
  if (op.name != "scf.index_switch" || writtenText(trace, op).empty())
    return number;
  // Region 0 is `default`, which is printed last; the cases follow in order.
  if (region == 0)
    return "default";
  std::string_view text(trace.source.text);
  for (Id block : op.regions[region])
    for (Id inner : trace.blocks[size_t(block)].ops) {
      size_t begin = trace.ops[size_t(inner)].range.begin;
      size_t at = text.rfind("case ", begin);
      if (at == std::string_view::npos || at < op.range.begin)
        return number;
      size_t end = text.find_first_of(" {", at + 5);
      return "case " + visibleText(text.substr(at + 5, end - at - 5));
    }
  return number;
}

} // namespace memreflens::graph
