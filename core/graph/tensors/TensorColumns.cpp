//===- core/graph/tensors/TensorColumns.cpp -------------------------------===//
//
// Which rows are drawn, in which column each buffer stands, and which reasons
// go from row to row.
//
//===----------------------------------------------------------------------===//

#include "core/explain/Words.h"
#include "core/graph/tensors/TensorRows.h"

#include <algorithm>
#include <tuple>

namespace memreflens::graph {

using trace::TensorCost;
using trace::TensorOperand;
using trace::TensorPlacement;
using trace::TensorReason;
using trace::TensorReasonKind;

//===--- Rows that are left out -------------------------------------------===//

namespace {
class Folding {
public:
  Folding(const TensorFlows &flows, size_t mostRows, TensorFlow &flow)
      : facts(flows.getText().facts()), mostRows(mostRows), flow(flow),
        isKept(flow.rows.size()) {
    for (size_t i = 0; i < flow.rows.size(); ++i) {
      if (flow.rows[i].kind == TensorRowKind::op && !flow.rows[i].uses.empty())
        rowOfOp.try_emplace(flow.rows[i].op, i);
      for (const TensorChip &chip : flow.rows[i].chips)
        rowOfValue.try_emplace(chip.value, i);
    }
  }

  void fold() {
    for (size_t row : costly())
      if (kept < mostRows)
        keepWithReasons(row);
    // A function without a copy begins as it is written.
    for (size_t i = 0; kept == 0 && i < mostRows; ++i)
      isKept[i] = true;
    for (const TensorFrame &frame : flow.frames)
      if (std::find(isKept.begin() + long(frame.first),
                    isKept.begin() + long(frame.last) + 1,
                    true) != isKept.begin() + long(frame.last) + 1)
        keepFrame(frame);
    // A row that says "1 op" takes as much room as the op.
    for (size_t i = 0; i < isKept.size(); ++i)
      if (!isKept[i] && (i == 0 || isKept[i - 1]) &&
          (i + 1 == isKept.size() || isKept[i + 1]))
        isKept[i] = true;
    rebuild();
  }

private:
  /// Rows at which something is copied or out of place, the most bytes first.
  std::vector<size_t> costly() const {
    std::vector<std::pair<int64_t, size_t>> rows;
    for (size_t i = 0; i < flow.rows.size(); ++i) {
      int64_t bytes = 0;
      for (const TensorCost *cost : facts.costsAt(flow.rows[i].op))
        bytes = std::max(bytes, cost->bytes);
      if (flow.rows[i].isCostly)
        rows.emplace_back(-bytes, i);
    }
    std::ranges::sort(rows);
    std::vector<size_t> order;
    for (const auto &[bytes, row] : rows)
      order.push_back(row);
    return order;
  }

  void keep(size_t row) {
    kept += !isKept[row];
    isKept[row] = true;
  }

  void keepDefinition(Id value) {
    if (auto found = rowOfValue.find(value); found != rowOfValue.end())
      keep(found->second);
  }

  void keepWithReasons(size_t row) {
    keep(row);
    for (const TensorUse &use : flow.rows[row].uses) {
      keepDefinition(use.value);
      const TensorOperand *decision = facts.decisionOf(use.op, use.operand);
      if (!decision || decision->reasons.empty() ||
          decision->placement != TensorPlacement::outOfPlace)
        continue;
      const TensorReason &reason = decision->reasons.front();
      keepDefinition(reason.definition);
      for (Id op : {reason.write, reason.read})
        if (auto found = rowOfOp.find(op); found != rowOfOp.end())
          keep(found->second);
    }
  }

  void keepFrame(const TensorFrame &frame) {
    keep(frame.first);
    for (size_t i = frame.first; i < flow.rows.size(); ++i)
      if ((flow.rows[i].kind == TensorRowKind::results &&
           flow.rows[i].op == frame.op) ||
          (i <= frame.last && flow.rows[i].kind == TensorRowKind::block &&
           flow.rows[i].depth == frame.depth + 1))
        keep(i);
  }

  static std::string labelOf(size_t ops, size_t costly) {
    return counted(ops, "op") +
           (costly > 0 ? ", " + grouped(costly) + " of them out of place"
                       : " in place");
  }

  void rebuild() {
    std::vector<TensorRow> rows;
    std::vector<size_t> places(flow.rows.size());
    size_t ops = 0, drawn = 0;
    for (size_t i = 0; i < flow.rows.size();) {
      const TensorRow &row = flow.rows[i];
      places[i] = rows.size();
      if (isKept[i]) {
        drawn += row.kind == TensorRowKind::op;
        ops += row.kind == TensorRowKind::op;
        rows.push_back(row);
        ++i;
        continue;
      }
      TensorRow folded;
      folded.kind = TensorRowKind::folded;
      folded.depth = row.depth;
      folded.place = row.place;
      size_t count = 0, costly = 0;
      for (; i < flow.rows.size() && !isKept[i] &&
             flow.rows[i].depth >= folded.depth;
           ++i) {
        places[i] = rows.size();
        count += flow.rows[i].kind == TensorRowKind::op;
        costly += flow.rows[i].isCostly;
      }
      ops += count;
      folded.label = labelOf(count, costly);
      rows.push_back(std::move(folded));
    }
    std::vector<TensorFrame> frames;
    for (TensorFrame frame : flow.frames)
      if (isKept[frame.first]) {
        frame.first = places[frame.first];
        frame.last = places[frame.last];
        frames.push_back(frame);
      }
    flow.frames = std::move(frames);
    flow.rows = std::move(rows);
    flow.note = grouped(drawn) + " of " + counted(ops, "op") + " are drawn";
    if (kept > 0)
      flow.note += ": those with a copy or an operand out of place, and the "
                   "ops that define what these use";
  }

  const trace::Tensors &facts;
  const size_t mostRows;
  TensorFlow &flow;
  std::vector<bool> isKept;
  size_t kept = 0;
  std::map<Id, size_t> rowOfOp, rowOfValue;
};
} // namespace

void foldRows(const TensorFlows &flows, size_t mostRows, TensorFlow &flow) {
  if (flow.rows.size() > mostRows)
    Folding(flows, mostRows, flow).fold();
}

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
