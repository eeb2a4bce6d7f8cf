// pass: func.func(promote-buffers-to-stack)
// ours: func.func(lens-promote)
// says: stackInRecursion
// run: plain
// without: 134225920
// with: dies

// 16 MB, on a stack of 8.
func.func private @printI64(i64)
func.func private @down(%n: index) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<128xi64>
  %v = arith.index_cast %n : index to i64
  memref.store %v, %a[%c0] : memref<128xi64>
  %more = arith.cmpi ne, %n, %c0 : index
  %rest = scf.if %more -> i64 {
    %less = arith.subi %n, %c1 : index
    %below = func.call @down(%less) : (index) -> i64
    scf.yield %below : i64
  } else {
    scf.yield %v : i64
  }
  %own = memref.load %a[%c0] : memref<128xi64>
  %sum = arith.addi %own, %rest : i64
  return %sum : i64
}
func.func @main() {
  %n = arith.constant 16384 : index
  %sum = call @down(%n) : (index) -> i64
  call @printI64(%sum) : (i64) -> ()
  return
}
