//===- core/graph/tensors/TensorColumns.cpp -------------------------------===//
//
// In which column each buffer stands, and which reasons go from row to row.
//
//===----------------------------------------------------------------------===//

#include "core/graph/tensors/TensorRows.h"

#include <algorithm>

namespace memreflens::graph {

using trace::TensorCost;
using trace::TensorOperand;
using trace::TensorPlacement;
using trace::TensorReason;
using trace::TensorReasonKind;

//===--- Columns ----------------------------------------------------------===//

namespace {
class Columns {
public:
  Columns(const TensorSources &sources, TensorFlow &flow)
      : sources(sources), flow(flow) {}

  void add() {
    findLanes();
    place();
    for (TensorLane &lane : flow.lanes)
      lane.buffers = numbersOf(lane.value);
    for (TensorRow &row : flow.rows) {
      for (TensorChip &chip : row.chips) {
        chip.column = columnOf(chip.value);
        chip.buffers = numbersOf(chip.value);
      }
      for (TensorUse &use : row.uses) {
        use.column = use.isBeside ? -1 : columnOf(use.value);
        use.toColumn = use.to == none ? -1 : columnOf(use.to);
        use.made = madeFor(use);
      }
    }
  }

private:
  /// With more buffers than this, a column is used again.
  static constexpr size_t fewLanes = 8;

  void touch(Id value, size_t row) {
    const Id buffer = sources.bufferOf(value);
    auto [found, isNew] = laneOf.try_emplace(buffer, flow.lanes.size());
    if (isNew)
      flow.lanes.push_back({buffer, 0, row, row, {}});
    TensorLane &lane = flow.lanes[found->second];
    lane.first = std::min(lane.first, row);
    lane.last = std::max(lane.last, row);
  }

  void findLanes() {
    std::set<Id> drawn;
    size_t folded = flow.rows.size();
    for (size_t i = 0; i < flow.rows.size(); ++i) {
      TensorRow &row = flow.rows[i];
      if (row.kind == TensorRowKind::folded)
        folded = i;
      for (TensorUse &use : row.uses) {
        const bool isDrawn = drawn.contains(sources.bufferOf(use.value));
        if (!isDrawn && use.link == TensorLink::read)
          use.isBeside = true;
        if (use.isBeside)
          continue;
        // Its definition is among the rows that are left out.
        touch(use.value, isDrawn ? i : std::min(folded, i));
        drawn.insert(sources.bufferOf(use.value));
        touch(use.value, i);
        if (use.to != none)
          touch(use.to, i);
      }
      for (const TensorChip &chip : row.chips) {
        touch(chip.value, i);
        drawn.insert(sources.bufferOf(chip.value));
      }
    }
    keepThroughLoops();
  }

  /// What a loop uses from outside is needed until it ends.
  void keepThroughLoops() {
    for (const TensorFrame &frame : flow.frames)
      for (TensorLane &lane : flow.lanes)
        if (lane.first < frame.first && lane.last >= frame.first)
          lane.last = std::max(lane.last, frame.last);
  }

  void place() {
    std::vector<size_t> order(flow.lanes.size());
    for (size_t i = 0; i < order.size(); ++i)
      order[i] = i;
    std::ranges::stable_sort(order, {},
                             [&](size_t i) { return flow.lanes[i].first; });
    const bool isShared = order.size() > fewLanes;
    std::vector<size_t> freeFrom;
    for (size_t i : order) {
      TensorLane &lane = flow.lanes[i];
      size_t column = 0;
      while (column < freeFrom.size() &&
             (!isShared || freeFrom[column] > lane.first))
        ++column;
      if (column == freeFrom.size())
        freeFrom.push_back(0);
      freeFrom[column] = lane.last + 1;
      lane.column = int(column);
    }
    flow.columns = int(freeFrom.size());
  }

  int columnOf(Id value) const {
    auto found = laneOf.find(sources.bufferOf(value));
    return found == laneOf.end() ? -1 : flow.lanes[found->second].column;
  }

  int numberOf(const TensorBufferKey &key) {
    return numbers
        .try_emplace(std::pair(key.value, key.made), int(numbers.size()))
        .first->second;
  }

  std::vector<int> numbersOf(Id value) {
    std::vector<int> all;
    for (const TensorBufferKey &key : sources.buffersOf(value))
      all.push_back(numberOf(key));
    return all;
  }

