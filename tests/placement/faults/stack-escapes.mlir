// pass: func.func(promote-buffers-to-stack)
// ours: func.func(lens-promote)
// says: stackEscapes
// without: 7
// with: 5

// What another function leaves on the stack.
func.func private @printI64(i64)
func.func private @put(%place: memref<1xmemref<4xi64>>) {
  %c0 = arith.constant 0 : index
  %seven = arith.constant 7 : i64
  %a = memref.alloc() : memref<4xi64>
  memref.store %seven, %a[%c0] : memref<4xi64>
  memref.store %a, %place[%c0] : memref<1xmemref<4xi64>>
  return
}
func.func private @other() -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 128 : index
  %five = arith.constant 5 : i64
  %a = memref.alloca() : memref<128xi64>
  scf.for %i = %c0 to %n step %c1 {
    memref.store %five, %a[%i] : memref<128xi64>
  }
  %x = memref.load %a[%c1] : memref<128xi64>
  return %x : i64
}
func.func @main() {
  %c0 = arith.constant 0 : index
  %place = memref.alloca() : memref<1xmemref<4xi64>>
  call @put(%place) : (memref<1xmemref<4xi64>>) -> ()
  %y = call @other() : () -> i64
  %a = memref.load %place[%c0] : memref<1xmemref<4xi64>>
  %x = memref.load %a[%c0] : memref<4xi64>
  call @printI64(%x) : (i64) -> ()
  return
}
