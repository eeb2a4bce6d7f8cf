// pass: buffer-results-to-out-params
// ours: lens-out-params
// says: copyOfArgument
// without: 7
// with: 1

func.func private @printI64(i64)
func.func private @same(%m: memref<4xi64>) -> memref<4xi64> {
  return %m : memref<4xi64>
}
func.func @main() {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i64
  %seven = arith.constant 7 : i64
  %m = memref.alloc() : memref<4xi64>
  memref.store %one, %m[%c0] : memref<4xi64>
  %r = call @same(%m) : (memref<4xi64>) -> memref<4xi64>
  memref.store %seven, %r[%c0] : memref<4xi64>
  %x = memref.load %m[%c0] : memref<4xi64>
  call @printI64(%x) : (i64) -> ()
  return
}
