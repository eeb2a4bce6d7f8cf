// ours: moves
// upstream: clean

// What is yielded comes around once more, and out of the loop.
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %seven = arith.constant 7 : i64
  %a = memref.alloc() : memref<4xi64>
  %b = memref.alloc() : memref<4xi64>
  %last:2 = scf.for %i = %c0 to %c4 step %c1 iter_args(%x = %a, %y = %b)
      -> (memref<4xi64>, memref<4xi64>) {
    memref.store %seven, %x[%c0] : memref<4xi64>
    scf.yield %y, %x : memref<4xi64>, memref<4xi64>
  }
  memref.store %seven, %last#1[%c0] : memref<4xi64>
  %c = memref.alloca() : memref<4xi64>
  memref.store %seven, %c[%c0] : memref<4xi64>
  memref.dealloc %a : memref<4xi64>
  memref.dealloc %b : memref<4xi64>
  return
}
