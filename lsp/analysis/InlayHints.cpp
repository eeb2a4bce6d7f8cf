//===- lsp/analysis/InlayHints.cpp - ownership beside the code ------------===//
//
//   %0 ⟨owned⟩ = memref.alloc() : memref<4xf32>
//   cf.cond_br %c, ^bb1(%0 : memref<4xf32>), ^bb2 ⟨deallocates %0 on edge to
//   ^bb2⟩
//
//===----------------------------------------------------------------------===//

#include "lsp/analysis/Features.h"

#include "core/explain/DecisionText.h"
#include "core/explain/IndicatorText.h"
#include "core/explain/TensorText.h"
#include "core/graph/Chips.h"
#include "core/graph/LineText.h"
#include "core/graph/Overlay.h"
#include "core/text/Escape.h"
#include "lsp/analysis/Findings.h"

#include <algorithm>
#include <set>

namespace memreflens::lsp {

using namespace trace;

namespace {

/// A piece of a label.
struct Part {
  std::string text;
  Id value = none;
  Id event = none;
  std::string tooltip = {};
};

size_t characters(std::string_view text) {
  size_t count = 0;
  for (char c : text)
    count += (c & 0xc0) != 0x80;
  return count;
}

class HintWriter {
public:
  HintWriter(const View &view, uint32_t first, uint32_t last,
             std::vector<InlayHint> &hints)
      : view(view), lookup(view.lookup()), trace(view.trace()),
        options(view.options.hints), first(first), last(last), hints(hints) {}

  void addFunction(Id function) {
    const Function &of = trace.functions[size_t(function)];
    if (of.status != FunctionStatus::traced &&
        of.status != FunctionStatus::rejected)
      return;
    graph::Overlay overlay(lookup, function, /*maxChips=*/1000,
                           /*maxText=*/10000);
    std::set<Id> blocks;
    for (const Block &block : trace.blocks)
      if (block.function == function &&
          lookup.getPassBlocks().holding(block.id) != none)
        addBlock(overlay, block, of);
  }

  /// What became of tensors.
  void addTensors() {
    if (!options.tensors || trace.bufferizations.empty())
      return;
    const TensorText text(lookup);
    for (const TensorText::Hint &hint : text.hints())
      addHint(hint);
    if (options.inPlace)
      for (const TensorText::Hint &hint : text.hintsInPlace())
        addHint(hint);
  }

private:
  /// Behind the tensor where it is defined, or where the op uses it.
  void addHint(const TensorText::Hint &hint) {
    const Value *value = lookup.value(hint.value);
    if (!value)
      return;
    Range at = hint.op == none ? value->range : Range();
    for (const Range &use : value->uses)
      if (at.empty() && lookup.getIndex().opAt(use.begin) == hint.op)
        at = use;
    if (!at.empty() && isVisible(at))
      add(at.end, {{hint.words, none, none, hint.sentence}});
  }

  void addBlock(const graph::Overlay &overlay, const Block &block,
                const Function &function) {
    bool isEntry = !function.blocks.empty() && function.blocks[0] == block.id;
    if (isEntry ? options.entryArguments : options.blockArguments)
      for (Id argument : block.arguments)
        addState(argument);
    if (block.ops.empty())
      return;
    for (Id op : block.ops)
      if (isVisible(trace.ops[size_t(op)].range)) {
        const Op &made = trace.ops[size_t(op)];
        bool isCall = made.name == "func.call";
        if (isCall ? options.calls : options.results)
          for (Id result : made.results)
            addState(result);
      }
    if (options.terminators && function.status == FunctionStatus::traced)
      addTerminator(overlay, block);
  }

  /// Whether its last line is one of those asked for.
  bool isVisible(Range range) const {
    if (range.empty())
      return false;
    uint32_t begin = lineOf(range.begin), end = lineOf(range.end - 1);
    return begin <= last && end >= first;
  }

  uint32_t lineOf(uint32_t offset) const {
    return view.batch.getLines()
        .positionOf(view.batch.text(), offset, Encoding::utf8)
        .line;
  }

  /// The event after which the value's own op, or block, has set its ownership.
  Id definingEvent(Id id) const {
    const Value &value = trace.values[size_t(id)];
    Id found = none;
    for (Id event : lookup.eventsOfValue(id)) {
      const Event &at = *lookup.event(event);
      if (!std::holds_alternative<OwnershipEvent>(at.detail) ||
          at.block != lookup.getPassBlocks().holding(value.block))
        continue;
      // A join changes it once for each operand.
      if (found == none || (value.op != none && at.op == value.op))
        found = event;
    }
    return found;
  }

