// pass: func.func(buffer-loop-hoisting)
// ours: func.func(lens-loop-hoist)
// says: sharedByIterations
// run: threads
// without: 0
// with: 1

// Each iteration writes its number, waits for the other one, and reads its
// number again. 1: both read the same.
func.func private @printI64(i64)
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %two = arith.constant 2 : i64
  %counter = memref.alloc() : memref<1xi64>
  %out = memref.alloc() : memref<2xi64>
  memref.store %zero, %counter[%c0] : memref<1xi64>
  affine.parallel (%i) = (0) to (2) {
    %own = memref.alloc() : memref<1xi64>
    %number = arith.index_cast %i : index to i64
    memref.store %number, %own[%c0] : memref<1xi64>
    %here = memref.atomic_rmw addi %one, %counter[%c0] : (i64, memref<1xi64>) -> i64
    scf.while : () -> () {
      %n = memref.atomic_rmw addi %zero, %counter[%c0] : (i64, memref<1xi64>) -> i64
      %more = arith.cmpi slt, %n, %two : i64
      scf.condition(%more)
    } do {
      scf.yield
    }
    %again = memref.load %own[%c0] : memref<1xi64>
    memref.store %again, %out[%i] : memref<2xi64>
  }
  %x = memref.load %out[%c0] : memref<2xi64>
  %y = memref.load %out[%c1] : memref<2xi64>
  %same = arith.cmpi eq, %x, %y : i64
  %s = arith.extui %same : i1 to i64
  call @printI64(%s) : (i64) -> ()
  return
}
