//===- passes/Remarks.cpp -------------------------------------------------===//

#include "passes/Remarks.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using bufferization::CloneOp;
using bufferization::DeallocOp;

namespace memreflens {

//===--- Where a buffer comes from ----------------------------------------===//

static std::string nameOf(Operation *op) {
  return "`" + op->getName().getStringRef().str() + "`";
}

static std::string ofArgument(BlockArgument argument) {
  Block *block = argument.getOwner();
  Operation *parent = block->getParentOp();
  if (!block->isEntryBlock())
    return "a block argument, which is one of several buffers";
  const std::string number = std::to_string(argument.getArgNumber());
  if (auto function = dyn_cast<FunctionOpInterface>(parent))
    return "argument " + number + " of @" + function.getName().str() +
           ", which the caller owns";
  return "a region argument of " + nameOf(parent);
}

static std::string ofCall(CallOpInterface call) {
  auto callee = dyn_cast_if_present<SymbolRefAttr>(call.getCallableForCallee());
  return "a result of " +
         (callee ? "@" + callee.getLeafReference().str() : nameOf(call)) +
         ", which may alias what the call is passed";
}

/// "argument 0 of @f, which the caller owns".
static std::string originOf(Value memref) {
  // Views and casts of one memref are that buffer.
  while (Operation *op = memref.getDefiningOp()) {
    SmallVector<Value> sources;
    for (Value operand : op->getOperands())
      if (isa<BaseMemRefType>(operand.getType()))
        sources.push_back(operand);
    const bool isView = sources.size() == 1 && op->getNumRegions() == 0 &&
                        isMemoryEffectFree(op);
    if (!isView)
      break;
    memref = sources.front();
  }
  if (auto argument = dyn_cast<BlockArgument>(memref))
    return ofArgument(argument);
  auto result = cast<OpResult>(memref);
  Operation *op = result.getOwner();
  if (auto call = dyn_cast<CallOpInterface>(op))
    return ofCall(call);
  if (auto global = dyn_cast<memref::GetGlobalOp>(op))
    return "the global @" + global.getName().str();
  if (hasEffect<MemoryEffects::Allocate>(op, result))
    return "an allocation of " + nameOf(op);
  if (op->getNumRegions() != 0)
    return "a result of " + nameOf(op) + ", which is one of several buffers";
  if (llvm::count_if(op->getOperands(), [](Value operand) {
        return isa<BaseMemRefType>(operand.getType());
      }) > 1)
    return "one of the operands of " + nameOf(op);
  return "a result of " + nameOf(op) + ", whose owner nothing tells";
}

/// "2 retained memrefs".
static std::string counted(size_t count, StringRef what) {
  return std::to_string(count) + " " + what.str() + (count == 1 ? "" : "s");
}

//===--- Clones -----------------------------------------------------------===//

llvm::DenseSet<Operation *> clonesIn(Operation *root) {
  llvm::DenseSet<Operation *> clones;
  root->walk([&](CloneOp clone) { clones.insert(clone); });
  return clones;
}

void remarkOnClones(Operation *root,
                    const llvm::DenseSet<Operation *> &before) {
  root->walk([&](CloneOp clone) {
    if (before.contains(clone))
      return;
    // Made where the memref is not owned: the other arm hands on the memref.
    Value made = clone.getOutput();
    bool isConditional = false;
    auto around = dyn_cast<scf::IfOp>(clone->getParentOp());
    if (around && made.hasOneUse() &&
        made.use_begin()->getOwner() == clone->getBlock()->getTerminator() &&
        clone->getBlock()->getOperations().size() == 2) {
      if (matchPattern(around.getCondition(), m_One()))
        return;
      isConditional = !matchPattern(around.getCondition(), m_Zero());
      made = around.getResult(made.use_begin()->getOperandNumber());
    }
    std::string takes;
    for (Operation *user : made.getUsers())
      if (user->hasTrait<OpTrait::IsTerminator>())
        takes = ", because " + nameOf(user) + " passes on ownership";
    emitRemark(clone.getLoc())
        << "clone of " << originOf(clone.getInput()) << takes
        << (isConditional ? "; made only where it is borrowed at run time"
                          : "");
  });
}

/// "; 1 is conditional"; nothing of none.
static std::string conditionalOf(unsigned count, StringRef what) {
  if (count == 0)
    return {};
  return "; " + (what.empty() ? std::to_string(count) : counted(count, what)) +
         (count == 1 ? " is conditional" : " are conditional");
}

/// "@f: the ownership pass made 2 clones and 3 deallocs; 1 clone is
/// conditional".
void remarkOnMade(Operation *function, const OwnershipState::Made &made) {
  if (made.clones == 0 && made.deallocs == 0)
    return;
  std::string what;
  if (made.clones != 0)
    what = counted(made.clones, "clone");
  if (made.deallocs != 0)
    what += (what.empty() ? "" : " and ") + counted(made.deallocs, "dealloc");
  emitRemark(function->getLoc())
      << "@" << cast<FunctionOpInterface>(function).getName()
      << ": the ownership pass made " << what
      << conditionalOf(made.conditionalClones, "clone");
}

//===--- Deallocs ---------------------------------------------------------===//

DeallocCounts countDeallocs(Operation *root) {
  DeallocCounts counts;
  root->walk([&](DeallocOp dealloc) {
    const size_t memrefs = dealloc.getMemrefs().size();
    counts.deallocs += 1;
    counts.conditional +=
        llvm::any_of(dealloc.getConditions(), [](Value condition) {
          return !matchPattern(condition, m_One());
        });
    counts.helperCalls += memrefs > 1;
    counts.checks += memrefs == 1 ? dealloc.getRetained().size() : 0;
  });
  return counts;
}

/// "@f: 3 deallocs are left; 1 is conditional; 2 run-time alias checks".
static void remarkOnCounts(FunctionOpInterface function) {
  const DeallocCounts counts = countDeallocs(function);
  if (counts.deallocs == 0)
    return;
  std::string costs = conditionalOf(counts.conditional, {});
  if (counts.helperCalls != 0)
    costs += "; " + counted(counts.helperCalls, "`dealloc_helper` call");
  if (counts.checks != 0)
    costs += "; " + counted(counts.checks, "run-time alias check");
  emitRemark(function.getLoc())
      << "@" << function.getName() << ": "
      << counted(counts.deallocs, "dealloc")
      << (counts.deallocs == 1 ? " is left" : " are left") << costs;
}

static void remarkOn(DeallocOp dealloc) {
  const size_t memrefs = dealloc.getMemrefs().size();
  const size_t retained = dealloc.getRetained().size();
  if (memrefs > 1) {
    // What comes of no allocation is what keeps them from being told apart.
    std::string origins;
    llvm::SmallDenseSet<Operation *> told;
    for (Value memref : dealloc.getMemrefs()) {
      const std::string origin = originOf(memref);
      if (origins.find(origin) != std::string::npos ||
          StringRef(origin).starts_with("an allocation"))
        continue;
      if (told.size() == 3) {
        origins += "; ...";
        break;
      }
      told.insert(memref.getDefiningOp());
      origins += (origins.empty() ? ": " : "; ") + origin;
    }
    emitRemark(dealloc.getLoc())
        << "`dealloc_helper` call: the dealloc compares " << memrefs
        << " memrefs with each other"
        << (retained ? " and with " + counted(retained, "retained memref") : "")
        << origins;
    return;
  }
  if (memrefs == 0)
    return;
  const Value condition = dealloc.getConditions().front();
  const bool isConditional = !matchPattern(condition, m_One());
  const std::string origin = originOf(dealloc.getMemrefs().front());
  if (retained)
    emitRemark(dealloc.getLoc())
        << "run-time alias check: the dealloc compares " << origin << ", with "
        << counted(retained, "retained memref");
  else if (isConditional && !matchPattern(condition, m_Zero()))
    emitRemark(dealloc.getLoc()) << "conditional dealloc: only if it is "
                                    "owned at run time: "
                                 << origin;
}

void remarkOnDeallocs(Operation *root) {
  root->walk([](DeallocOp dealloc) { remarkOn(dealloc); });
  root->walk([](FunctionOpInterface function) { remarkOnCounts(function); });
}

} // namespace memreflens
