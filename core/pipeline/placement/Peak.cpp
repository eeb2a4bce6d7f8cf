//===- core/pipeline/placement/Peak.cpp -----------------------------------===//

#include "core/pipeline/placement/Peak.h"
#include "core/pipeline/classic/AliasSets.h"
#include "core/source/ElementSize.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

#include <map>

using namespace mlir;

namespace memreflens::placement {

std::optional<uint64_t> bytesOf(Operation *scope, Type type) {
  auto memref = dyn_cast<MemRefType>(type);
  return memref ? memrefBytes(scope, memref) : std::nullopt;
}

namespace {
/// Position of each op in the text, and of the last op inside it.
struct Positions {
  llvm::DenseMap<Operation *, unsigned> first, last;
  unsigned count = 0;

  void number(Operation *op) {
    first[op] = count++;
    for (Region &region : op->getRegions())
      for (Operation &nested : region.getOps())
        number(&nested);
    last[op] = count - 1;
  }
};
} // namespace

Peak peakOf(Operation *function) {
  Positions positions;
  positions.number(function);
  const classic::AliasSets aliases(function);
  Peak peak;
  std::multimap<unsigned, int64_t> changes;
  function->walk([&](Operation *op) {
    if (!isa<memref::AllocOp, memref::AllocaOp, bufferization::CloneOp>(op))
      return;
    const std::optional<uint64_t> bytes =
        bytesOf(op, op->getResult(0).getType());
    if (!bytes) {
      peak.hasUnknown = true;
      return;
    }
    unsigned end = positions.last[op];
    for (Value alias : aliases.resolve(op->getResult(0)))
      for (Operation *user : alias.getUsers())
        end = std::max(end, positions.last[user]);
    changes.emplace(positions.first[op], int64_t(*bytes));
    // What is freed at a place makes room there only for what follows.
    changes.emplace(end + 1, -int64_t(*bytes));
  });
  int64_t live = 0;
  for (auto at = changes.begin(); at != changes.end();) {
    const unsigned position = at->first;
    for (; at != changes.end() && at->first == position; ++at)
      live += at->second;
    peak.bytes = std::max(peak.bytes, uint64_t(std::max<int64_t>(live, 0)));
  }
  return peak;
}

} // namespace memreflens::placement
