// scf.for that hands the same buffer from iteration to iteration: ownership stays false, nothing is freed in the loop.
func.func private @step(memref<32xf32>)

func.func @loopKept(%buffer: memref<32xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %work = memref.alloc() : memref<32xf32>
  memref.copy %buffer, %work : memref<32xf32> to memref<32xf32>
  %last = scf.for %i = %c0 to %n step %c1
      iter_args(%state = %work) -> (memref<32xf32>) {
    func.call @step(%state) : (memref<32xf32>) -> ()
    scf.yield %state : memref<32xf32>
  }
  call @step(%last) : (memref<32xf32>) -> ()
  return
}
