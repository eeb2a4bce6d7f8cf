// Rejected: "only supported when operand is not a MemRef" An scf.reduce combines buffers.
func.func @reduceMemref(%initial: memref<2xf32>, %other: memref<2xf32>) -> memref<2xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %result = scf.parallel (%i) = (%c0) to (%c8) step (%c1)
      init (%initial) -> memref<2xf32> {
    scf.reduce(%other : memref<2xf32>) {
    ^bb0(%left: memref<2xf32>, %right: memref<2xf32>):
      scf.reduce.return %left : memref<2xf32>
    }
  }
  return %result : memref<2xf32>
}
