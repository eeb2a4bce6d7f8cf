// In some iterations the buffer is replaced, in others it goes on.
//? must: false where scf.for runs no iteration, with %p
//? must: true yielded by the then region of scf.if (10:10), with %t
//? must: yielded by the else region of scf.if (10:10), with %x
func.func private @use(memref<4xf32>)
func.func @some(%n: index, %c: i1, %p: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%x = %p) -> memref<4xf32> {
    %s = scf.if %c -> memref<4xf32> {
      %t = memref.alloc() : memref<4xf32>
      func.call @use(%t) : (memref<4xf32>) -> ()
      scf.yield %t : memref<4xf32>
    } else {
      func.call @use(%x) : (memref<4xf32>) -> ()
      scf.yield %x : memref<4xf32>
    }
    func.call @use(%s) : (memref<4xf32>) -> ()
    scf.yield %s : memref<4xf32>
  }
  call @use(%r) : (memref<4xf32>) -> ()
  return
}
