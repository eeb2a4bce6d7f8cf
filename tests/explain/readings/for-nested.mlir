// The inner loop's result is what the outer one yields.
//? must: false where scf.for runs no iteration, with %i
//? must: false where scf.for runs no iteration, with %x
//? must: yielded by the body of scf.for (12:10), with %t
//? not: not known where
func.func private @use(memref<4xf32>)
func.func @nested(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %i = memref.alloc() : memref<4xf32>
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%x = %i) -> memref<4xf32> {
    %s = scf.for %l = %c0 to %k step %c1 iter_args(%y = %x) -> memref<4xf32> {
      %t = memref.alloc() : memref<4xf32>
      memref.copy %y, %t : memref<4xf32> to memref<4xf32>
      scf.yield %t : memref<4xf32>
    }
    func.call @use(%s) : (memref<4xf32>) -> ()
    scf.yield %s : memref<4xf32>
  }
  call @use(%r) : (memref<4xf32>) -> ()
  return
}
