// scf.for that allocates a new buffer in each iteration: the previous one is freed there, the first stays the caller's.
func.func private @consume(memref<32xf32>)

func.func @loopFresh(%initial: memref<32xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %last = scf.for %i = %c0 to %n step %c1
      iter_args(%previous = %initial) -> (memref<32xf32>) {
    %next = memref.alloc() : memref<32xf32>
    memref.copy %previous, %next : memref<32xf32> to memref<32xf32>
    scf.yield %next : memref<32xf32>
  }
  call @consume(%last) : (memref<32xf32>) -> ()
  return
}
