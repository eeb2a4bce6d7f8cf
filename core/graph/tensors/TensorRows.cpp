//===- core/graph/tensors/TensorRows.cpp ----------------------------------===//
//
// Ops with tensor operands are recorded in program order. What only makes a
// tensor, a constant for instance, stands at its first use, but in no loop that
// it is not in.
//
//===----------------------------------------------------------------------===//

#include "core/graph/tensors/TensorRows.h"
#include "core/explain/Words.h"
#include "core/graph/LineText.h"
#include "core/text/Escape.h"

#include <algorithm>

namespace memreflens::graph {

using trace::TensorCost;
using trace::TensorOperand;

namespace {

/// With more operands than this, what is only read stands beside the rows, and
/// what is in place has no sentence.
constexpr size_t smallFunction = 60;
constexpr size_t fewArguments = 8;
constexpr size_t longestName = 16;

class Rows {
public:
  Rows(const TensorFlows &flows, const TensorSources &sources, TensorFlow &flow)
      : flows(flows), sources(sources), lookup(flows.getLookup()),
        text(flows.getText()), flow(flow),
        function(*lookup.function(flow.function)),
        isLarge(flows.operandsOf(flow.function).size() > smallFunction) {}

  void add() {
    findBeside();
    anchorSources();
    addArguments();
    Id last = none;
    for (const TensorOperand *operand : flows.operandsOf(flow.function))
      if (std::exchange(last, operand->op) != operand->op)
        addOp(operand->op);
    closeFrames(0);
  }

private:
  struct OpenFrame {
    size_t frame = 0;
    Id op = none, region = 0, block = none;
  };

  //===--- What has no row ---===//

  bool isOutside(Id value) const {
    const trace::Value *known = lookup.value(value);
    if (!known)
      return false;
    if (known->kind == trace::ValueKind::argument)
      return isArgument(value);
    return text.facts().decisionsAt(known->op).empty() &&
           !sources.isFrame(known->op);
  }

  bool isArgument(Id value) const {
    const trace::Value *known = lookup.value(value);
    const trace::Block *block = known ? lookup.block(known->block) : nullptr;
    return known && known->kind == trace::ValueKind::argument && block &&
           block->parentOp == function.op && block->isEntry;
  }

  /// Arguments and constants of a large function that are only read.
  void findBeside() {
    if (!isLarge)
      return;
    std::set<Id> used;
    for (const TensorOperand *operand : flows.operandsOf(flow.function)) {
      const Id buffer = sources.bufferOf(operand->value);
      if (operand->value != buffer)
        used.insert(buffer);
      for (const TensorUse &use : sources.usesBy(operand->op))
        if (use.operand == operand->operand && use.link != TensorLink::read)
          used.insert(buffer);
    }
    for (const TensorOperand *operand : flows.operandsOf(flow.function))
      if (!used.contains(operand->value) && isOutside(operand->value) &&
          !allocationOf(operand->value))
        beside.insert(operand->value);
  }

  /// The buffer that the tensor's own op makes.
  const TensorCost *allocationOf(Id value) const {
    const trace::Value *known = lookup.value(value);
    if (!known || known->op == none)
      return nullptr;
    for (const TensorCost *cost : text.facts().costsAt(known->op))
      if (!cost->isCopy && cost->value == value && text.facts().isLive(*cost))
        return cost;
    return nullptr;
  }

  //===--- Where sources stand ---===//

  /// Ops with regions around the op, the innermost first.
  std::vector<Id> around(Id op) const {
    std::vector<Id> ops;
    for (const trace::Op *known = lookup.op(op); known;) {
      const trace::Block *block = lookup.block(known->block);
      if (!block || block->parentOp == function.op || block->parentOp == none)
        break;
      ops.push_back(block->parentOp);
      known = lookup.op(block->parentOp);
    }
    return ops;
  }

  void anchorSources() {
    std::set<Id> known;
    const bool hasManyArguments =
        flows.argumentsOf(entryBlock()).size() > fewArguments;
    for (const TensorOperand *operand : flows.operandsOf(flow.function)) {
      const Id value = operand->value;
      if (!isOutside(value) || beside.contains(value) ||
          (isArgument(value) && !hasManyArguments) ||
          !known.insert(value).second)
        continue;
      const Id defining = lookup.value(value)->op;
      std::vector<Id> inside = around(operand->op);
      const std::vector<Id> shared =
          defining == none ? std::vector<Id>() : around(defining);
      Id anchor = operand->op;
      for (Id frame : inside)
        if (std::ranges::find(shared, frame) == shared.end())
          anchor = frame;
      anchored[anchor].push_back(value);
    }
  }