  /// Of a value with a constant indicator.
  const char *wordOf(int constant, Id value) const {
    switch (fateOf(lookup.getIndex(), value).source) {
    case BufferSource::stack:
      return "stack";
    case BufferSource::manual:
      return "manual";
    default:
      return constant ? "owned" : "borrowed";
    }
  }

  void addState(Id id) {
    const Value &value = trace.values[size_t(id)];
    if (!value.isMemref || value.generated || !isVisible(value.range))
      return;
    Id event = definingEvent(lookup.heirOf(id));
    if (event == none)
      return;
    const Ownership &owner =
        std::get<OwnershipEvent>(lookup.event(event)->detail).after;
    std::vector<Part> parts;
    int constant = lookup.constantOf(owner.indicator);
    if (owner.state == memreflens::trace::OwnershipState::unknown)
      parts.push_back({"unknown", id, event});
    else if (owner.state == memreflens::trace::OwnershipState::uninitialized)
      return;
    else if (constant >= 0)
      parts.push_back({wordOf(constant, lookup.heirOf(id)), id, event});
    else
      parts = {{"owned if ", id, event},
               {indicatorExpression(lookup, owner.indicator), owner.indicator,
                event}};
    add(value.range.end, parts);
  }

  /// Behind the terminator, or behind the brace that stands for it.
  uint32_t endOf(const graph::Overlay &overlay, const Block &block) const {
    const Op &terminator = trace.ops[size_t(block.ops.back())];
    // Canonicalize may have taken a region's blocks into the ones around.
    if (const auto *seen = lookup.livenessOf(overlay.endingAt(block.id)))
      if (const Op *ending = lookup.op(seen->terminator);
          ending && !ending->range.empty() && ending->block != block.id)
        return ending->range.end;
    return terminator.range.empty() ? lookup.rangeOfBlockEnd(block.id).end
                                    : terminator.range.end;
  }

  void addTerminator(const graph::Overlay &overlay, const Block &block) {
    uint32_t end = endOf(overlay, block);
    if (end == 0 || lineOf(end) < first || lineOf(end) > last)
      return;
    std::vector<Part> parts = freedParts(overlay, block);
    addRetained(block, parts);
    if (!parts.empty())
      add(end, parts);
  }

  std::vector<Part> freedParts(const graph::Overlay &overlay,
                               const Block &block) const {
    std::vector<graph::Chip> freed;
    for (graph::Row &row : overlay.endRows(block.id))
      if (row.kind == graph::RowKind::freed)
        std::ranges::copy_if(row.chips, std::back_inserter(freed),
                             [](const graph::Chip &chip) {
                               return !chip.faded && !chip.facts.name.empty();
                             });
    auto isShared = [](const graph::Chip &chip) {
      return chip.facts.isByHelper && !chip.facts.others.empty();
    };
    // Once for all that dealloc_helper frees, where it frees all.
    const bool isAll = freed.size() > 1 && std::ranges::all_of(freed, isShared);
    std::vector<Part> parts;
    for (graph::Chip &chip : freed) {
      if (isShared(chip)) {
        chip.facts.others.clear();
        chip.facts.isByHelper = !isAll;
      }
      parts.push_back({(parts.empty() ? "deallocates " : ", ") +
                           visibleText(graph::wordsOf(chip.facts)),
                       chip.value, chip.event});
    }
    if (isAll)
      parts.push_back({" · each once, by dealloc_helper", none, none});
    return parts;
  }

  /// What the block's deallocs retain and might own.
  void addRetained(const Block &block, std::vector<Part> &parts) {
    bool isFirst = true;
    std::set<Id> told;
    Id end = lookup.getPassBlocks().endingAt(block.id);
    for (Id id : lookup.eventsOfBlock(end)) {
      const auto *retain = std::get_if<RetainEvent>(&lookup.event(id)->detail);
      Id value = lookup.event(id)->value;
      if (!retain || !told.insert(value).second || !mayOwn(*retain, value))
        continue;
      std::string lead = !isFirst        ? ", "
                         : parts.empty() ? "retains "
                                         : " · retains ";
      isFirst = false;
      parts.push_back({lead + lookup.name(value), value, id});
    }
  }

