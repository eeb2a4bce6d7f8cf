// scf.for that swaps two buffers each time (ping-pong): the two cannot be told apart, so run-time checks survive.
func.func private @step(memref<32xf32>, memref<32xf32>)

func.func @loopSwapped(%input: memref<32xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %ping = memref.alloc() : memref<32xf32>
  %pong = memref.alloc() : memref<32xf32>
  memref.copy %input, %ping : memref<32xf32> to memref<32xf32>
  %out:2 = scf.for %i = %c0 to %n step %c1
      iter_args(%from = %ping, %to = %pong)
      -> (memref<32xf32>, memref<32xf32>) {
    func.call @step(%from, %to) : (memref<32xf32>, memref<32xf32>) -> ()
    scf.yield %to, %from : memref<32xf32>, memref<32xf32>
  }
  call @step(%out#0, %out#1) : (memref<32xf32>, memref<32xf32>) -> ()
  return
}