  Id entryBlock() const {
    return function.blocks.empty() ? none : function.blocks.front();
  }

  //===--- Rows ---===//

  TensorRow &newRow(TensorRowKind kind, Id op) {
    TensorRow row;
    row.kind = kind;
    row.op = op;
    row.depth = int(open.size());
    if (op != none)
      row.place = lookup.position(lookup.rangeOfOp(op));
    flow.rows.push_back(std::move(row));
    return flow.rows.back();
  }

  void addChip(TensorRow &row, Id value) const {
    TensorChip chip;
    chip.value = value;
    chip.name = shortened(visibleText(lookup.name(value)), longestName);
    chip.tooltip = lookup.name(value) + ": " + lookup.value(value)->type;
    for (const Explanation &words : text.aboutValue(value))
      chip.tooltip += "\n" + words.sentence;
    row.chips.push_back(std::move(chip));
  }

  /// The memref that was allocated for the chip's tensor.
  void setAllocation(TensorChip &chip, const TensorCost *cost) const {
    if (!cost || !text.facts().isLive(*cost))
      return;
    const trace::Op *made = lookup.op(cost->now);
    if (!made || made->results.empty())
      return;
    chip.memref = made->results.front();
    chip.allocation =
        "alloc of " +
        shortened(visibleText(lookup.name(chip.memref)), longestName);
  }

  const TensorCost *allocationFor(const TensorUse &use) const {
    const TensorCost *cost = sources.costOf(use);
    if (!cost || !cost->isCopy)
      return cost;
    for (const TensorCost *other : text.facts().costsAt(use.op))
      if (!other->isCopy && other->origin == cost->origin &&
          other->operand == cost->operand)
        return other;
    return nullptr;
  }

  void addArguments() {
    const std::vector<Id> &arguments = flows.argumentsOf(entryBlock());
    if (arguments.empty() || arguments.size() > fewArguments)
      return;
    TensorRow &row = newRow(TensorRowKind::arguments, none);
    row.place = lookup.position(function.nameRange);
    row.label = arguments.size() == 1 ? "argument" : "arguments";
    for (Id value : arguments)
      if (!beside.contains(value))
        addChip(row, value);
  }

  void addSource(Id value) {
    const trace::Op *op = lookup.op(lookup.value(value)->op);
    TensorRow &row = newRow(TensorRowKind::op, op ? op->id : none);
    if (op)
      setLabel(row, *op);
    else
      row.label = "argument";
    if (!op)
      row.place = lookup.position(lookup.rangeOfValue(value));
    addChip(row, value);
    setAllocation(row.chips.back(), allocationOf(value));
    if (op)
      addSentences(row);
  }

  void setLabel(TensorRow &row, const trace::Op &op) const {
    row.label = visibleText(op.name);
    if (const trace::Function *callee = lookup.calleeOf(op))
      row.label += " @" + shortened(visibleText(callee->name), longestName);
    if (const int64_t times = flows.timesOf(op.id); times >= 0)
      row.label += " x " + grouped(uint64_t(times));
    const Line line = lineOf(lookup.getTrace(), op, 300);
    row.tooltip = line.tooltip.empty() ? line.text : line.tooltip;
  }

  void addSentences(TensorRow &row) const {
    if (isLarge && !row.isCostly)
      return;
    for (const Explanation &words : text.aboutOp(row.op))
      row.sentences.push_back(words.sentence);
  }

  /// The row of an op, of the sources that it is the first to use, and of the
  /// frames and blocks around it.
  void addOp(Id op) {
    enter(lookup.op(op)->block);
    if (!opened.contains(op))
      addOpRow(op);
  }

  void addAnchored(Id op) {
    auto found = anchored.find(op);
    if (found != anchored.end())
      for (Id value : found->second)
        addSource(value);
  }

