// pass: buffer-results-to-out-params{hoist-static-allocs}
// ours: lens-out-params{hoist-static-allocs}
// says: contentsLost
// without: 7
// with: 6510615555426900570

// What the fence fills new memory with: 0x5a, eight times.
func.func private @printI64(i64)
func.func private @copy(%m: memref<4xi64>) -> memref<4xi64> {
  %c = bufferization.clone %m : memref<4xi64> to memref<4xi64>
  return %c : memref<4xi64>
}
func.func @main() {
  %c0 = arith.constant 0 : index
  %seven = arith.constant 7 : i64
  %m = memref.alloc() : memref<4xi64>
  memref.store %seven, %m[%c0] : memref<4xi64>
  %c = call @copy(%m) : (memref<4xi64>) -> memref<4xi64>
  %x = memref.load %c[%c0] : memref<4xi64>
  call @printI64(%x) : (i64) -> ()
  return
}
