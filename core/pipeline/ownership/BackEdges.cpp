//===- core/pipeline/ownership/BackEdges.cpp ------------------------------===//

#include "core/pipeline/ownership/BackEdges.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

using namespace mlir;

namespace memreflens {

namespace {
enum class Colour { open, done };

/// One block on the depth-first stack, and the next successor to follow.
struct Frame {
  Block *block;
  unsigned nextSuccessor = 0;
};
} // namespace

/// Blocks that `entry` reaches within its region, each visited once.
static std::optional<BackEdge>
searchRegion(Block *entry, llvm::SmallVectorImpl<Operation *> &nested) {
  llvm::DenseMap<Block *, Colour> colours;
  llvm::SmallVector<Frame> stack;
  auto open = [&](Block *block) {
    colours[block] = Colour::open;
    stack.push_back({block});
    for (Operation &op : *block)
      if (op.getNumRegions() > 0)
        nested.push_back(&op);
  };
  open(entry);
  while (!stack.empty()) {
    Frame &top = stack.back();
    if (top.nextSuccessor == top.block->getNumSuccessors()) {
      colours[top.block] = Colour::done;
      stack.pop_back();
      continue;
    }
    Block *from = top.block;
    Block *to = from->getSuccessor(top.nextSuccessor++);
    auto known = colours.find(to);
    if (known == colours.end())
      open(to);
    else if (known->second == Colour::open)
      return BackEdge{from, to};
  }
  return std::nullopt;
}

std::optional<BackEdge> findBackEdge(Operation *root) {
  llvm::SmallVector<Operation *> pending = {root};
  while (!pending.empty()) {
    Operation *op = pending.pop_back_val();
    for (Region &region : op->getRegions()) {
      if (region.empty())
        continue;
      if (std::optional<BackEdge> edge = searchRegion(&region.front(), pending))
        return edge;
    }
  }
  return std::nullopt;
}

} // namespace memreflens
