// Three buffers go around; each result has what it is without an iteration, and
// what the body yields.
//? must: false where scf.for runs no iteration, with %i
//? must: false where scf.for runs no iteration, with %p
//? must: false where scf.for runs no iteration, with %q
//? must: true yielded by the body of scf.for (14:10), with %t
//? not: swap
//? must: %r#2 may come from %i, %t, %p or %q
func.func private @use(memref<4xf32>)
func.func @three(%n: index, %p: memref<4xf32>, %q: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %i = memref.alloc() : memref<4xf32>
  %r:3 = scf.for %k = %c0 to %n step %c1 iter_args(%x = %i, %y = %p, %z = %q) -> (memref<4xf32>, memref<4xf32>, memref<4xf32>) {
    %t = memref.alloc() : memref<4xf32>
    func.call @use(%x) : (memref<4xf32>) -> ()
    func.call @use(%y) : (memref<4xf32>) -> ()
    func.call @use(%z) : (memref<4xf32>) -> ()
    func.call @use(%t) : (memref<4xf32>) -> ()
    scf.yield %t, %x, %y : memref<4xf32>, memref<4xf32>, memref<4xf32>
  }
  call @use(%r#0) : (memref<4xf32>) -> ()
  call @use(%r#1) : (memref<4xf32>) -> ()
  call @use(%r#2) : (memref<4xf32>) -> ()
  return
}
