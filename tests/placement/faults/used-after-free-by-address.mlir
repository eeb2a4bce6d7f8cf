// pass: func.func(optimize-allocation-liveness)
// ours: func.func(lens-liveness)
// says: usedAfterFree
// without: fence: 1 buffers, 0 left
// with: fence: use after free

func.func @main() {
  %seven = arith.constant 7 : i64
  %a = memref.alloc() : memref<4xi64>
  %address = memref.extract_aligned_pointer_as_index %a : memref<4xi64> -> index
  %bits = arith.index_cast %address : index to i64
  %pointer = llvm.inttoptr %bits : i64 to !llvm.ptr
  llvm.store %seven, %pointer : i64, !llvm.ptr
  memref.dealloc %a : memref<4xi64>
  return
}