  int madeFor(const TensorUse &use) {
    const TensorCost *cost = sources.costOf(use);
    if (!cost || use.to == none)
      return -1;
    for (const TensorBufferKey &key : sources.buffersOf(use.to))
      if (key.made == cost)
        return numberOf(key);
    return -1;
  }

  const TensorSources &sources;
  TensorFlow &flow;
  std::map<Id, size_t> laneOf;
  /// Of buffers, in the order in which they are drawn.
  std::map<std::pair<Id, const TensorCost *>, int> numbers;
};
} // namespace

void addColumns(const TensorSources &sources, TensorFlow &flow) {
  Columns(sources, flow).add();
}

//===--- Reasons ----------------------------------------------------------===//

namespace {
class Arrows {
public:
  Arrows(const TensorFlows &flows, TensorFlow &flow)
      : flows(flows), flow(flow) {
    for (size_t i = 0; i < flow.rows.size(); ++i) {
      const TensorRow &row = flow.rows[i];
      if (row.kind == TensorRowKind::op)
        rowOfOp.try_emplace(row.op, i);
      for (const TensorChip &chip : row.chips)
        rowOfValue.try_emplace(chip.value, i);
    }
  }

  void add() {
    for (const TensorOperand *operand : flows.operandsOf(flow.function))
      if (operand->placement == TensorPlacement::outOfPlace &&
          !operand->reasons.empty() && rowOfOp.contains(operand->op))
        addReason(*operand, operand->reasons.front());
    for (const trace::Bufferization &run :
         flows.getLookup().getTrace().bufferizations)
      for (const trace::TensorOverwrite &overwrite : run.overwrites)
        addConflict({.write = overwrite.write,
                     .writeOperand = overwrite.writeOperand,
                     .read = overwrite.read,
                     .readOperand = overwrite.readOperand,
                     .definition = overwrite.argument},
                    overwrite.write,
                    flows.getText().aboutOverwrite(overwrite).sentence);
  }

private:
  void addReason(const TensorOperand &operand, const TensorReason &reason) {
    const std::string sentence = flows.getText().aboutOperand(operand).sentence;
    if (reason.kind == TensorReasonKind::readAfterWrite)
      return addConflict(reason, operand.op, sentence);
    if (reason.kind != TensorReasonKind::notWritable &&
        reason.kind != TensorReasonKind::parallel)
      return;
    auto defined = rowOfValue.find(reason.definition);
    if (defined == rowOfValue.end())
      return;
    ring(reason.definition);
    const Id write = reason.write == none ? operand.op : reason.write;
    const int32_t by =
        reason.write == none ? operand.operand : reason.writeOperand;
    auto written = rowOfOp.find(write);
    if (written == rowOfOp.end())
      return;
    flow.arrows.push_back(
        {written->second, defined->second, writeColumn(written->second, by),
         chipOf(reason.definition)->column, true, operand.op, sentence});
  }

  void addConflict(const TensorReason &reason, Id op,
                   const std::string &sentence) {
    auto written = rowOfOp.find(reason.write);
    auto read = rowOfOp.find(reason.read);
    if (written == rowOfOp.end() || read == rowOfOp.end())
      return;
    ring(reason.definition);
    flow.arrows.push_back({written->second, read->second,
                           writeColumn(written->second, reason.writeOperand),
                           columnOf(read->second, reason.readOperand), false,
                           op, sentence});
  }

  TensorChip *chipOf(Id value) {
    auto found = rowOfValue.find(value);
    if (found == rowOfValue.end())
      return nullptr;
    for (TensorChip &chip : flow.rows[found->second].chips)
      if (chip.value == value)
        return &chip;
    return nullptr;
  }

  void ring(Id value) {
    if (TensorChip *chip = chipOf(value))
      chip->isRinged = true;
  }

  const TensorUse *useOf(size_t row, int32_t operand) const {
    for (const TensorUse &use : flow.rows[row].uses)
      if (use.operand == operand)
        return &use;
    return nullptr;
  }

  int columnOf(size_t row, int32_t operand) const {
    const TensorUse *use = useOf(row, operand);
    return use ? use->column : -1;
  }

  int writeColumn(size_t row, int32_t operand) const {
    const TensorUse *use = useOf(row, operand);
    return use && use->toColumn >= 0 ? use->toColumn : columnOf(row, operand);
  }

  const TensorFlows &flows;
  TensorFlow &flow;
  std::map<Id, size_t> rowOfOp, rowOfValue;
};
} // namespace

void addArrows(const TensorFlows &flows, TensorFlow &flow) {
  Arrows(flows, flow).add();
}

} // namespace memreflens::graph
