// pass: func.func(optimize-allocation-liveness)
// ours: func.func(lens-liveness)
// says: freedBeforeAwait
// run: threads
// without: 7
// with: 1

// The task waits until it is let go, which comes behind the free; and what is
// allocated in between gets the memory that the task writes to.
memref.global @seen : memref<1xindex> = uninitialized
func.func private @printI64(i64)
func.func @main() {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %seven = arith.constant 7 : i64
  %flag = memref.alloca() : memref<1xi64>
  memref.store %zero, %flag[%c0] : memref<1xi64>
  %a = memref.alloc() : memref<4xi64>
  %task = async.execute {
    scf.while : () -> () {
      %n = memref.atomic_rmw addi %zero, %flag[%c0] : (i64, memref<1xi64>) -> i64
      %waits = arith.cmpi eq, %n, %zero : i64
      scf.condition(%waits)
    } do {
      scf.yield
    }
    memref.store %one, %a[%c0] : memref<4xi64>
    async.yield
  }
  %b = memref.alloc() : memref<4xi64>
  memref.store %seven, %b[%c0] : memref<4xi64>
  %address = memref.extract_aligned_pointer_as_index %b : memref<4xi64> -> index
  %seen = memref.get_global @seen : memref<1xindex>
  memref.store %address, %seen[%c0] : memref<1xindex>
  %before = memref.atomic_rmw addi %one, %flag[%c0] : (i64, memref<1xi64>) -> i64
  async.await %task : !async.token
  %x = memref.load %b[%c0] : memref<4xi64>
  memref.dealloc %a : memref<4xi64>
  call @printI64(%x) : (i64) -> ()
  return
}
