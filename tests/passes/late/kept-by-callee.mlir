// ours: stays
// upstream: fence: use after free

func.func private @keep(%m: memref<4xi64>, %place: memref<1xmemref<4xi64>>) {
  %c0 = arith.constant 0 : index
  memref.store %m, %place[%c0] : memref<1xmemref<4xi64>>
  return
}
func.func @main() {
  %c0 = arith.constant 0 : index
  %seven = arith.constant 7 : i64
  %place = memref.alloca() : memref<1xmemref<4xi64>>
  %a = memref.alloc() : memref<4xi64>
  call @keep(%a, %place) : (memref<4xi64>, memref<1xmemref<4xi64>>) -> ()
  %b = memref.load %place[%c0] : memref<1xmemref<4xi64>>
  memref.store %seven, %b[%c0] : memref<4xi64>
  memref.dealloc %a : memref<4xi64>
  return
}
