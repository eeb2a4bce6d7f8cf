//===- viewer/window/PaletteEntries.cpp - what the palette finds ----------===//

#include "viewer/window/Palette.h"

#include "core/trace/Names.h"

#include <algorithm>

namespace memreflens::viewer {

std::vector<PaletteEntry> entriesOf(const Program &program) {
  const trace::Trace &trace = program.trace;
  const Lookup &lookup = program.lookup;
  std::vector<PaletteEntry> entries;
  entries.reserve(trace.functions.size() + trace.values.size() +
                  trace.ops.size() + trace.events.size());
  for (const trace::Function &function : trace.functions)
    entries.push_back({EntryKind::function, function.id, "@" + function.title(),
                       lookup.position(function.nameRange)});
  for (const trace::Value &value : trace.values) {
    const trace::Function *function =
        lookup.function(lookup.getIndex().functionOfValue(value.id));
    if (!function)
      continue;
    std::string text = lookup.name(value.id) + " in @" + function->name;
    if (value.generated)
      text += " (generated)";
    entries.push_back({EntryKind::value, value.id, std::move(text),
                       lookup.position(value.range)});
  }
  for (const trace::Op &op : trace.ops) {
    if (op.generated || op.nameRange.empty())
      continue;
    std::string text = op.name;
    for (Id result : op.results)
      text += " " + lookup.name(result);
    entries.push_back(
        {EntryKind::op, op.id, std::move(text), lookup.position(op.nameRange)});
  }
  for (const trace::Event &event : trace.events) {
    if (event.function == none)
      continue;
    std::string text = "#" + std::to_string(event.id) + " " +
                       std::string(trace::kindOf(event));
    if (event.value != none)
      text += " " + lookup.name(event.value);
    if (event.block != none)
      text += " " + lookup.blockName(event.block);
    entries.push_back({EntryKind::event, event.id, std::move(text),
                       "stage " + std::to_string(event.stage)});
  }
  return entries;
}

static std::string lowered(std::string_view text) {
  std::string low(text);
  std::ranges::transform(low, low.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? char(c + 32) : c;
  });
  return low;
}

/// Sum of the places at which the words stand; -1 if one is missing.
static long scoreOf(const std::string &text,
                    const std::vector<std::string> &words) {
  long score = 0;
  for (const std::string &word : words) {
    size_t at = text.find(word);
    if (at == text.npos)
      return -1;
    score += long(at);
  }
  return score * 1000 + long(std::min<size_t>(text.size(), 999));
}

static std::vector<std::string> wordsIn(const std::string &text) {
  std::vector<std::string> words;
  for (size_t at = 0; at < text.size();) {
    size_t end = std::min(text.find(' ', at), text.size());
    if (end > at)
      words.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return words;
}

std::vector<int> hitsOf(const std::vector<PaletteEntry> &entries,
                        std::string_view text) {
  constexpr size_t most = 200;
  std::vector<std::string> words = wordsIn(lowered(text));
  std::vector<std::pair<long, int>> found;
  for (size_t i = 0; i < entries.size(); ++i) {
    // Without words the first ones will do.
    if (words.empty() && found.size() == most)
      break;
    long score = words.empty() ? 0 : scoreOf(lowered(entries[i].text), words);
    if (score >= 0)
      found.push_back({score, int(i)});
  }
  size_t count = std::min(found.size(), most);
  std::ranges::partial_sort(found, found.begin() + long(count));
  std::vector<int> hits;
  for (size_t i = 0; i < count; ++i)
    hits.push_back(found[i].second);
  return hits;
}

} // namespace memreflens::viewer
