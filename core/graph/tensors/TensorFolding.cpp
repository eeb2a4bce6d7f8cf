//===- core/graph/tensors/TensorFolding.cpp - rows that are left out ------===//

#include "core/explain/Words.h"
#include "core/graph/tensors/TensorRows.h"

#include <algorithm>

namespace memreflens::graph {

using trace::TensorCost;
using trace::TensorOperand;
using trace::TensorPlacement;
using trace::TensorReason;

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

} // namespace memreflens::graph
