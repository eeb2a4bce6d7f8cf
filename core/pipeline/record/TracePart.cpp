//===- core/pipeline/record/TracePart.cpp ---------------------------------===//

#include "core/pipeline/record/TracePart.h"

#include <algorithm>

namespace memreflens {

using trace::Id;
using trace::none;

TracePart::TracePart(const trace::Trace &trace, Id module, PartStart start)
    : trace(trace), root(std::max(module, Id(0))), start(start) {
  const Id end = Id(trace.ops.size());
  auto op = [&](Id id) -> const trace::Op & { return trace.ops[size_t(id)]; };
  while (root < end && op(root).generated && op(root).origin != none &&
         op(root).origin < root)
    root = op(root).origin;
  readEnd = std::min(root + 1, end);
  while (readEnd < end && !op(readEnd).generated && op(readEnd).block != none)
    ++readEnd;
  if (start.op == none)
    this->start = {readEnd, 0, start.dealloc};
}

void TracePart::eachOp(
    llvm::function_ref<void(const trace::Op &)> visit) const {
  eachReadOp(visit);
  for (size_t op = size_t(start.op); op < trace.ops.size(); ++op)
    visit(trace.ops[op]);
}

void TracePart::eachReadOp(
    llvm::function_ref<void(const trace::Op &)> visit) const {
  for (Id op = root; op < readEnd; ++op)
    visit(trace.ops[size_t(op)]);
}

void TracePart::eachValue(
    llvm::function_ref<void(const trace::Value &)> visit) const {
  auto visitAll = [&](const std::vector<Id> &values) {
    for (Id id : values)
      if (id != none)
        visit(trace.values[size_t(id)]);
  };
  for (Id op = root; op < readEnd; ++op) {
    visitAll(trace.ops[size_t(op)].results);
    for (const auto &region : trace.ops[size_t(op)].regions)
      for (Id block : region)
        visitAll(trace.blocks[size_t(block)].arguments);
  }
  for (size_t i = size_t(start.value); i < trace.values.size(); ++i)
    visit(trace.values[i]);
}

} // namespace memreflens
