// The same with an argument of the caller: what is returned is a copy.
//? must: replaced by %p (6:19) before the ownership pass
//? not: removed before the ownership pass
//? not: %x (9:6): returned
func.func private @use(memref<4xf32>)
func.func @merged(%p: memref<4xf32>) -> memref<4xf32> {
  call @use(%p) : (memref<4xf32>) -> ()
  cf.br ^end(%p : memref<4xf32>)
^end(%x: memref<4xf32>):
  call @use(%x) : (memref<4xf32>) -> ()
  return %x : memref<4xf32>
}
