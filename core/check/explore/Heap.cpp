//===- core/check/explore/Heap.cpp - bytes that a path holds --------------===//

#include "core/check/explore/Machine.h"

#include "mlir/Interfaces/DataLayoutInterfaces.h"

using namespace mlir;

namespace memreflens::explorer {

/// Bytes of one element; -1 where the type does not say.
static int64_t elementBytes(Operation *scope, Type element) {
  if (auto vector = dyn_cast<VectorType>(element);
      vector && vector.isScalable())
    return -1;
  // A layout knows no size of, for example, a memref of memrefs.
  if (!element.isIntOrIndexOrFloat() && !isa<ComplexType, VectorType>(element))
    return -1;
  const uint64_t bits =
      DataLayout::closest(scope).getTypeSizeInBits(element).getFixedValue();
  return int64_t((bits + 7) / 8);
}

/// The op that runs in the function that is explored, whoever it calls.
static Operation *ownOp(State &state, Operation *op) {
  return state.frames.size() > 1 ? state.frames[1].call : op;
}

void Machine::see(State &state, Operation *op, int64_t more) {
  if (options.heap)
    options.heap->see(ownOp(state, op), state.live + more);
}

void Machine::addGap(trace::PeakGapKind kind, Operation *op) {
  if (options.heap)
    options.heap->gaps.insert({kind, op});
}

/// Whether bodies of the op may run at the same time.
static bool runsConcurrently(Operation *op) {
  StringRef name = op->getName().getStringRef();
  return name == "scf.parallel" || name == "scf.forall" ||
         name == "affine.parallel" || name == "async.execute" ||
         name == "gpu.launch" || name.starts_with("omp.");
}

/// -1 where a size is not known.
int64_t Machine::bytesOf(const Object &object, Operation *op) {
  auto type = dyn_cast<MemRefType>(object.value.getType());
  if (!type || !type.getLayout().isIdentity())
    return -1;
  int64_t bytes = elementBytes(op, type.getElementType());
  for (auto [i, size] : llvm::enumerate(type.getShape())) {
    int64_t known = ShapedType::isDynamic(size) ? -1 : size;
    if (known < 0 && i < object.shape.size())
      known = terms.constantOf(object.shape[i]).value_or(-1);
    if (bytes < 0 || known < 0 || __builtin_mul_overflow(bytes, known, &bytes))
      return -1;
  }
  return bytes;
}

/// New memory of the function or of a callee.
void Machine::grow(State &state, int32_t number, Operation *op) {
  if (!options.heap)
    return;
  const Object &object = state.objects[number];
  for (const Frame &frame : state.frames)
    for (const Scope &scope : frame.scopes)
      if (runsConcurrently(scope.parent))
        addGap(trace::PeakGapKind::concurrent, op);
  const int64_t bytes = bytesOf(object, op);
  if (bytes < 0)
    return addGap(trace::PeakGapKind::unknownSize, op);
  options.heap->bytes[object.serial] = bytes;
  state.live += bytes;
  see(state, op);
}

void Machine::shrink(State &state, int32_t number, Operation *op) {
  if (!options.heap)
    return;
  const Object &object = state.objects[number];
  state.live -= options.heap->bytes.lookup(object.serial);
  if (object.frame == 1 && object.site)
    options.heap->freed.insert({object.site, ownOp(state, op)});
}

/// What a callee holds that is not run here.
void Machine::countCallee(State &state, Operation *op,
                          FunctionOpInterface callee) {
  if (!options.heap)
    return;
  if (!callee || callee.getFunctionBody().empty())
    return addGap(trace::PeakGapKind::unknownCallee, op);
  std::optional<trace::HeapUse> heap = options.heap->heapOf(callee);
  if (!heap)
    return addGap(trace::PeakGapKind::recursion, op);
  see(state, op, heap->peakBytes);
  for (const trace::PeakGap &gap : heap->gaps)
    addGap(gap.kind, op);
}

} // namespace memreflens::explorer
