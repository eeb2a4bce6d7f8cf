//===- core/explain/OpRender.cpp - what an op needs, as lines of text -----===//

#include "core/explain/OpText.h"

namespace memreflens {

using trace::OpCondition;
using trace::OpFacts;

static std::string indented(const std::string &code) {
  std::string text;
  for (size_t at = 0; at < code.size();) {
    size_t end = std::min(code.find('\n', at), code.size());
    text += (end > at ? "    " : "") + code.substr(at, end - at) + "\n";
    at = end + 1;
  }
  return text;
}

static std::string capabilityWords(const trace::OpCapability &entry) {
  if (entry.promised)
    return entry.name + " (promised, and missing)";
  return entry.name + (entry.attached ? " (external model)" : "");
}

static void addCapabilities(const char *title,
                            const std::vector<trace::OpCapability> &all,
                            std::string &text) {
  std::string line;
  for (const trace::OpCapability &entry : all)
    if (entry.has || entry.promised)
      line += (line.empty() ? "" : ", ") + capabilityWords(entry);
  text += std::string(title) + ": " +
          (line.empty() ? "none that matters here" : line) + "\n";
}

static void addLines(const char *title, const std::vector<std::string> &lines,
                     std::string &text) {
  if (lines.empty())
    return;
  text += std::string(title) + "\n";
  for (const std::string &line : lines)
    text += "  " + line + "\n";
}

std::string renderOp(const OpFacts &facts) {
  std::string text = facts.name + ": " + opVerdict(facts) + "\n";
  addCapabilities("interfaces", facts.interfaces, text);
  addCapabilities("traits", facts.traits, text);
  addLines("what the pass does", opActions(facts), text);
  std::vector<std::string> conditions;
  for (const OpCondition &condition : facts.conditions)
    conditions.push_back(conditionName(condition) + ": " +
                         conditionWords(facts, condition));
  addLines("what the pass asks, in its order", conditions, text);
  addLines("what to do", opRemedies(facts), text);
  for (const OpSnippet &snippet : opSnippets(facts))
    text += snippet.title + "\n" + indented(snippet.code);
  return text;
}

std::string renderOpAt(const OpFacts &facts, const std::string &place) {
  std::string text = place + ": " + opVerdict(facts) + "\n";
  if (rejectionIn(facts))
    return text;
  for (const std::string &line : opActions(facts))
    text += "  " + line + "\n";
  return text;
}

} // namespace memreflens