  void addOpRow(Id op) {
    addAnchored(op);
    const trace::Op &known = *lookup.op(op);
    TensorRow &row = newRow(TensorRowKind::op, op);
    setLabel(row, known);
    row.uses = sources.usesBy(op);
    for (TensorUse &use : row.uses) {
      use.isBeside = beside.contains(use.value);
      row.isCostly |= use.link == TensorLink::copy ||
                      use.link == TensorLink::newBuffer ||
                      use.link == TensorLink::nothing;
    }
    addSentences(row);
    if (!sources.isFrame(op)) {
      for (Id result : flows.resultsOf(op))
        addChip(row, result);
      setAllocations(row);
      return;
    }
    row.opensFrame = true;
    opened.insert(op);
    flow.frames.push_back({op, flow.rows.size() - 1, 0, int(open.size())});
    const Id entry =
        flows.blocksOf(op).empty() ? none : flows.blocksOf(op).front();
    for (Id value : flows.argumentsOf(entry))
      addChip(row, value);
    setAllocations(row);
    open.push_back({flow.frames.size() - 1, op, 0, entry});
  }

  void setAllocations(TensorRow &row) const {
    for (TensorChip &chip : row.chips) {
      setAllocation(chip, allocationOf(chip.value));
      for (const TensorUse &use : row.uses)
        if (use.to == chip.value && chip.memref == none)
          setAllocation(chip, allocationFor(use));
    }
  }

  //===--- Frames ---===//

  void enter(Id block) {
    std::vector<Id> blocks;
    for (const trace::Block *known = lookup.block(block);
         known && known->parentOp != function.op;) {
      const trace::Op *parent = lookup.op(known->parentOp);
      if (!parent)
        break;
      blocks.push_back(known->id);
      known = lookup.block(parent->block);
    }
    std::ranges::reverse(blocks);
    size_t same = 0;
    while (same < open.size() && same < blocks.size() &&
           open[same].op == lookup.block(blocks[same])->parentOp)
      ++same;
    closeFrames(same);
    for (size_t i = 0; i < blocks.size(); ++i) {
      const trace::Block &known = *lookup.block(blocks[i]);
      if (i == open.size())
        addOpRow(known.parentOp);
      if (i < open.size() && open[i].block != known.id)
        changeBlock(open[i], known);
    }
    if (blocks.empty() && block != current && block != entryBlock())
      addBlock(block, visibleText(lookup.blockName(block)));
    if (blocks.empty())
      current = block;
  }

  void changeBlock(OpenFrame &frame, const trace::Block &block) {
    const trace::Op &op = *lookup.op(frame.op);
    const bool isNewRegion = frame.region != Id(block.region);
    frame.region = Id(block.region);
    frame.block = block.id;
    std::string word = isNewRegion
                           ? regionWord(lookup.getTrace(), op, block.region)
                           : visibleText(lookup.blockName(block.id));
    if (word.empty())
      word = "region " + std::to_string(block.region + 1);
    addBlock(block.id, word);
  }

  void addBlock(Id block, const std::string &label) {
    if (label.empty() && flows.argumentsOf(block).empty())
      return;
    TensorRow &row = newRow(TensorRowKind::block, none);
    row.label = label;
    row.place = lookup.position(lookup.block(block)->nameRange);
    for (Id value : flows.argumentsOf(block))
      addChip(row, value);
  }

  void closeFrames(size_t left) {
    while (open.size() > left) {
      const OpenFrame frame = open.back();
      flow.frames[frame.frame].last = flow.rows.size() - 1;
      open.pop_back();
      const std::vector<Id> &results = flows.resultsOf(frame.op);
      if (results.empty())
        continue;
      TensorRow &row = newRow(TensorRowKind::results, frame.op);
      row.place.clear();
      row.label = "result";
      row.label += results.size() > 1 ? "s" : "";
      for (Id value : results)
        addChip(row, value);
    }
  }

  const TensorFlows &flows;
  const TensorSources &sources;
  const Lookup &lookup;
  const TensorText &text;
  TensorFlow &flow;
  const trace::Function &function;
  const bool isLarge;
  std::set<Id> beside, opened;
  /// Values whose rows stand before that of the op.
  std::map<Id, std::vector<Id>> anchored;
  std::vector<OpenFrame> open;
  Id current = none;
};

} // namespace

void addRows(const TensorFlows &flows, const TensorSources &sources,
             TensorFlow &flow) {
  Rows(flows, sources, flow).add();
}

} // namespace memreflens::graph
