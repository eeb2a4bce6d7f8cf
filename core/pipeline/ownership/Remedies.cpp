//===- core/pipeline/ownership/Remedies.cpp -------------------------------===//

#include "core/pipeline/ownership/Remedies.h"
#include "core/pipeline/ownership/Assumptions.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace memreflens {

using trace::RejectionCause;

/// Dialects of MLIR itself, whose ops a user does not define.
static bool isOfMlir(OperationName name) {
  static constexpr llvm::StringLiteral dialects[] = {
      "acc",           "affine",     "amdgpu",
      "amx",           "arith",      "arm_neon",
      "arm_sme",       "arm_sve",    "async",
      "bufferization", "builtin",    "cf",
      "complex",       "emitc",      "func",
      "gpu",           "index",      "linalg",
      "llvm",          "math",       "memref",
      "mesh",          "ml_program", "mpi",
      "nvgpu",         "nvvm",       "omp",
      "pdl",           "pdl_interp", "ptr",
      "quant",         "rocdl",      "scf",
      "shape",         "shard",      "smt",
      "sparse_tensor", "spirv",      "tensor",
      "tosa",          "transform",  "ub",
      "vector",        "wasmssa",    "x86vector",
      "xegpu",         "xevm"};
  return llvm::is_contained(dialects, name.getDialectNamespace());
}

/// Nobody but MLIR can change it: when to run the pipeline.
std::vector<std::string> remediesOfMlir(OperationName op) {
  if (!op.isRegistered() || !isOfMlir(op))
    return {};
  const llvm::StringRef name = op.getStringRef();
  const llvm::StringRef dialect = op.getDialectNamespace();
  if (name == "gpu.launch_func")
    return {"run the pipeline before gpu-kernel-outlining: gpu.launch is "
            "accepted"};
  if (dialect == "affine")
    return {"run lower-affine before the pipeline"};
  if (dialect == "tensor" || name == "scf.forall.in_parallel")
    return {"bufferize it first: --bufferize, or one-shot-bufferize in --pre"};
  return {"run the pipeline before the pass that makes '" + name.str() +
              "', or put the op in afterwards",
          "lower it before the pipeline"};
}

static std::vector<std::string> remediesForEffects(Operation *op) {
  std::string name = op->getName().getStringRef().str();
  if (!op->isRegistered())
    return {
        "register the dialect of '" + name +
            "', or lower the op before the deallocation pipeline",
        isAssumedHarmless(op, trace::UnregisteredOps::assumePure)
            ? "to look past it, --unregistered=assume-pure or assume-reads"
            : "--unregistered does not cover it: nobody knows where control "
              "goes through its regions or successors, or behind it at the "
              "end of a block"};
  if (auto lines = remediesOfMlir(op->getName()); !lines.empty())
    return lines;
  std::vector<std::string> lines = {
      "declare the memory effects of '" + name +
      "': implement MemoryEffectOpInterface (in ODS: MemoryEffects<[...]> or "
      "Pure)"};
  if (op->getNumRegions() > 0)
    lines.push_back("add the trait RecursiveMemoryEffects, if its effects "
                    "are those of its regions");
  lines.push_back("lower the op before the deallocation pipeline");
  return lines;
}

