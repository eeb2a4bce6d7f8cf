//===- tests/judges/Mender.cpp --------------------------------------------===//
//
// Upstream's pass without its stale liveness.
//
// Preloaded into mlir-opt-22, it answers upstream's two liveness questions from
// the IR as it is now, where 22.1.8 answers from an analysis made before it
// rebuilt ops (and then reads freed values). The result is that of the mended
// upstream. Test only: no product code links it.
//
//   LD_PRELOAD=libmender.so mlir-opt-22 --ownership-based-buffer-deallocation F
//
// MEMREF_LENS_MENDER=always analyses anew for each question, instead of only
// after an op was erased.
//
//===----------------------------------------------------------------------===//

#include "mlir/Analysis/Liveness.h"
#include "mlir/Dialect/Bufferization/IR/BufferDeallocationOpInterface.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <memory>

using namespace mlir;
using mlir::bufferization::DeallocationState;
using mlir::bufferization::ValueComparator;

/// Ops erased so far, in any thread: what was computed before is out of date.
static std::atomic<uint64_t> erasedOps = 0;

void Operation::erase() {
  using Erase = void (*)(Operation *);
  static auto real =
      reinterpret_cast<Erase>(dlsym(RTLD_NEXT, "_ZN4mlir9Operation5eraseEv"));
  ++erasedOps;
  real(this);
}

static const Liveness &livenessNow(Block *block) {
  static const bool always = [] {
    const char *mode = std::getenv("MEMREF_LENS_MENDER");
    return mode && std::strcmp(mode, "always") == 0;
  }();
  static thread_local std::unique_ptr<Liveness> liveness;
  static thread_local Operation *analysed = nullptr;
  static thread_local uint64_t erasedThen = 0;

  Operation *function = block->getParentOp();
  while (function && !isa<FunctionOpInterface>(function))
    function = function->getParentOp();
  if (always || !liveness || function != analysed || erasedThen != erasedOps) {
    erasedThen = erasedOps;
    liveness = std::make_unique<Liveness>(function);
    analysed = function;
  }
  return *liveness;
}

static SmallVector<Value> sortedMemrefs(const Liveness::ValueSetT &values) {
  SmallVector<Value> memrefs;
  for (Value value : values)
    if (isa<BaseMemRefType>(value.getType()))
      memrefs.push_back(value);
  llvm::sort(memrefs, ValueComparator());
  return memrefs;
}

void DeallocationState::getLiveMemrefsIn(Block *block,
                                         SmallVectorImpl<Value> &memrefs) {
  llvm::append_range(memrefs,
                     sortedMemrefs(livenessNow(block).getLiveIn(block)));
}

void DeallocationState::getMemrefsToRetain(
    Block *fromBlock, Block *toBlock, ValueRange destOperands,
    SmallVectorImpl<Value> &toRetain) const {
  for (Value operand : destOperands)
    if (isa<BaseMemRefType>(operand.getType()))
      toRetain.push_back(operand);
  const Liveness &liveness = livenessNow(fromBlock);
  for (Value value : sortedMemrefs(liveness.getLiveOut(fromBlock)))
    if (!toBlock || liveness.getLiveIn(toBlock).contains(value))
      toRetain.push_back(value);
}
