// ours: moves
// upstream: clean

func.func private @fill(%m: memref<4xi64>, %v: i64) {
  %c0 = arith.constant 0 : index
  memref.store %v, %m[%c0] : memref<4xi64>
  return
}
func.func @main() {
  %c0 = arith.constant 0 : index
  %seven = arith.constant 7 : i64
  %a = memref.alloc() : memref<4xi64>
  call @fill(%a, %seven) : (memref<4xi64>, i64) -> ()
  %c = memref.alloca() : memref<4xi64>
  memref.store %seven, %c[%c0] : memref<4xi64>
  memref.dealloc %a : memref<4xi64>
  return
}