std::vector<std::string> remediesFor(RejectionCause cause, Operation *op) {
  std::string name = "'" + op->getName().getStringRef().str() + "'";
  switch (cause) {
  case RejectionCause::loopInControlFlow:
    return {"run lift-cf-to-scf before the pipeline (--pre=lift-cf-to-scf); it "
            "turns the loop into "
            "scf.while"};
  case RejectionCause::existingDealloc:
    return {"run the ownership pass once only; remove bufferization.dealloc "
            "from its input"};
  case RejectionCause::unknownEffects:
    return remediesForEffects(op);
  case RejectionCause::regionWithoutInterface:
    if (auto lines = remediesOfMlir(op->getName()); !lines.empty())
      return lines;
    return {"implement RegionBranchOpInterface on " + name,
            "lower the op before the deallocation pipeline"};
  case RejectionCause::noTerminatorTrait:
    return {"give the regions of " + name +
            " a terminator that implements RegionBranchTerminatorOpInterface"};
  case RejectionCause::terminatorInterface:
    return {"implement either BranchOpInterface or "
            "RegionBranchTerminatorOpInterface on " +
            name};
  case RejectionCause::multipleSuccessorsWithMemref:
  case RejectionCause::multipleSuccessors:
    return {"run lift-cf-to-scf before the pipeline (--pre=lift-cf-to-scf); it "
            "turns the branch into "
            "scf.index_switch",
            "split it into cf.cond_br ops, which are supported"};
  case RejectionCause::producedOperands:
    return {"pass the operand that " + name +
            " produces through a block of its own"};
  case RejectionCause::freeEffect:
    if (name == "'memref.realloc'")
      return {"run expand-realloc before the pass"};
    if (name == "'gpu.dealloc'")
      return {"put {bufferization.manual_deallocation} on it and on its "
              "gpu.alloc: the pipeline places memref.dealloc only, which is "
              "not for memory of the device"};
    if (name != "'memref.dealloc'")
      return {"put {bufferization.manual_deallocation} on it and on its "
              "allocation: the pipeline places memref.dealloc only"};
    return {"remove the deallocation, so that the pipeline places it",
            "put bufferization.manual_deallocation on it and on its "
            "allocation",
            "if the pipeline has run on this file before, run it once only"};
  case RejectionCause::noUniqueOwnership:
    return {"use the block argument instead of the value in the successor",
            "put an empty block on the edge",
            "run lift-cf-to-scf before the pipeline (--pre=lift-cf-to-scf)"};
  case RejectionCause::returnTypesDiffer:
    return {"remove the unreachable block with a return (canonicalize does)",
            "run without private-function-dynamic-ownership"};
  case RejectionCause::inParallelNotEmpty:
    return {"bufferize the scf.forall first; scf.forall.in_parallel must be "
            "empty on memrefs"};
  case RejectionCause::reduceReturnMemref:
    return {"reduce into a memref that is passed in, not through the operands "
            "of scf.reduce.return"};
  case RejectionCause::interfaceProcess:
    return {"see how " + name +
            " implements BufferDeallocationOpInterface::process"};
  case RejectionCause::libraryFunction:
    return {"run bufferization-lower-deallocations on the module, not on "
            "functions"};
  case RejectionCause::invalidIr:
  case RejectionCause::stageFailed:
  case RejectionCause::stageCrashed:
  case RejectionCause::stageTimedOut:
    return {};
  }
  return {};
}

/// Blocks from `to` to `from`, by the fewest branches.
static SmallVector<Block *> shortestPath(Block *to, Block *from) {
  llvm::DenseMap<Block *, Block *> reachedBy = {{to, nullptr}};
  SmallVector<Block *> pending = {to};
  for (size_t i = 0; i < pending.size() && !reachedBy.contains(from); ++i)
    for (Block *next : pending[i]->getSuccessors())
      if (reachedBy.try_emplace(next, pending[i]).second)
        pending.push_back(next);
  SmallVector<Block *> path;
  for (Block *block = from; block; block = reachedBy.lookup(block))
    path.push_back(block);
  std::reverse(path.begin(), path.end());
  return path;
}

std::vector<trace::Id> loopWitnesses(OwnershipState &state, Block *from,
                                     Block *to) {
  SmallVector<Block *> path = shortestPath(to, from);
  llvm::DenseMap<Block *, size_t> position;
  for (auto [i, block] : llvm::enumerate(path))
    position[block] = i;
  // No branch on the path skips a block, but one may close a shorter loop.
  size_t first = 0, last = path.size() - 1;
  for (auto [i, block] : llvm::enumerate(path))
    for (Block *next : block->getSuccessors()) {
      auto back = position.find(next);
      if (back != position.end() && back->second <= i &&
          i - back->second < last - first) {
        first = back->second;
        last = i;
      }
    }
  std::vector<trace::Id> witnesses;
  for (size_t i = first; i <= last; ++i)
    witnesses.push_back(state.recorder.idOf(path[i]->getTerminator()));
  return witnesses;
}

/// The ops that together show that `memref` was retained twice: the terminator
/// that forwards it, and the use that keeps it live into the same successor.
static std::vector<trace::Id> doubleRetainWitnesses(OwnershipState &state,
                                                    Value memref) {
  std::vector<trace::Id> witnesses;
  Block *home = memref.getParentBlock();
  Operation *terminator = home->getTerminator();
  if (llvm::is_contained(terminator->getOperands(), memref))
    witnesses.push_back(state.recorder.idOf(terminator));
  if (Operation *user = state.liveness.useAfter(memref, home, state.recorder))
    witnesses.push_back(state.recorder.idOf(user));
  return witnesses;
}

LogicalResult rejectOwnership(OwnershipState &state, Value memref,
                              Operation *terminator) {
  trace::RejectionEvent event;
  event.cause = RejectionCause::noUniqueOwnership;
  event.message = "MemRef value does not have valid ownership";
  event.witnesses = doubleRetainWitnesses(state, memref);
  if (event.witnesses.empty())
    event.witnesses.push_back(state.recorder.idOf(terminator));
  event.remedies = remediesFor(event.cause, terminator);
  state.rejection = {nullptr, memref.getLoc(), event.cause, event.message,
                     event.remedies};
  state.recorder.add(terminator, terminator->getBlock(), memref,
                     std::move(event));
  return failure();
}

} // namespace memreflens