  bool mayOwn(const RetainEvent &retain, Id value) const {
    const Event *event = lookup.event(retain.dealloc);
    const auto *dealloc =
        event ? std::get_if<DeallocEvent>(&event->detail) : nullptr;
    if (!dealloc)
      return false;
    for (size_t i = 0; i < dealloc->retained.size(); ++i)
      if (dealloc->retained[i] == value && i < dealloc->results.size())
        return lookup.constantOf(dealloc->results[i]) != 0;
    return false;
  }

  void add(uint32_t offset, const std::vector<Part> &parts) {
    uint32_t line = lineOf(offset);
    if (line < first || line > last)
      return;
    std::string whole;
    for (const Part &part : parts)
      whole += part.text;
    bool isLong =
        options.maxLength > 0 && characters(whole) > options.maxLength;
    std::vector<LabelPart> label;
    size_t used = 0;
    for (const Part &part : parts) {
      used += characters(part.text);
      if (isLong && used + 1 > options.maxLength)
        break;
      label.push_back(labelPart(part));
    }
    if (isLong)
      label.push_back({"…", whole, std::nullopt});
    hints.push_back(
        {view.position(offset), std::move(label), view.uri, std::move(whole)});
  }

  LabelPart labelPart(const Part &part) const {
    LabelPart made = {part.text, part.tooltip, std::nullopt};
    if (const Value *value = lookup.value(part.value))
      if (!value->range.empty() && view.range.contains(value->range.begin))
        made.location = view.toLocation(value->range);
    if (part.event != none)
      made.tooltip = explainEvent(lookup, part.event).sentence;
    return made;
  }

  const View &view;
  const Lookup &lookup;
  const Trace &trace;
  const HintOptions &options;
  uint32_t first, last;
  std::vector<InlayHint> &hints;
};

} // namespace

static void addInlayHints(const View &view, uint32_t firstLine,
                          uint32_t lastLine, std::vector<InlayHint> &hints) {
  if (!view.options.hints.enabled)
    return;
  HintWriter writer(view, firstLine, lastLine, hints);
  for (Id function : view.functions())
    writer.addFunction(function);
  writer.addTensors();
}

/// Behind each line, where its text ends: what its ops did in the run.
static void addRunHints(Request &request, std::vector<InlayHint> &hints) {
  Analyst &analyst = request.analyst;
  const HintOptions &options = analyst.options.hints;
  std::string why;
  const Document &document = *request.document;
  const execute::Record *record =
      options.enabled && options.run ? analyst.runOf(document, why) : nullptr;
  if (!record)
    return;
  // As `run` counts lines: a lone CR ends none.
  const PlaceMap places(document, analyst.options.encoding);
  const size_t most = options.maxLength > 0 ? options.maxLength : SIZE_MAX;
  const std::string tooltip = "In one run: " + verdictOf(*record) + "\n";
  for (const auto &[line, notes] : analyst.namedRun.notes()) {
    const uint32_t shown = places.toRange({line, 1, line, 1}).start.line;
    if (shown < request.range.start.line || shown > request.range.end.line)
      continue;
    std::string all, lines = tooltip;
    for (const std::string &note : notes)
      lines += "\n" + visibleText(note);
    for (const std::string &note : analyst.namedRun.shortNotes().at(line))
      all += (all.empty() ? "run: " : " · ") + visibleText(note);
    const std::string_view text = document.lines.line(document.text, shown);
    const uint32_t end = columnOf(text, text.size(), analyst.options.encoding);
    hints.push_back({{shown, end},
                     {{graph::shortened(all, most), lines, std::nullopt}},
                     document.uri,
                     all});
  }
}

std::vector<InlayHint> onInlayHint(Request &request) {
  Document &document = *request.document;
  request.analyst.documents.refresh(document);
  uint32_t first = request.range.start.line, last = request.range.end.line;
  const std::vector<Unit> &units = document.units;
  size_t begin = 0, end = units.size();
  while (begin + 1 < end && units[begin + 1].line <= first)
    ++begin;
  while (end > begin && units[end - 1].line > last)
    --end;
  std::vector<InlayHint> found;
  if (!ensureTraces(request, begin, end))
    return found;
  for (size_t i = begin; i < end; ++i)
    if (std::optional<View> view = viewOf(request.analyst, document, units[i]))
      addInlayHints(*view, first, last, found);
  addRunHints(request, found);
  return found;
}

} // namespace memreflens::lsp
