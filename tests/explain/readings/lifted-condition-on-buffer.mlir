// Whether the loop goes on is asked of the buffer itself.
//? options: --pre=lift-cf-to-scf
//? must: %x (
//? must: true yielded by
//? not: argument of the then region of scf.if
//? not: (made for %while#
func.func private @go(memref<4xf32>) -> i1
func.func @lifted(%m: memref<4xf32>) {
  cf.br ^h(%m : memref<4xf32>)
^h(%x: memref<4xf32>):
  %c = func.call @go(%x) : (memref<4xf32>) -> i1
  cf.cond_br %c, ^b, ^e
^b:
  %t = memref.alloc() : memref<4xf32>
  memref.copy %x, %t : memref<4xf32> to memref<4xf32>
  cf.br ^h(%t : memref<4xf32>)
^e:
  return
}
