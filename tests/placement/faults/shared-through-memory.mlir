// pass: func.func(buffer-loop-hoisting)
// ours: func.func(lens-loop-hoist)
// says: sharedThroughMemory
// without: 0
// with: 1

// The buffer of iteration 0, read after the loop.
func.func private @printI64(i64)
func.func @fill(%all: memref<2xmemref<4xi64>>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  scf.for %i = %c0 to %c2 step %c1 {
    %a = memref.alloc() : memref<4xi64>
    %v = arith.index_cast %i : index to i64
    memref.store %v, %a[%c0] : memref<4xi64>
    memref.store %a, %all[%i] : memref<2xmemref<4xi64>>
  }
  return
}
func.func @main() {
  %c0 = arith.constant 0 : index
  %all = memref.alloc() : memref<2xmemref<4xi64>>
  call @fill(%all) : (memref<2xmemref<4xi64>>) -> ()
  %first = memref.load %all[%c0] : memref<2xmemref<4xi64>>
  %x = memref.load %first[%c0] : memref<4xi64>
  call @printI64(%x) : (i64) -> ()
  return
}
