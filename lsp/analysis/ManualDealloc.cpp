//===- lsp/analysis/ManualDealloc.cpp -------------------------------------===//

#include "lsp/analysis/ManualDealloc.h"

#include <algorithm>

namespace memreflens::lsp {

using namespace trace;

static constexpr std::string_view attribute =
    "bufferization.manual_deallocation";

std::string withManualAttribute(std::string_view op) {
  // The types stand behind the last colon with spaces around it; those in the
  // dictionary stand before its brace.
  size_t colon = op.rfind(" : ");
  if (colon == std::string_view::npos)
    return {};
  std::string_view head = op.substr(0, colon);
  std::string made(head);
  if (head.ends_with('}'))
    made.insert(made.size() - 1, ", " + std::string(attribute));
  else
    made += " {" + std::string(attribute) + "}";
  return made + std::string(op.substr(colon));
}

/// The dealloc that the pass rejects in the function; null if none.
static const Op *rejectedDealloc(const Trace &trace,
                                 const std::string &function) {
  for (const Event &event : trace.events) {
    const auto *found = std::get_if<RejectionEvent>(&event.detail);
    if (!found || found->cause != RejectionCause::freeEffect ||
        event.function == none || event.op == none ||
        trace.functions[size_t(event.function)].name != function)
      continue;
    const Op &op = trace.ops[size_t(event.op)];
    if (op.name == "memref.dealloc" && !op.range.empty())
      return &op;
  }
  return nullptr;
}

static ByteEdit editOf(Range range, std::string text) {
  return {range.begin, range.end, std::move(text)};
}

/// The whole line where the op has it for itself.
static Range lineOf(std::string_view text, Range op) {
  size_t begin = op.begin, end = op.end;
  while (begin > 0 && (text[begin - 1] == ' ' || text[begin - 1] == '\t'))
    --begin;
  while (end < text.size() &&
         (text[end] == ' ' || text[end] == '\t' || text[end] == '\r'))
    ++end;
  bool isAlone = (begin == 0 || text[begin - 1] == '\n') && end < text.size() &&
                 text[end] == '\n';
  return isAlone ? Range{uint32_t(begin), uint32_t(end + 1)} : op;
}

/// Nothing if the remedy cannot be written down.
static std::vector<ByteEdit> changesFor(const Trace &trace, const Op &dealloc,
                                        DeallocRemedy remedy) {
  std::string_view text = trace.source.text;
  if (remedy == DeallocRemedy::remove)
    return {editOf(lineOf(text, dealloc.range), "")};
  std::vector<ByteEdit> changes;
  auto mark = [&](const Op &op) {
    std::string_view own =
        text.substr(op.range.begin, op.range.end - op.range.begin);
    std::string marked = withManualAttribute(own);
    if (!marked.empty() && own.find(attribute) == std::string_view::npos)
      changes.push_back(editOf(op.range, marked));
  };
  mark(dealloc);
  for (Id operand : dealloc.operands)
    if (Id maker = trace.values[size_t(operand)].op; maker != none)
      mark(trace.ops[size_t(maker)]);
  std::sort(
      changes.begin(), changes.end(),
      [](const ByteEdit &a, const ByteEdit &b) { return a.begin > b.begin; });
  return changes;
}

std::string withRemedy(Analyst &analyst, const Document &document,
                       const std::string &function, DeallocRemedy remedy) {
  constexpr int mostDeallocs = 50;
  Document tried;
  tried.uri = document.uri;
  tried.version = document.version;
  tried.text = document.text;
  UnitOptions split;
  split.wholeChunks = !analyst.options.canSplit();
  split.seed = analyst.options.seed();
  for (int count = 0; count < mostDeallocs; ++count) {
    std::vector<Unit> units = splitUnits(tried.text, split);
    const Unit *unit = unitNamed(units, function);
    if (!unit)
      return {};
    Trace trace = analyst.soloRuns.wholeTrace(tried, *unit, analyst.options.run,
                                              allStages);
    bool parses = std::all_of(trace.chunks.begin(), trace.chunks.end(),
                              [](const Chunk &chunk) { return chunk.parsed; });
    const Op *dealloc = rejectedDealloc(trace, function);
    if (!parses)
      return {};
    if (!dealloc)
      return count > 0 ? tried.text : std::string();
    std::vector<ByteEdit> changes = changesFor(trace, *dealloc, remedy);
    if (changes.empty())
      return {};
    // From the trace's text to the document's: the unit is the same in both.
    Batch::Place place = SoloRuns::placeAlone(*unit);
    for (const ByteEdit &change : changes) {
      if (!place.range.contains(change.begin))
        return {};
      size_t begin = change.begin - place.range.begin + unit->begin;
      tried.text.replace(begin, change.end - change.begin, change.text);
    }
  }
  return {};
}

} // namespace memreflens::lsp
