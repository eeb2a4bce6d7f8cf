//===- core/pipeline/stages/Lowering.cpp ----------------------------------===//

#include "core/pipeline/stages/Lowering.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/CallInterfaces.h"

using namespace mlir;

namespace memreflens {

using trace::Id;
using trace::LoweringCase;
using trace::none;

static LoweringCase caseFor(size_t memrefs, size_t retained) {
  if (memrefs == 0)
    return LoweringCase::none;
  if (memrefs > 1)
    return LoweringCase::libraryFunction;
  return retained == 0 ? LoweringCase::single : LoweringCase::singleRetained;
}

std::vector<DeallocBefore> collectDeallocs(Operation *root, Recorder &recorder,
                                           const DeallocNumbers &numbers) {
  std::vector<DeallocBefore> found;
  root->walk([&](bufferization::DeallocOp op) {
    if (recorder.isIgnored(op))
      return;
    DeallocBefore before;
    before.op = recorder.idOf(op.getOperation());
    before.function = recorder.functionOf(op);
    before.block = recorder.idOf(op->getBlock());
    auto number = numbers.find(before.op);
    if (number != numbers.end())
      before.event.dealloc = number->second;
    before.event.memrefCount = op.getMemrefs().size();
    before.event.retainedCount = op.getRetained().size();
    before.event.lowering =
        caseFor(op.getMemrefs().size(), op.getRetained().size());
    found.push_back(std::move(before));
  });
  return found;
}

/// Ops that are the dealloc's own at run time; constants and casts are not
/// worth a line.
static bool isWorthNaming(Operation *op) {
  return isa<memref::DeallocOp, memref::ExtractAlignedPointerAsIndexOp,
             CallOpInterface>(op) ||
         op->getName().getStringRef() == "scf.if" ||
         op->getName().getStringRef() == "arith.cmpi";
}

void recordLowering(Operation *root, std::vector<DeallocBefore> deallocs,
                    Recorder &recorder) {
  llvm::DenseMap<Id, trace::LoweringEvent *> byOp;
  for (DeallocBefore &before : deallocs)
    byOp[before.op] = &before.event;
  const trace::Trace &trace = recorder.getTrace();
  root->walk<WalkOrder::PreOrder>([&](Operation *op) {
    Id id = recorder.findId(op);
    if (id == none)
      return;
    auto found = byOp.find(trace.ops[id].origin);
    if (found == byOp.end() || !isWorthNaming(op))
      return;
    trace::LoweringEvent &event = *found->second;
    event.ops.push_back(id);
    if (auto free = dyn_cast<memref::DeallocOp>(op))
      event.freed.push_back(recorder.idOf(free.getMemref()));
    if (auto pointer = dyn_cast<memref::ExtractAlignedPointerAsIndexOp>(op))
      event.compared.push_back(recorder.idOf(pointer.getSource()));
  });
  for (DeallocBefore &before : deallocs) {
    trace::Event &added =
        recorder.add(nullptr, nullptr, {}, std::move(before.event));
    added.op = before.op;
    added.function = before.function;
    added.block = before.block;
  }
}

} // namespace memreflens
