// pass: func.func(optimize-allocation-liveness)
// ours: func.func(lens-liveness)
// says: usedAfterFree
// without: fence: 1 buffers, 0 left
// with: fence: use after free

func.func @main() {
  %c0 = arith.constant 0 : index
  %seven = arith.constant 7 : i64
  %place = memref.alloca() : memref<1xmemref<4xi64>>
  %a = memref.alloc() : memref<4xi64>
  memref.store %a, %place[%c0] : memref<1xmemref<4xi64>>
  %b = memref.load %place[%c0] : memref<1xmemref<4xi64>>
  memref.store %seven, %b[%c0] : memref<4xi64>
  memref.dealloc %a : memref<4xi64>
  return
}
