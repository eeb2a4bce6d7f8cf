// ours: stays
// upstream: fence: use after free

func.func private @deep(%n: index, %m: memref<4xi64>, %place: memref<1xmemref<4xi64>>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %isEnd = arith.cmpi eq, %n, %c0 : index
  scf.if %isEnd {
    memref.store %m, %place[%c0] : memref<1xmemref<4xi64>>
  } else {
    %less = arith.subi %n, %c1 : index
    func.call @deep(%less, %m, %place) : (index, memref<4xi64>, memref<1xmemref<4xi64>>) -> ()
  }
  return
}
func.func @main() {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %seven = arith.constant 7 : i64
  %place = memref.alloca() : memref<1xmemref<4xi64>>
  %a = memref.alloc() : memref<4xi64>
  call @deep(%c3, %a, %place) : (index, memref<4xi64>, memref<1xmemref<4xi64>>) -> ()
  %b = memref.load %place[%c0] : memref<1xmemref<4xi64>>
  memref.store %seven, %b[%c0] : memref<4xi64>
  memref.dealloc %a : memref<4xi64>
  return
}
