// ours: moves
// upstream: clean

func.func private @same(%m: memref<4xi64>) -> memref<4xi64> {
  return %m : memref<4xi64>
}
func.func @main() {
  %c0 = arith.constant 0 : index
  %seven = arith.constant 7 : i64
  %a = memref.alloc() : memref<4xi64>
  %b = call @same(%a) : (memref<4xi64>) -> memref<4xi64>
  memref.store %seven, %b[%c0] : memref<4xi64>
  %c = memref.alloca() : memref<4xi64>
  memref.store %seven, %c[%c0] : memref<4xi64>
  memref.dealloc %a : memref<4xi64>
  return
}
