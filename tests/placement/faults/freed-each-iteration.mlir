// pass: func.func(buffer-loop-hoisting)
// ours: func.func(lens-loop-hoist)
// says: freedEachIteration
// without: fence: 2 buffers, 0 left
// with: fence: use after free

// Before it frees it again, the second iteration reads it.
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %out = memref.alloca() : memref<4xi64>
  // Out of two loops, and said once.
  scf.for %i = %c0 to %c1 step %c1 {
    scf.for %j = %c0 to %c2 step %c1 {
      %a = memref.alloc() : memref<4xi64>
      memref.copy %a, %out : memref<4xi64> to memref<4xi64>
      memref.dealloc %a : memref<4xi64>
    }
  }
  return
}
