// ours: moves
// upstream: dies

// A later allocation may get the address of what was deallocated: a comparison
// of addresses is a use.
func.func @main() {
  %c0 = arith.constant 0 : index
  %seven = arith.constant 7 : i64
  %a = memref.alloc() : memref<4xi64>
  memref.store %seven, %a[%c0] : memref<4xi64>
  %p = memref.extract_aligned_pointer_as_index %a : memref<4xi64> -> index
  %b = memref.alloc() : memref<4xi64>
  %q = memref.extract_aligned_pointer_as_index %b : memref<4xi64> -> index
  %same = arith.cmpi eq, %p, %q : index
  scf.if %same {
    memref.dealloc %b : memref<4xi64>
  }
  memref.store %seven, %b[%c0] : memref<4xi64>
  %c = memref.alloca() : memref<4xi64>
  memref.store %seven, %c[%c0] : memref<4xi64>
  memref.dealloc %a : memref<4xi64>
  memref.dealloc %b : memref<4xi64>
  return
}
